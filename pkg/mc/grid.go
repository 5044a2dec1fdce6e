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

// Method is a policy with its label in rows, tables and legends.
type Method struct {
	// Name identifies the method in rows and names the random stream of its policy.
	Name string
	// New returns a policy. Several workers call New concurrently, each at most once, and reuse
	// their policies through Init.
	New func() explore.Policy

	// Constants and Delta are labels in rows: the radii or thresholds ("theory", "paper"), and the
	// error probability. Methods may share a name if Constants or Delta differ; their policies then
	// have the same random stream.
	Constants string
	Delta     float64

	// Reps is the number of replicates of each cell of this method; zero means Grid.Reps.
	Reps int
	// MaxPulls and MaxRounds limit each run in the same way as in explore.Settings. A zero limit
	// means the limit of the Grid; a negative limit means no limit.
	MaxPulls, MaxRounds int
}

// Cell is one method on one instance, with its position in an experiment.
type Cell struct {
	Instance *bandit.Instance
	Method   Method

	// Experiment, Size, Draw and Budget are copied to rows. Size is the size of the problem, Draw
	// is the number of the random instance of that size, and Budget is the allowed number of pulls.
	// The four fields Experiment, Size, Draw and Budget do not affect random streams.
	Experiment         string
	Size, Draw, Budget int
	// Measures are the additional numbers that are computed for each run.
	Measures []Measure
}

// Grid is a Monte Carlo study with Reps replicates of every method on every instance.
type Grid struct {
	// Study names the study in rows and file headers.
	Study string
	// Seed is the root seed of all random streams.
	Seed uint64
	// Reps is the number of replicates of each cell.
	Reps int

	// Instances and Methods define cells: each method runs on each instance.
	Instances []*bandit.Instance
	Methods   []Method
	// Cells are further cells, such as methods for only one instance, or with settings that depend
	// on the instance.
	Cells []Cell

	// MaxPulls and MaxRounds limit each run in the same way as in explore.Settings.
	MaxPulls, MaxRounds int

	// Shard selects a part of the replicates; the zero value selects all replicates.
	Shard Shard
	// Workers is the number of replicates that are simulated concurrently; zero means GOMAXPROCS.
	// Workers does not affect the rows.
	Workers int
	// Progress, if not nil, is called at the start and after each row, by the goroutine that called
	// Run or Stream. The argument done includes the rows of a resumed file.
	Progress func(done, total int, elapsed time.Duration)
}

// Run simulates the grid and returns its rows, in the order (replicate, cell).
//
// If an error occurs, Run also returns the rows before the first failure. Failures are the
// cancellation of ctx, whose error is wrapped, and panics of a policy or a sampler. An error of a
// policy is not a failure of Run: the row has Status "failure" and the error in Err.
func (g *Grid) Run(ctx context.Context) ([]Row, error) {
	p, err := g.plan()
	if err != nil {
		return nil, err
	}
	return p.collect(ctx, "; Stream to a file to be able to resume")
}

// Describe returns the header of the grid's file, and the number of replicates of each cell over
// all shards. The Digest in the header identifies everything that rows depend on, except the number
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

// Header returns the header of the grid's file; see Describe.
func (g *Grid) Header() (Header, error) {
	h, _, err := g.Describe()
	return h, err
}

// Replicates returns the number of replicates of each cell of g; see Describe.
func (g *Grid) Replicates() (map[Key]int, error) {
	_, reps, err := g.Describe()
	return reps, err
}

// Shard is part I of N of a study, with I from 1, and has every N-th replicate of every cell. Each
// shard is a smaller study, and all shards take about the same time. The zero Shard is the whole
// study.
type Shard struct{ I, N int }

// ParseShard parses a shard such as "2/8". The empty string means the whole study.
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

// String formats the shard like "2/8"; the whole study is "".
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

// first returns the number of the first replicate in shard s.
func (s Shard) first() int { return max(s.I-1, 0) }

// step returns the distance between consecutive replicates of shard s.
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
