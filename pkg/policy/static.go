package policy

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
)

// static is what policies share whose proportions are fixed in advance: one
// design, followed in phases of growing length, with a test after each.
//
// Phase t ends at N_t = g + g^2 + ... + g^t pulls for growth g, each term rounded
// up, and arm i has then been pulled ceil(N_t w_i) times: never less than the
// design asks for, and at most its support more in total.
type static struct {
	prob   *explore.Problem
	l      linear
	s      survivors
	d      *design.Design
	growth float64
	pairs  float64 // what the union bound is over
	delta  float64
	t      int
	target float64
	pulled []int // of each arm
	counts []int // of each arm in this phase; nil if it is not planned
	warn   []error
}

// start solves the design for c and prepares the phases.
func (p *static) start(prob *explore.Problem, name string, delta, growth, usual, pairs float64, c design.Criterion, o *design.Options) error {
	if growth == 0 {
		growth = usual
	}
	if !(growth > 1 && growth <= 16) {
		return fmt.Errorf("policy: %s.Growth is %v; want a factor above 1 by which phases grow, at most 16", name, growth)
	}
	if o.Tol < 0 {
		return fmt.Errorf("policy: %s.Tol is %v; want a relative gap, at least 0", name, o.Tol)
	}
	p.prob, p.growth, p.pairs, p.delta = prob, growth, pairs, delta
	p.t, p.target, p.counts, p.warn = 0, 0, nil, nil
	p.pulled = zeroed(p.pulled, p.l.k)
	p.s.start(&p.l)
	if p.s.over {
		return nil
	}
	d, err := c.Solve(o)
	if d == nil {
		return err
	}
	if err != nil && o.Method == design.Certified {
		p.warn = append(p.warn, fmt.Errorf("policy: %s: the design may need %.3g %% more pulls than the best one: %w", name, 100*d.Gap(), err))
	}
	p.d = d
	return nil
}

func (p *static) ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.s.over {
		return dst, nil
	}
	if p.counts == nil {
		if p.target > mostPulls {
			return dst, p.s.tied(p.prob, p.target)
		}
		p.counts = make([]int, p.l.k)
		for total(p.counts) == 0 { // ceilings may already cover a short phase
			p.t++
			p.target += math.Ceil(math.Pow(p.growth, float64(p.t)))
			for i, w := range p.d.Weights {
				p.counts[i] = ceil(p.target*w) - p.pulled[i]
			}
		}
	}
	return allocation(dst, p.counts), nil
}

func (p *static) tell(obs []explore.Batch) error {
	if err := p.s.add(obs); err != nil {
		return err
	}
	for _, b := range obs {
		p.pulled[b.Arm] += b.N
	}
	t := float64(p.t)
	p.s.test(p.l.sigma * math.Sqrt(2*math.Log(2*t*t*p.pairs/p.delta)))
	p.counts = nil
	return nil
}
