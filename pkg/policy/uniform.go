package policy

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// Uniform pulls the arms in turn until e-cAPE's stopping rule holds: the
// baseline U of the e-cAPE paper (section 5).
//
// Question, assumptions and guarantee are those of [ECAPE], but for the number
// of pulls: K times that of the hardest arm.
//
// Tolerances, known values and half-widths that adapt to variances: as in
// docs/good-enough.md, with its stopping rule.
//
// Deviations from the paper: it leaves open whether the rule is tested after
// every pull; here it is tested after every sweep over the arms, which costs at
// most K - 1 pulls.
//
// Cost: O(K^2 d) a sweep of K pulls, no allocation.
type Uniform struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii. Nil means radius.Theory{}.
	Radius radius.Radius

	ruled
	exact uniform
}

// Card implements explore.Carded.
func (p *Uniform) Card() explore.Card {
	return byRadius(orTheory(p.Radius), explore.Card{
		Name: "Uniform",
		Answers: []explore.Question{question.FeasiblePareto{}, question.Pareto{},
			question.BestFeasible{}},
		Certifies: explore.CertifiesAmounts,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.IndependentObjectives{}},
		Uses:      tolerantUses(p.Radius),
		Source:    "Kone, Kaufmann, Richert 2025, section 5, a baseline",
		Key:       "kone2025constrained",
	})
}

// String returns the name with the settings.
func (p *Uniform) String() string { return named("Uniform", p, orTheory(p.Radius)) }

// Init implements explore.Policy.
func (p *Uniform) Init(prob *explore.Problem, _ rand.Source) error {
	exact, err := p.chooseRule(p, prob, p.Delta, p.Radius, &p.exact, allArms)
	if err != nil || !exact {
		return err
	}
	return startConstrained(&p.exact.State, prob, p.Delta, p.Radius)
}

// uniform is the baseline as in the paper.
type uniform struct{ constrained.State }

func (c *uniform) round(dst []explore.Pull) []explore.Pull {
	if c.Pulls > 0 && c.Check() < 0 {
		return dst
	}
	return arms.Sweep(dst, c.K)
}
