package mc

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
)

// A Method is a policy with its label in rows, tables and legends.
type Method struct {
	// Name identifies the method in rows and names the random stream of its
	// policy.
	Name string
	// New returns a policy. It is called once a worker, by several workers at
	// once; the policy is then reused through Init.
	New func() explore.Policy

	// Constants and Delta are labels: which radii or thresholds run ("theory",
	// "paper") and at which error probability. Methods may share a name if
	// they differ here; their policies then see the same random stream.
	Constants string
	Delta     float64

	// Reps is the number of replicates of each cell of this method. Zero means
	// Grid.Reps.
	Reps int
	// MaxPulls and MaxRounds limit each run as in explore.Settings. Zero means
	// the limit of the Grid, less means no limit.
	MaxPulls, MaxRounds int
}

// A Cell is one method on one instance, and where it stands in an experiment.
type Cell struct {
	Instance *bandit.Instance
	Method   Method

	// Experiment, Size, Draw and Budget go to rows: the experiment that the cell is of, how large
	// its problem is, which of several random instances of this size, and the number of pulls
	// that is allowed. They have no influence on random streams.
	Experiment         string
	Size, Draw, Budget int
	// Measures are the numbers that each run is measured by.
	Measures []Measure
}

// A Grid is a Monte Carlo study: Reps replicates of every method on every
// instance.
type Grid struct {
	// Study names the study in rows and file headers.
	Study string
	// Seed is the root of all random streams.
	Seed uint64
	// Reps is the number of replicates of each cell.
	Reps int

	// Instances and Methods span the cells: each method on each instance.
	Instances []*bandit.Instance
	Methods   []Method
	// Cells are simulated besides, such as methods that suit one instance only,
	// or whose settings depend on it.
	Cells []Cell

	// MaxPulls and MaxRounds limit each run as in explore.Settings.
	MaxPulls, MaxRounds int

	// Shard selects a part of the replicates. The zero value is all of them.
	Shard Shard
	// Workers is the number of replicates simulated at the same time. Zero means
	// GOMAXPROCS. It has no influence on the rows.
	Workers int
	// Progress, if not nil, is called at the start and after each row, by the
	// goroutine that called Run or Stream. Done counts the rows that a resumed
	// file already held.
	Progress func(done, total int, elapsed time.Duration)
}

// Run simulates the grid and returns its rows, in the order (replicate, cell).
//
// The rows before the first failure are returned with an error: that of ctx,
// wrapped, if it was cancelled, or that of a policy or a sampler that panicked.
// A policy that returns an error is not a failure of the study; its row has
// Status "failure" and says why in Err.
func (g *Grid) Run(ctx context.Context) ([]Row, error) {
	p, err := g.plan()
	if err != nil {
		return nil, err
	}
	return p.collect(ctx, "; Stream to a file to be able to resume")
}

// Describe returns what the first line of the grid's file says, and how many replicates each cell
// has, shards aside. The header's Digest identifies everything that decides about rows except the
// number of replicates, the shard, and the code.
func (g *Grid) Describe() (Header, map[Key]int, error) {
	p, err := g.plan()
	if err != nil {
		return Header{}, nil, err
	}
	reps := make(map[Key]int, len(p.cells))
	for i := range p.cells {
		reps[p.cells[i].key] = p.cells[i].reps
	}
	return p.header, reps, nil
}

// Header returns what the first line of the grid's file says: see Describe.
func (g *Grid) Header() (Header, error) {
	h, _, err := g.Describe()
	return h, err
}

// Replicates returns how many replicates each cell of g has: see Describe.
func (g *Grid) Replicates() (map[Key]int, error) {
	_, reps, err := g.Describe()
	return reps, err
}

// A Shard is part I of N of a study, I from 1: every N-th replicate of every
// cell, so that each shard is a small study of its own, and takes about the
// same time. The zero value is the whole.
type Shard struct{ I, N int }

// ParseShard reads a shard such as "2/8". The empty string is the whole.
func ParseShard(s string) (Shard, error) {
	if s == "" {
		return Shard{}, nil
	}
	a, b, ok := strings.Cut(s, "/")
	i, err1 := strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	sh := Shard{i, n}
	if !ok || err1 != nil || err2 != nil || n < 1 || sh.validate() != nil {
		return Shard{}, fmt.Errorf("mc: shard %q; expected part/parts, such as 2/8", s)
	}
	return sh, nil
}

// String returns a text such as "2/8", and "" for the whole.
func (s Shard) String() string {
	if s == (Shard{}) {
		return ""
	}
	return strconv.Itoa(s.I) + "/" + strconv.Itoa(s.N)
}

func (s Shard) validate() error {
	if s != (Shard{}) && (s.N < 1 || s.I < 1 || s.I > s.N) {
		return fmt.Errorf("mc: shard %v; expected part I of N with 1 <= I <= N", s)
	}
	return nil
}

// first returns the first replicate of the shard.
func (s Shard) first() int { return max(s.I-1, 0) }

// step returns the distance between the replicates of the shard.
func (s Shard) step() int { return max(s.N, 1) }

// count returns the number of replicates of the shard from replicate from,
// which is one of them, up to but not including end.
func (s Shard) count(from, end int) int {
	if from >= end {
		return 0
	}
	return (end-from-1)/s.step() + 1
}

// has reports whether replicate rep, at least 0, belongs to the shard.
func (s Shard) has(rep int) bool { return rep%s.step() == s.first() }
