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
	// Name identifies the method in rows, and selects the random stream of its policies.
	Name string
	// New returns a policy. Several workers call New concurrently, each at most once; a worker
	// reuses its policy through Init.
	New func() explore.Policy

	// Constants and Delta are labels in rows. Constants names the constants of radii or thresholds
	// ("theory" or "paper"), and Delta is the error probability. Methods with different Constants
	// or Delta may have the same name; their policies then use the same random stream.
	Constants string
	Delta     float64

	// Reps is the number of replicates in each cell of this method; zero means Grid.Reps.
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
	// is the index of the random instance of this size, and Budget is the number of pulls allowed.
	// The four fields Experiment, Size, Draw and Budget do not affect random streams.
	Experiment         string
	Size, Draw, Budget int
	// Measures are additional numbers that are computed for each run.
	Measures []Measure
}

// Grid is a Monte Carlo study with Reps replicates of every method on every instance.
type Grid struct {
	// Study is the name of the study in rows and file headers.
	Study string
	// Seed is the root seed of all random streams.
	Seed uint64
	// Reps is the number of replicates of each cell.
	Reps int

	// Instances and Methods define cells: each method runs on each of the instances.
	Instances []*bandit.Instance
	Methods   []Method
	// Cells are additional cells, for example for methods that run on only one instance, or whose
	// settings depend on the instance.
	Cells []Cell

	// MaxPulls and MaxRounds limit each run in the same way as in explore.Settings.
	MaxPulls, MaxRounds int

	// Shard selects a part of the replicates; the zero value of Shard selects all replicates.
	Shard Shard
	// Workers is the number of replicates simulated in parallel; zero means GOMAXPROCS. Workers
	// does not affect the rows.
	Workers int
	// If Progress is not nil, it is called at the start and after each row, by the goroutine that
	// called Run or Stream. The argument done of Progress includes rows that were already in a
	// resumed file.
	Progress func(done, total int, elapsed time.Duration)
}

// Run simulates the grid and returns its rows, ordered by replicate and then by cell.
//
// If an error occurs, Run also returns the rows before the first failure. Run fails if ctx is
// cancelled, and then wraps the error of ctx, or if a policy or a sampler panics. An error of a
// policy is not a failure of Run: the row has Status "failure" and the error in Err.
func (g *Grid) Run(ctx context.Context) ([]Row, error) {
	p, err := g.plan()
	if err != nil {
		return nil, err
	}
	return p.collect(ctx, "; call Stream to save rows in a file and resume")
}

// Describe returns the header of the grid's file, and for each cell the number of replicates over
// all shards. The Digest in the header identifies everything that affects rows, except the number
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

// A Shard is part I of N of a study, with I counted from 1; it contains every N-th replicate of
// every cell. Each shard is a study with fewer replicates, and all shards take about the same time.
// The zero Shard is the whole study.
type Shard struct{ I, N int }

// ParseShard parses a text such as "2/8". The empty text means the whole study.
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

// String formats the shard like "2/8"; for the whole study, String returns "".
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

// first returns the index of the first replicate in shard s.
func (s Shard) first() int { return max(s.I-1, 0) }

// step returns the distance between consecutive replicates of shard s.
func (s Shard) step() int { return max(s.N, 1) }

// count returns the number of replicates of the shard with indices in [from, end). from must be the
// index of a replicate of the shard.
func (s Shard) count(from, end int) int {
	if from >= end {
		return 0
	}
	return (end-from-1)/s.step() + 1
}

// has reports whether the shard contains replicate rep; rep must not be negative.
func (s Shard) has(rep int) bool { return rep%s.step() == s.first() }
