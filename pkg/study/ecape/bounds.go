package ecape

import (
	"fmt"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/tidy"
)

// bound is what makes an instance hard.
type bound struct {
	inst  *bandit.Instance
	cStar complexity.CStar
	// setOnly is T* of the set alone, explained T*_M of the set with reasons.
	setOnly, explained *complexity.TStar
}

// tolerance is the relative width of the brackets of characteristic times.
const tolerance = 1e-4

// newBound computes the bounds of an instance.
func newBound(inst *bandit.Instance) (bound, error) {
	b := bound{inst: inst, cStar: cStar(inst)}
	p := inst.Problem
	q := p.Question.(question.FeasiblePareto)
	cov := covariance(p.D(), p.Sigma)
	for _, c := range []struct {
		setOnly bool
		t       **complexity.TStar
	}{{true, &b.setOnly}, {false, &b.explained}} {
		q.SetOnly = c.setOnly
		t, err := complexity.NewTStar(q, inst.Truth(), cov, tolerance)
		if err != nil {
			return b, fmt.Errorf("ecape: %s: %w", inst.Name, err)
		}
		*c.t = t
	}
	return b, nil
}

// Names of the lower bounds T* kl(delta, 1 - delta). With reasons several answers
// may be right, and the bound is asymptotic (paper, Proposition 3.4).
const (
	boundSet       = "lower bound, set"
	boundExplained = "lower bound, explained (delta to 0)"
)

// bounds returns the bounds of all instances.
func (e Experiment) bounds() ([]bound, error) {
	instances, err := e.instances()
	if err != nil {
		return nil, err
	}
	var bs []bound
	for _, inst := range instances {
		b, err := newBound(inst)
		if err != nil {
			return nil, err
		}
		bs = append(bs, b)
	}
	return bs, nil
}

// Bounds returns the complexities of the instances: the paper's C*_M, which
// orders instances up to constants and logarithms, and the characteristic times
// T* (of the set alone, cPSI) and T*_M (with reasons, e-cPSI), which bound the
// number of pulls of every method from below, the latter as delta goes to 0.
func (e Experiment) Bounds() (*tidy.Table, error) {
	t := &tidy.Table{
		Title: "Complexity of the instances: " + e.Title,
		Columns: []tidy.Column{
			{Name: "instance"}, {Name: "arms"}, {Name: "optimal"},
			{Name: "C*", Unit: "pulls"}, {Name: "two-stage", Unit: "pulls"},
			{Name: "T*, set", Unit: "pulls"}, {Name: "T*, explained", Unit: "pulls"}, {Name: "explained / set"}, {Name: "T*, explained, is", Align: tidy.Left},
			{Name: boundSet, Unit: "pulls"}, {Name: boundExplained, Unit: "pulls"},
		},
		Notes: []string{
			"C* is C*_M of the paper, two-stage is HPSI + HF: pulls up to constants and logarithms.",
			fmt.Sprintf("T* are for Gaussian rewards of the same sigma, with independent objectives, certified to %v of their value. A method that is right with probability 1 - delta needs T* kl(delta, 1 - delta) pulls on average: the lower bounds, at delta = %v. With reasons, where several answers may be right, that holds as delta goes to 0 (paper, Proposition 3.4).", tolerance, e.Delta),
		},
	}
	bs, err := e.bounds()
	if err != nil {
		return nil, err
	}
	bernoulli := false
	for _, b := range bs {
		if _, ok := b.inst.Law.(*bandit.Bernoulli); ok {
			bernoulli = true
		}
		how := "exact" // up to the tolerance; with very many arms that are both dominated and infeasible the search may give up
		if !b.explained.Exact {
			how = fmt.Sprintf("at least %.4g", b.explained.Lower)
		}
		t.Rows = append(t.Rows, []any{
			b.inst.Name, b.inst.Problem.K(), names(b.inst, b.cStar.O), b.cStar.Value, b.cStar.HPSI + b.cStar.HF,
			b.setOnly.Upper, b.explained.Upper, fmt.Sprintf("%.3f", b.explained.Upper/b.setOnly.Upper), how,
			b.setOnly.LowerBound(e.Delta), b.explained.LowerBound(e.Delta),
		})
	}
	if bernoulli {
		t.Notes = append(t.Notes, "Bernoulli rewards are told apart at least as fast as Gaussian ones with sigma = 1/2 (Pinsker's inequality): there the lower bound is that of a method that knows sigma only, on Gaussian rewards with these means.")
	}
	return t, nil
}
