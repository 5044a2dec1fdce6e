package linear

import (
	"fmt"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
)

// Phases is what policies share that work in phases, each a design for the
// differences of the items still active, rounded to whole pulls.
type Phases struct {
	prob      *explore.Problem
	Model     Model
	Survivors Survivors

	Pairs  *design.PairsCriterion
	Design *design.Design
	solved int // number of active items that d is for; the sets are nested
	Phase  int // the phase, from 1
	Counts []int
	Warn   []error
}

// Init prepares for prob.
func (p *Phases) Init(prob *explore.Problem) (err error) {
	*p = Phases{prob: prob}
	if err := p.Model.Init(prob); err != nil {
		return err
	}
	p.Survivors.Start(&p.Model)
	p.Pairs, err = design.NewPairs(p.Model.X, p.Model.Z)
	return err
}

// Solve computes the design for the active items, unless they are those of the
// phase before. A design that misses its tolerance is a warning, unless the
// method is one that knows none.
func (p *Phases) Solve(name string, o *design.Options) error {
	if p.solved == len(p.Survivors.Active) {
		return nil
	}
	p.Pairs.Keep(p.Survivors.Active)
	d, err := p.Pairs.Solve(o)
	if d == nil {
		return err
	}
	if err != nil && o.Method == design.Certified {
		p.Warn = append(p.Warn, fmt.Errorf("policy: %s, phase %d: %w", name, p.Phase, d.Warning(err)))
	}
	p.Design, p.solved = d, len(p.Survivors.Active)
	return nil
}

// Least returns the least number of pulls for which rounding the design costs at
// most a fraction eps: twice its support over eps (Pukelsheim and Rieder 1992; RAGE
// paper, Proposition 2).
func (p *Phases) Least(eps float64) int {
	return Ceil(2 * float64(len(p.Design.Support())) / eps)
}

// Round sets counts to want pulls in the proportions of the design, but at least
// to the least for which rounding costs at most a fraction eps.
func (p *Phases) Round(want, eps float64) error {
	if want > MostPulls {
		return p.Survivors.Tied(p.prob, want)
	}
	n := max(Ceil(want), p.Least(eps))
	a, err := design.Round(p.Pairs, p.Design.Weights, n, design.Efficient)
	if err != nil {
		return err
	}
	p.Counts = a.Counts
	return nil
}

// Ask appends the pulls of the phase, which plan sets when it begins.
func (p *Phases) Ask(dst []explore.Pull, plan func() error) ([]explore.Pull, error) {
	if p.Survivors.Over {
		return dst, nil
	}
	if p.Counts == nil {
		p.Phase++
		if err := plan(); err != nil {
			return dst, err
		}
	}
	return Allocation(dst, p.Counts), nil
}

// Tell takes the rewards of a phase that uses no others, and eliminates items
// with half-widths of width times the norm of a difference.
func (p *Phases) Tell(obs []explore.Batch, width float64) error {
	if err := p.Survivors.tell(obs); err != nil {
		return err
	}
	p.Survivors.update(width, obs)
	p.Counts = nil
	return nil
}

// Active returns the number of distinct items still active.
func (p *Phases) Active() int { return len(p.Survivors.Active) }
