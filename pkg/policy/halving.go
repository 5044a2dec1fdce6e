package policy

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
)

// halving is what policies with a fixed budget share: stages of fresh rewards,
// after each of which the items with the smallest estimates go.
type halving struct {
	l      linear
	s      survivors
	stage  int // from 1
	counts []int
}

func (p *halving) init(prob *explore.Problem) error {
	*p = halving{}
	if err := p.l.init(prob); err != nil {
		return err
	}
	p.s.start(&p.l)
	return nil
}

// arms fails unless the items are the arms.
func arms(prob *explore.Problem, name string) error {
	if prob.Z != nil {
		return fmt.Errorf("policy: %s measures the items themselves; this problem has items that are not its arms (Z): %w", name, explore.ErrQuestion)
	}
	return nil
}

// ask appends the pulls of the stage, which plan puts into counts when it begins.
func (p *halving) ask(dst []explore.Pull, plan func() error) ([]explore.Pull, error) {
	if p.s.over {
		return dst, nil
	}
	if p.counts == nil {
		p.stage++
		if err := plan(); err != nil {
			return dst, err
		}
	}
	return allocation(dst, p.counts), nil
}

// tell takes the rewards of a stage and orders the active items by their
// estimates.
func (p *halving) tell(obs []explore.Batch) error {
	if err := p.s.tell(obs); err != nil {
		return err
	}
	p.s.estimate()
	p.counts = nil
	return nil
}

// keep keeps the n active items with the largest estimates; the last stage ends
// the run.
func (p *halving) keep(n int, last bool) {
	p.s.keep(p.s.order[:n])
	p.s.over = last || n == 1
}

// Answer returns the leader. A fixed budget certifies nothing.
func (p *halving) Answer() explore.Answer {
	if p.l.known() {
		return p.s.Answer()
	}
	return p.l.answer(p.s.best, nil)
}

// activeDesign returns a G-optimal design for the active items among
// themselves, and the arms that it is on: one for each class of equal arms.
func (p *halving) activeDesign() (c design.Criterion, d *design.Design, arms []int, err error) {
	x := mat.NewDense(len(p.s.active), p.l.m, nil)
	arms = make([]int, len(p.s.active))
	for r, i := range p.s.active {
		x.SetRow(r, p.l.item(i))
		arms[r] = p.l.first[i]
	}
	g, err := design.NewG(x)
	if err != nil {
		return nil, nil, nil, err
	}
	if d, err = g.Solve(nil); d == nil {
		return nil, nil, nil, err
	}
	return g, d, arms, nil // a gap costs accuracy, not the budget
}

// spread sets counts to numbers of pulls of arms.
func (p *halving) spread(arms, n []int) {
	p.counts = make([]int, p.l.k)
	for r, a := range arms {
		p.counts[a] = n[r]
	}
}

// budgetError says that a budget is too small.
func budgetError(name string, budget, least int) error {
	return tooSmall{fmt.Sprintf("policy: %s.Budget is %d; this problem needs at least %d pulls", name, budget, least)}
}

// tooSmall is an explore.ErrBudget that says what is enough.
type tooSmall struct{ text string }

func (t tooSmall) Error() string { return t.text }
func (tooSmall) Unwrap() error   { return explore.ErrBudget }
