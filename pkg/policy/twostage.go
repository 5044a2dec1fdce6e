package policy

import (
	"math/rand/v2"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/policy/internal/goodenough"
	"github.com/purexp/purexp/pkg/policy/internal/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

var _ explore.Open = (*TwoStage)(nil)

// TwoStage first finds the feasible arms by MD-APT, then their Pareto set by
// APE: the baseline A-A of the e-cAPE paper (section 5).
//
// Question and assumptions are those of [ECAPE], whose guarantee it shares, but
// for the number of pulls: it certifies the feasibility of every arm, also of
// those that are clearly dominated, at a cost of order HPSI + HF
// (complexity.CStar).
//
// Tolerances, known values and half-widths that adapt to variances: as in
// docs/good-enough.md, with its stopping rule, whose intervals hold for both stages at once.
//
// Deviations from the paper: it says that the stages have "the same confidence
// bonuses", that is, each has all of Delta, and errors add up; the default here
// gives half to each. The second stage keeps the samples of the first, as the
// radii hold for all times.
//
// Cost: that of [MDAPT] and [APE].
type TwoStage struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii. Nil means radius.Theory{}.
	Radius radius.Radius
	// WholeDelta gives all of Delta to each stage, as the paper does: errors
	// are then bounded by 2 Delta.
	WholeDelta bool

	opening
	state    constrained.State // its pairs are kept from the second stage on
	search   pareto.Search
	stage    int
	feasible []int // feasible arms found by the first stage

	loose *goodenough.State // nil where everything is measured and the answer is exact
}

// Card implements explore.Carded.
func (p *TwoStage) Card() explore.Card {
	return byRadius(p.Radius, radius.Theory{}, explore.Card{
		Name:      "MD-APT+APE",
		Answers:   []explore.Question{question.FeasiblePareto{}, question.Pareto{}},
		Certifies: explore.CertifiesAmounts,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.IndependentObjectives{}},
		Uses:      lenientUses(p.Radius),
		Bound:     "pulls of order (HPSI + HF) log",
		Source:    "Kone, Kaufmann, Richert 2025, section 5, a baseline: MD-APT, then APE",
		Key:       "kone2025constrained",
	})
}

// String returns the name with the settings.
func (p *TwoStage) String() string {
	s := describe("MD-APT+APE", p.Delta, p.Radius)
	if p.WholeDelta {
		s += ", whole delta in each stage"
	}
	return s
}

// Init implements explore.Policy.
func (p *TwoStage) Init(prob *explore.Problem, _ rand.Source) error {
	p.opens(p, prob, nil)
	delta, r, err := confidence(p.Delta, p.Radius)
	if err != nil {
		return err
	}
	if !p.WholeDelta {
		delta /= 2
	}
	if p.loose, err = lenient(p.loose, prob, p.Delta, p.Radius); err != nil || p.loose != nil {
		return err
	}
	region, err := constrained.Region(prob)
	if err != nil {
		return err
	}
	p.state.Init(prob, region, arms.Bind(r, prob, delta))
	p.stage, p.feasible = 1, p.feasible[:0]
	return nil
}

// Ask implements explore.Policy.
func (p *TwoStage) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.loose != nil {
		return p.askLoose(dst)
	}
	c, from := &p.state, len(dst)
	if c.Pulls == 0 {
		return arms.Sweep(dst, p.state.K), nil
	}
	if p.stage == 1 {
		if i := p.state.Uncertain(); i >= 0 {
			return patience.Extend(append(dst, explore.Pull{Arm: i, N: 1}), from, c.Pulls,
				c.Prob, p)
		}
		p.stage = 2
		for i, in := range p.state.Feasibility.Inside {
			if in {
				p.feasible = append(p.feasible, i)
			}
		}
		if len(p.feasible) > 0 {
			p.search.Init(&p.state.Estimates, p.feasible, question.Pareto{}, pareto.Rules{})
			p.search.Update(nil)
		}
	}
	if len(p.feasible) == 0 {
		return dst, nil
	}
	return patience.Extend(p.search.Ask(dst), from, c.Pulls, c.Prob, p)
}

// askLoose is Ask where a good enough answer is enough: feasibility first, as in Ask, then what
// APE does, by intervals that hold at once for both stages.
func (p *TwoStage) askLoose(dst []explore.Pull) ([]explore.Pull, error) {
	s, from := p.loose, len(dst)
	if s.Pulls > 0 {
		if i := s.Uncertain(); i >= 0 {
			return patience.Extend(append(dst, explore.Pull{Arm: i, N: 1}), from, s.Pulls, s.Prob,
				p)
		}
	}
	return leaderFirst(dst, s, p)
}

// Tell implements explore.Policy.
func (p *TwoStage) Tell(obs []explore.Batch) error {
	if p.loose != nil {
		p.loose.Tell(obs)
		return nil
	}
	if p.stage == 1 {
		p.state.Observe(obs)
		return nil
	}
	p.state.Estimates.Tell(obs)
	p.state.Factor, _ = p.state.Bonus.Factors(p.state.Pulls)
	p.search.Update(obs)
	return nil
}

// Answer implements explore.Policy.
func (p *TwoStage) Answer() explore.Answer {
	if p.loose != nil {
		return p.loose.Answer()
	}
	if p.stage == 1 {
		// The Pareto set of the arms that look feasible is the best guess.
		return p.state.Snapshot().Answer()
	}
	a := explore.Answer{Reasons: arms.Undecided(p.state.K)}
	for i := range a.Reasons {
		r := &a.Reasons[i]
		p.state.Feasibility.Slack(r, i)
		if !slices.Contains(p.feasible, i) {
			r.Class = explore.Infeasible
		}
	}
	if len(p.feasible) > 0 {
		a.Items = p.search.Recommend()
		p.search.Explain(a.Reasons, a.Items)
	}
	return a
}
