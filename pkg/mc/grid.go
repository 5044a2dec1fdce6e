package mc

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// An Instance is a problem together with the truth about it.
type Instance struct {
	// Name identifies the instance in rows and in random streams.
	Name string
	// Problem is what the policies are told. It is shared by all workers.
	Problem *explore.Problem
	// Means is the truth, M x d, one item a row. It goes to
	// Problem.Question.Correct, which scores the answers.
	Means *mat.Dense
	// Sampler returns a simulator whose noise comes from s alone. It is called
	// by several workers at once, and its results must not share state. A
	// simulator that has a method Reset(seed.Seed) is made once a worker and
	// reset for each replicate; after Reset(s) it must draw what Sampler(s)
	// draws.
	Sampler func(s seed.Seed) explore.Sampler
}

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

// A Cell is one method on one instance.
type Cell struct {
	Instance Instance
	Method   Method
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
	Instances []Instance
	Methods   []Method
	// Cells are played besides, such as methods that suit one instance only,
	// or whose settings depend on it.
	Cells []Cell

	// MaxPulls and MaxRounds limit each run as in explore.Settings.
	MaxPulls, MaxRounds int

	// Shard selects a part of the replicates. The zero value is all of them.
	Shard Shard
	// Workers is the number of replicates played at the same time. Zero means
	// GOMAXPROCS. It has no influence on the rows.
	Workers int
	// Progress, if not nil, is called at the start and after each row, by the
	// goroutine that called Run or Stream. Done counts the rows that a resumed
	// file already held.
	Progress func(done, total int, elapsed time.Duration)
}

// Run plays the grid and returns its rows, in the order (replicate, cell).
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
	rows := make([]Row, 0, p.total())
	err = p.play(ctx, func(r *Row) error {
		rows = append(rows, *r)
		return nil
	})
	if h := (*halted)(nil); asHalted(err, &h) {
		err = fmt.Errorf("mc: stopped with %d of %d replicates; Stream to a file to be able to resume: %w", h.done, h.total, h.cause)
	}
	return rows, err
}

// Header returns what the first line of the grid's file says. Its Digest
// identifies everything that decides about rows except the number of
// replicates, the shard, and the code.
func (g *Grid) Header() (Header, error) {
	p, err := g.plan()
	if err != nil {
		return Header{}, err
	}
	return p.header, nil
}

// key identifies a cell in rows.
type key struct {
	instance, method, constants string
	delta                       float64
}

func (k key) String() string {
	s := k.method
	if k.constants != "" {
		s += " (" + k.constants + ")"
	}
	if k.delta != 0 {
		s += fmt.Sprintf(" at delta %v", k.delta)
	}
	return s + " on " + k.instance
}

// A cell is a Cell with its defaults filled in.
type cell struct {
	key
	inst     *Instance
	method   *Method
	reps     int
	limits   explore.Settings
	instSlot int // where a worker keeps the instance's simulator
	polSlot  int // where a worker keeps the policy
}

// A plan is a checked grid and how far it has been played.
type plan struct {
	*Grid
	cells     []cell
	instances int // number of distinct instances
	policies  int // number of methods, counting each of Grid.Cells
	index     map[key]int
	header    Header
	// next is the first replicate of each cell that is still to be played.
	next []int
	// done is the number of rows of a resumed file.
	done int
}

// plan checks g.
func (g *Grid) plan() (*plan, error) {
	bad := func(format string, args ...any) (*plan, error) {
		return nil, fmt.Errorf("mc: grid: "+format, args...)
	}
	switch {
	case g.Study == "":
		return bad("Study is empty; name the study")
	case g.Reps < 0:
		return bad("Reps is %d; want at least 1", g.Reps)
	case g.Workers < 0:
		return bad("Workers is %d; want at least 1, or 0 for one a processor", g.Workers)
	}
	if err := g.Shard.validate(); err != nil {
		return nil, err
	}
	p := &plan{Grid: g, index: make(map[key]int)}
	slots := make(map[string]int)   // instance name to instSlot
	owners := make(map[string]bool) // names of Grid.Instances
	add := func(inst *Instance, m *Method, polSlot int) error {
		for _, f := range []struct{ what, name string }{{"an instance", inst.Name}, {"a method", m.Name}} {
			if f.name == "" {
				return fmt.Errorf("mc: grid: %s has no Name", f.what)
			}
		}
		k := key{inst.Name, m.Name, m.Constants, m.Delta}
		for _, s := range []string{g.Study, inst.Name, m.Name, m.Constants} {
			if !utf8.ValidString(s) {
				return fmt.Errorf("mc: grid: the name %q is not UTF-8", s)
			}
		}
		if _, dup := p.index[k]; dup {
			return fmt.Errorf("mc: grid: %v is there twice; give the methods different names, constants or deltas", k)
		}
		reps := m.Reps
		if reps == 0 {
			reps = g.Reps
		}
		switch {
		case reps < 1:
			return fmt.Errorf("mc: grid: %v: %d replicates; want at least 1: set Grid.Reps or Method.Reps", k, reps)
		case m.New == nil:
			return fmt.Errorf("mc: grid: method %s: New is nil", m.Name)
		case math.IsNaN(m.Delta) || math.IsInf(m.Delta, 0):
			return fmt.Errorf("mc: grid: method %s: Delta is %v", m.Name, m.Delta)
		}
		limit := func(own, common int) int {
			if own != 0 {
				return own
			}
			return common
		}
		slot, seen := slots[inst.Name]
		if !seen {
			if err := inst.validate(); err != nil {
				return err
			}
			slot = len(slots)
			slots[inst.Name] = slot
		}
		p.index[k] = len(p.cells)
		p.cells = append(p.cells, cell{
			key: k, inst: inst, method: m, reps: reps, instSlot: slot, polSlot: polSlot,
			limits: explore.Settings{
				MaxPulls:  limit(m.MaxPulls, g.MaxPulls),
				MaxRounds: limit(m.MaxRounds, g.MaxRounds),
			},
		})
		return nil
	}
	for i := range g.Instances {
		name := g.Instances[i].Name
		if owners[name] {
			return bad("two instances are called %q", name)
		}
		owners[name] = true
		for j := range g.Methods {
			if err := add(&g.Instances[i], &g.Methods[j], j); err != nil {
				return nil, err
			}
		}
	}
	p.policies = len(g.Methods)
	for i := range g.Cells {
		c := &g.Cells[i]
		if err := add(&c.Instance, &c.Method, p.policies); err != nil {
			return nil, err
		}
		p.policies++
	}
	if len(p.cells) == 0 {
		return bad("no cells; give Instances and Methods, or Cells")
	}
	p.instances = len(slots)
	var err error
	if p.header, err = p.describe(); err != nil {
		return nil, err
	}
	p.next = make([]int, len(p.cells))
	for i := range p.next {
		p.next[i] = g.Shard.first()
	}
	return p, nil
}

func (inst *Instance) validate() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("mc: instance %s: %s", inst.Name, fmt.Sprintf(format, args...))
	}
	if err := inst.Problem.Validate(); err != nil {
		return fmt.Errorf("mc: instance %s: %w", inst.Name, err)
	}
	if inst.Sampler == nil {
		return bad("Sampler is nil")
	}
	if inst.Means == nil {
		return bad("Means is nil; it is needed to score the answers")
	}
	m, d := inst.Problem.M(), inst.Problem.D()
	if r, c := inst.Means.Dims(); r != m || c != d {
		return bad("Means is %d x %d; want %d items x %d objectives", r, c, m, d)
	}
	if slices.ContainsFunc(inst.Means.RawMatrix().Data, math.IsNaN) {
		return bad("Means contains NaN")
	}
	return nil
}

// total returns the number of rows of the whole grid (of its shard).
func (p *plan) total() int {
	n := p.done
	for i := range p.cells {
		n += p.Shard.count(p.next[i], p.cells[i].reps)
	}
	return n
}
