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
	// Name identifies the method in rows and names the random stream of its policy.
	Name string
	// New returns a policy. Several workers call it concurrently, once each; the policy is then
	// reused through Init.
	New func() explore.Policy

	// Constants and Delta are labels: the radii or thresholds ("theory", "paper") and the error
	// probability. Methods may share a name if they differ here; their policies then have the same
	// random stream.
	Constants string
	Delta     float64

	// Reps is the number of replicates of each cell of this method. Zero means Grid.Reps.
	Reps int
	// MaxPulls and MaxRounds limit each run as in explore.Settings. Zero means the limit of the
	// Grid. Negative means no limit.
	MaxPulls, MaxRounds int
}

// A Cell is one method on one instance, with its position in an experiment.
type Cell struct {
	Instance *bandit.Instance
	Method   Method

	// Experiment, Size, Draw and Budget are copied to rows. They are the experiment of the cell,
	// the size of its problem, the number of the random instance of this size, and the allowed
	// number of pulls. They do not affect random streams.
	Experiment         string
	Size, Draw, Budget int
	// Measures are computed for each run.
	Measures []Measure
}

// A Grid is a Monte Carlo study: Reps replicates of every method on every instance.
type Grid struct {
	// Study names the study in rows and file headers.
	Study string
	// Seed is the root of all random streams.
	Seed uint64
	// Reps is the number of replicates of each cell.
	Reps int

	// Instances and Methods define cells: each method on each instance.
	Instances []*bandit.Instance
	Methods   []Method
	// Cells are further cells, such as methods for one instance only, or with settings that depend
	// on the instance.
	Cells []Cell

	// MaxPulls and MaxRounds limit each run as in explore.Settings.
	MaxPulls, MaxRounds int

	// Shard selects a part of the replicates. The zero value selects all.
	Shard Shard
	// Workers is the number of replicates that are simulated concurrently. Zero means GOMAXPROCS.
	// It does not affect the rows.
	Workers int
	// Progress, if not nil, is called at the start and after each row, by the goroutine that called
	// Run or Stream. Done includes the rows of a resumed file.
	Progress func(done, total int, elapsed time.Duration)
}

// Run simulates the grid and returns its rows, in the order (replicate, cell).
//
// With an error, it returns the rows before the first failure. A failure is a cancelled ctx, whose
// error is wrapped, or a panic of a policy or a sampler. An error of a policy is not a failure: its
// row has Status "failure" and the error in Err.
func (g *Grid) Run(ctx context.Context) ([]Row, error) {
	p, err := g.plan()
	if err != nil {
		return nil, err
	}
	return p.collect(ctx, "; Stream to a file to be able to resume")
}

// Describe returns the header of the grid's file, and the number of replicates of each cell in all
// shards together. The header's Digest identifies everything that rows depend on, except the number
// of replicates, the shard, and the code.
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

// Header returns the header of the grid's file: see Describe.
func (g *Grid) Header() (Header, error) {
	h, _, err := g.Describe()
	return h, err
}

// Replicates returns the number of replicates of each cell of g: see Describe.
func (g *Grid) Replicates() (map[Key]int, error) {
	_, reps, err := g.Describe()
	return reps, err
}

// A Shard is part I of N of a study, with I from 1: every N-th replicate of every cell. Each shard
// is therefore a smaller study, and all shards take about the same time. The zero value is the
// whole study.
type Shard struct{ I, N int }

// ParseShard parses a shard such as "2/8". The empty string is the whole study.
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

// String returns a text such as "2/8", and "" for the whole study.
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

// count returns the number of replicates of the shard in [from, end), where from belongs to the
// shard.
func (s Shard) count(from, end int) int {
	if from >= end {
		return 0
	}
	return (end-from-1)/s.step() + 1
}

// has reports whether replicate rep, at least 0, belongs to the shard.
func (s Shard) has(rep int) bool { return rep%s.step() == s.first() }
