package linear

import (
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
)

// Halving is what policies with a fixed budget share: stages of fresh rewards,
// after each of which the items with the smallest estimates go.
type Halving struct {
	Model     Model
	Survivors Survivors
	Stage     int // from 1
	Counts    []int
}

// Init prepares for prob.
func (p *Halving) Init(prob *explore.Problem) error {
	*p = Halving{}
	if err := p.Model.Init(prob); err != nil {
		return err
	}
	p.Survivors.Start(&p.Model)
	return nil
}

// Ask appends the pulls of the stage, which plan puts into counts when it begins.
func (p *Halving) Ask(dst []explore.Pull, plan func() error) ([]explore.Pull, error) {
	if p.Survivors.Over {
		return dst, nil
	}
	if p.Counts == nil {
		p.Stage++
		if err := plan(); err != nil {
			return dst, err
		}
	}
	return Allocation(dst, p.Counts), nil
}

// Tell takes the rewards of a stage and orders the active items by their
// estimates.
func (p *Halving) Tell(obs []explore.Batch) error {
	if err := p.Survivors.tell(obs); err != nil {
		return err
	}
	p.Survivors.estimate()
	p.Counts = nil
	return nil
}

// Keep keeps the n active items with the largest estimates; the last stage ends
// the run.
func (p *Halving) Keep(n int, last bool) {
	p.Survivors.Keep(p.Survivors.Order[:n])
	p.Survivors.Over = last || n == 1
}

// Answer returns the leader. A fixed budget certifies nothing.
func (p *Halving) Answer() explore.Answer {
	if p.Model.known() {
		return p.Survivors.Answer()
	}
	return p.Model.Answer(class(p.Survivors.best), nil)
}

// ActiveDesign returns a G-optimal design for the active items among
// themselves, and the arms that it is on: one for each class of equal arms.
func (p *Halving) ActiveDesign() (c design.Criterion, d *design.Design, arms []int, err error) {
	x := mat.NewDense(len(p.Survivors.Active), p.Model.Rank, nil)
	arms = make([]int, len(p.Survivors.Active))
	for r, i := range p.Survivors.Active {
		x.SetRow(r, p.Model.Item(i))
		arms[r] = p.Model.First[i]
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

// Spread sets counts to numbers of pulls of arms.
func (p *Halving) Spread(arms, n []int) {
	p.Counts = make([]int, p.Model.K)
	for r, a := range arms {
		p.Counts[a] = n[r]
	}
}
