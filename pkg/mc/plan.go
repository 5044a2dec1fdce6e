package mc

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
)

// cell is a Cell in which defaults replace zero values.
type cell struct {
	Cell
	key      Key
	truth    *mat.Dense // means of the items, shared by all cells of an instance
	reps     int
	limits   explore.Settings
	instSlot int // index of the simulator of the instance in a worker
	polSlot  int // index of the policy in a worker
}

// plan is a checked grid, together with the state of its simulation.
type plan struct {
	*Grid
	cells    []cell
	truths   []*mat.Dense // true means by instSlot
	insts    []*bandit.Instance
	slots    map[string]int // index of the simulator by name of the instance
	policies int            // number of policies: one for each method and each of Grid.Cells
	index    map[Key]int
	header   Header
	// next is, for each cell, the first replicate that is not simulated yet.
	next []int
	// done is the number of rows that were already in a resumed file.
	done int
	// If picked is not nil, only the listed replicates are simulated.
	picked []job
}

// plan checks g and returns its plan, with the header of its file.
func (g *Grid) plan() (*plan, error) {
	p, err := g.layout()
	if err != nil {
		return nil, err
	}
	if p.header, err = p.describe(); err != nil {
		return nil, err
	}
	return p, nil
}

// layout returns the plan without the header, because computing the header takes about a second for
// instances with many arms.
func (g *Grid) layout() (*plan, error) {
	if err := g.validate(); err != nil {
		return nil, err
	}
	p := &plan{Grid: g, index: make(map[Key]int), slots: make(map[string]int)}
	names := make(map[string]bool)
	for _, inst := range g.Instances {
		if inst != nil && names[inst.Name] {
			return nil, fmt.Errorf("mc: grid: two instances are called %q; rename one of them", inst.Name)
		}
		for j := range g.Methods {
			if err := p.add(Cell{Instance: inst, Method: g.Methods[j]}, j); err != nil {
				return nil, err
			}
			names[inst.Name] = true // add has checked that inst is not nil
		}
	}
	p.policies = len(g.Methods)
	for _, c := range g.Cells {
		if err := p.add(c, p.policies); err != nil {
			return nil, err
		}
		p.policies++
	}
	if len(p.cells) == 0 {
		return nil, errors.New("mc: grid: no cells; give Instances and Methods, or Cells")
	}
	p.next = make([]int, len(p.cells))
	for i := range p.next {
		p.next[i] = g.Shard.first()
	}
	return p, nil
}

// validate returns an error for the first invalid setting of g. validate does not check the cells
// of g.
func (g *Grid) validate() error {
	switch {
	case g.Study == "":
		return errors.New("mc: grid: Study is empty; name the study")
	case !utf8.ValidString(g.Study):
		return fmt.Errorf("mc: grid: Study is %q; expected UTF-8 text", g.Study)
	case g.Reps < 0:
		return fmt.Errorf("mc: grid: Reps is %d; expected at least 1", g.Reps)
	case g.Workers < 0:
		return fmt.Errorf("mc: grid: Workers is %d; expected at least 1, or 0 for one per processor", g.Workers)
	}
	return g.Shard.validate()
}

func (p *plan) add(c Cell, polSlot int) error {
	if err := c.validate(); err != nil {
		return err
	}
	k := c.Key()
	if _, dup := p.index[k]; dup {
		return fmt.Errorf("mc: grid: %v occurs twice; give the methods different names, constants or deltas", k)
	}
	slot, err := p.slot(c.Instance)
	if err != nil {
		return err
	}
	own := cell{
		Cell: c, key: k, truth: p.truths[slot], instSlot: slot, polSlot: polSlot,
		reps: first(c.Method.Reps, p.Reps),
		limits: explore.Settings{
			MaxPulls:  first(c.Method.MaxPulls, p.MaxPulls),
			MaxRounds: first(c.Method.MaxRounds, p.MaxRounds),
		},
	}
	if own.reps < 1 {
		return fmt.Errorf("mc: grid: %v: %d replicates; expected at least 1; set Grid.Reps or Method.Reps", k, own.reps)
	}
	p.index[k] = len(p.cells)
	p.cells = append(p.cells, own)
	return nil
}

func first(own, common int) int {
	if own != 0 {
		return own
	}
	return common
}

// validate returns an error for the first invalid field of c.
func (c *Cell) validate() error {
	m := &c.Method
	switch {
	case c.Instance == nil:
		return fmt.Errorf("mc: grid: the instance of method %q is nil; give an instance", m.Name)
	case c.Instance.Name == "":
		return errors.New("mc: grid: an instance has no Name; set Name")
	case m.Name == "":
		return errors.New("mc: grid: a method has no Name; set Name")
	case m.New == nil:
		return fmt.Errorf("mc: grid: method %s: New is nil; expected a function that returns a policy", m.Name)
	case math.IsNaN(m.Delta) || math.IsInf(m.Delta, 0):
		return fmt.Errorf("mc: grid: method %s: Delta is %v; expected a finite number", m.Name, m.Delta)
	}
	for _, s := range []string{c.Experiment, c.Instance.Name, m.Name, m.Constants} {
		if !utf8.ValidString(s) {
			return fmt.Errorf("mc: grid: the name %q is not UTF-8 text; rename it", s)
		}
	}
	return nil
}

// slot returns the index of the simulator of inst in each worker, and validates inst if it is new.
// Cells whose instances have the same name use the same noise and simulator, so these instances
// must be identical.
func (p *plan) slot(inst *bandit.Instance) (int, error) {
	slot, seen := p.slots[inst.Name]
	if seen && p.insts[slot] == inst {
		return slot, nil
	}
	if err := inst.Validate(); err != nil {
		return 0, fmt.Errorf("mc: grid: %w", err)
	}
	if seen {
		a, b := info(p.insts[slot]), info(inst)
		if what := a.differ(&b); what != "" {
			return 0, fmt.Errorf("mc: grid: two instances called %q differ (%s); rename one of them", inst.Name, what)
		}
		return slot, nil
	}
	slot = len(p.insts)
	p.slots[inst.Name] = slot
	p.insts, p.truths = append(p.insts, inst), append(p.truths, inst.Truth())
	return slot, nil
}

// total returns the number of rows of the grid, or of its shard.
func (p *plan) total() int {
	if p.picked != nil {
		return len(p.picked)
	}
	n := p.done
	for i := range p.cells {
		n += p.Shard.count(p.next[i], p.cells[i].reps)
	}
	return n
}
