package policy

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/policy/internal/goodenough"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

var _ explore.Open = (*Uniform)(nil)

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

	opening
	state constrained.State
	loose *goodenough.State // nil where everything is measured and the answer is exact
}

// Card implements explore.Carded.
func (p *Uniform) Card() explore.Card {
	return byRadius(p.Radius, radius.Theory{}, explore.Card{
		Name:      "Uniform",
		Answers:   []explore.Question{question.FeasiblePareto{}, question.Pareto{}},
		Certifies: explore.CertifiesAmounts,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.IndependentObjectives{}},
		Uses:      lenientUses(p.Radius),
		Source:    "Kone, Kaufmann, Richert 2025, section 5, a baseline",
		Key:       "kone2025constrained",
	})
}

// String returns the name with the settings.
func (p *Uniform) String() string { return describe("Uniform", p.Delta, p.Radius) }

// Init implements explore.Policy.
func (p *Uniform) Init(prob *explore.Problem, _ rand.Source) (err error) {
	p.opens(p, prob, nil)
	if p.loose, err = lenient(p.loose, prob, p.Delta, p.Radius); err != nil || p.loose != nil {
		return err
	}
	return startConstrained(&p.state, prob, p.Delta, p.Radius)
}

// Ask implements explore.Policy.
func (p *Uniform) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	from := len(dst)
	if s := p.loose; s != nil {
		if s.Check() < 0 {
			return dst, nil
		}
		return patience.Extend(s.Sweep(dst), from, s.Pulls, s.Prob, p)
	}
	if p.state.Pulls > 0 && p.state.Check() < 0 {
		return dst, nil
	}
	return patience.Extend(arms.Sweep(dst, p.state.K), from, p.state.Pulls, p.state.Prob, p)
}

// Tell implements explore.Policy.
func (p *Uniform) Tell(obs []explore.Batch) error {
	if p.loose != nil {
		p.loose.Tell(obs)
		return nil
	}
	p.state.Tell(obs)
	return nil
}

// Answer implements explore.Policy.
func (p *Uniform) Answer() explore.Answer {
	if p.loose != nil {
		return p.loose.Answer()
	}
	return p.state.Answer()
}
