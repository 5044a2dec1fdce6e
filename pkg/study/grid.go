package study

import (
	"errors"
	"fmt"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
)

// Replicates returns the number of runs of each method at each size: Reps on each of Draws
// instances.
func (e Experiment) Replicates() int { return e.Reps * max(1, e.Draws) }

// Grid returns the grid of runs of the experiment.
func (e Experiment) Grid(o Options) (*mc.Grid, error) { return grid(e.Name, o, e) }

func grid(name string, o Options, es ...Experiment) (*mc.Grid, error) {
	g := &mc.Grid{Study: name, Seed: o.Root(), Workers: o.Workers, Shard: o.Shard}
	for _, e := range es {
		cells, err := e.cells(o)
		if err != nil {
			return nil, err
		}
		g.Cells = append(g.Cells, cells...)
	}
	return g, nil
}

// cells returns a cell for each method and each bound on each instance.
func (e Experiment) cells(o Options) ([]mc.Cell, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	reps, draws := e.counts(o)
	var cells []mc.Cell
	for _, size := range e.Sizes {
		for draw := range e.drawsAt(size, draws) {
			inst, err := e.At(size, draw)
			if err != nil {
				return nil, err
			}
			for _, b := range e.Bounds {
				if !inst.Problem.Changing {
					cells = append(cells, e.cell(inst, size, draw, b.method(e.Task(inst, size))))
				}
			}
			for _, m := range e.Methods {
				runs, err := e.runs(m, inst, size, draw)
				if err != nil {
					return nil, err
				}
				if !runs {
					continue
				}
				own := mc.Method{Name: m.Name, Constants: m.Constants, Reps: reps, MaxPulls: m.MaxPulls}
				switch {
				case m.Reps > 0 && e.Draws == 0:
					own.Reps = min(reps, o.Scaled(m.Reps, e.Replicates()))
				case m.Each > 0 && e.Draws > 0:
					own.Reps = min(m.Each, reps)
				}
				task := e.Task(inst, size)
				own.Delta = task.Delta
				own.New = func() explore.Policy { return m.New(task) }
				cells = append(cells, e.cell(inst, size, draw, own))
			}
		}
	}
	return cells, nil
}

func (e Experiment) drawsAt(size, draws int) int {
	if n, ok := e.Fewer[size]; ok {
		return min(n, draws)
	}
	return draws
}

// counts returns the number of runs on each instance, and the number of random instances of a size.
// If instances are random and the options request fewer replicates than the default, counts first
// reduces the runs on each instance, and then the number of instances. If instances are random and
// the options request more replicates than the default, counts adds instances.
func (e Experiment) counts(o Options) (reps, draws int) {
	switch {
	case e.Draws == 0:
		return o.Scaled(e.Reps, e.Replicates()), 1
	case o.Reps == 0:
		return e.Reps, e.Draws
	case o.Reps < e.Replicates():
		draws = min(e.Draws, o.Reps)
		return (o.Reps + draws - 1) / draws, draws
	}
	return e.Reps, o.Scaled(e.Draws, e.Replicates())
}

func (e Experiment) cell(inst *bandit.Instance, size, draw int, m mc.Method) mc.Cell {
	c := mc.Cell{Instance: inst, Method: m, Experiment: e.Name, Size: size, Draw: draw, Measures: e.Measures}
	if m.Constants == bound {
		c.Measures = nil
	}
	if e.Budget != nil {
		c.Budget = e.Budget(size)
	}
	return c
}

// runs reports whether a method is run on an instance, considering the limits of the method and the
// budget.
func (e Experiment) runs(m Method, inst *bandit.Instance, size, draw int) (bool, error) {
	if m.Largest > 0 && size > m.Largest || e.Draws > 0 && m.Reps > 0 && draw >= m.Reps {
		return false, nil
	}
	if e.Budget == nil {
		return true, nil
	}
	err := m.New(e.Task(inst, size)).Init(inst.Problem, nil)
	if errors.Is(err, explore.ErrBudget) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: %s on %s: %w", e.Name, m.Name, inst.Name, err)
	}
	return true, nil
}
