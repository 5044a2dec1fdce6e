package policy

import (
	"math/rand/v2"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/policy/internal/pareto"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

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
	WholeDelta bool `label:"whole delta in each stage"`

	ruled
	exact twoStages
}

// Card implements explore.Carded.
func (p *TwoStage) Card() explore.Card {
	return byRadius(orTheory(p.Radius), explore.Card{
		Name: "MD-APT+APE",
		Answers: []explore.Question{question.FeasiblePareto{}, question.Pareto{},
			question.BestFeasible{}},
		Certifies: explore.CertifiesAmounts,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.IndependentObjectives{}},
		Uses:      tolerantUses(p.Radius),
		Bound:     "pulls of order (HPSI + HF) log",
		Source:    "Kone, Kaufmann, Richert 2025, section 5, a baseline: MD-APT, then APE",
		Key:       "kone2025constrained",
	})
}

// String returns the name with the settings.
func (p *TwoStage) String() string { return named("MD-APT+APE", p, orTheory(p.Radius)) }

// Init implements explore.Policy.
func (p *TwoStage) Init(prob *explore.Problem, _ rand.Source) error {
	exact, err := p.chooseRule(p, prob, p.Delta, p.Radius, &p.exact, feasibilityFirst)
	if err != nil || !exact {
		return err
	}
	delta, r, err := confidence(p.Delta, p.Radius)
	if err != nil {
		return err
	}
	if !p.WholeDelta {
		delta /= 2
	}
	region, err := constrained.Region(prob)
	if err != nil {
		return err
	}
	p.exact.State.Init(prob, region, arms.Bind(r, prob, delta))
	p.exact.stage, p.exact.feasible = 1, p.exact.feasible[:0]
	return nil
}

// twoStages is MD-APT and then APE, as in the paper.
type twoStages struct {
	constrained.State // its pairs are kept from the second stage on
	search            pareto.Search
	stage             int
	feasible          []int // feasible arms found by the first stage
}

func (p *twoStages) round(dst []explore.Pull) []explore.Pull {
	if p.Pulls == 0 {
		return arms.Sweep(dst, p.K)
	}
	if p.stage == 1 {
		if i := p.Uncertain(); i >= 0 {
			return append(dst, explore.Pull{Arm: i, N: 1})
		}
		p.stage = 2
		for i, in := range p.Feasibility.Inside {
			if in {
				p.feasible = append(p.feasible, i)
			}
		}
		if len(p.feasible) > 0 {
			p.search.Init(&p.Estimates, p.feasible, question.Pareto{}, pareto.Rules{})
			p.search.Update(nil)
		}
	}
	if len(p.feasible) == 0 {
		return dst
	}
	return p.search.Ask(dst)
}

// Tell takes measurements in.
func (p *twoStages) Tell(obs []explore.Batch) {
	if p.stage == 1 {
		p.Observe(obs)
		return
	}
	p.Estimates.Tell(obs)
	p.Factor, _ = p.Bonus.Factors(p.Pulls)
	p.search.Update(obs)
}

// Answer returns the arms found.
func (p *twoStages) Answer() explore.Answer {
	if p.stage == 1 {
		// The Pareto set of the arms that look feasible is the best guess.
		return p.Snapshot().Answer()
	}
	a := explore.Answer{Reasons: arms.Undecided(p.K)}
	for i := range a.Reasons {
		r := &a.Reasons[i]
		p.Feasibility.Slack(r, i)
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
