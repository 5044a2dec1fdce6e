package policy

import (
	"fmt"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
)

// phased is what policies share that work in phases, each a design for the
// differences of the items still active, rounded to whole pulls.
type phased struct {
	prob *explore.Problem
	l    linear
	s    survivors

	pairs  *design.PairsCriterion
	d      *design.Design
	solved int // number of active items that d is for; the sets are nested
	t      int // the phase, from 1
	counts []int
	warn   []error
}

func (p *phased) init(prob *explore.Problem) (err error) {
	*p = phased{prob: prob}
	if err := p.l.init(prob); err != nil {
		return err
	}
	p.s.start(&p.l)
	p.pairs, err = design.NewPairs(p.l.x, p.l.z)
	return err
}

// design computes the design for the active items, unless they are those of the
// phase before. A design that misses its tolerance is a warning, unless the
// method is one that knows none.
func (p *phased) design(name string, o *design.Options) error {
	if p.solved == len(p.s.active) {
		return nil
	}
	p.pairs.Keep(p.s.active)
	d, err := p.pairs.Solve(o)
	if d == nil {
		return err
	}
	if err != nil && o.Method == design.Certified {
		p.warn = append(p.warn, fmt.Errorf("policy: %s, phase %d: the design may need %.3g %% more pulls than the best one: %w", name, p.t, 100*d.Gap(), err))
	}
	p.d, p.solved = d, len(p.s.active)
	return nil
}

// round sets counts to want pulls in the proportions of the design, but at least
// to twice its support over eps, so that rounding costs at most a fraction eps
// (Pukelsheim and Rieder 1992; RAGE paper, Proposition 2).
func (p *phased) round(want, eps float64) error {
	if want > mostPulls {
		return p.s.tied(p.prob, want)
	}
	least := ceil(2 * float64(len(p.d.Support())) / eps)
	a, err := design.Round(p.pairs, p.d.Weights, max(ceil(want), least), design.Efficient)
	if err != nil {
		return err
	}
	p.counts = a.Counts
	return nil
}

// ask appends the pulls of the phase, which plan sets when it begins.
func (p *phased) ask(dst []explore.Pull, plan func() error) ([]explore.Pull, error) {
	if p.s.over {
		return dst, nil
	}
	if p.counts == nil {
		p.t++
		if err := plan(); err != nil {
			return dst, err
		}
	}
	return allocation(dst, p.counts), nil
}

// tell takes the rewards of a phase that uses no others, and eliminates items
// with half-widths of width times the norm of a difference.
func (p *phased) tell(obs []explore.Batch, width float64) error {
	if err := p.s.tell(obs); err != nil {
		return err
	}
	p.s.update(width)
	p.counts = nil
	return nil
}

// active returns the number of distinct items still active.
func (p *phased) active() int { return len(p.s.active) }
