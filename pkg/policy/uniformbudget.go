package policy

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/pareto"
	"github.com/purexp/purexp/pkg/question"
)

// UniformBudget pulls all arms equally often and answers with the Pareto set of
// the estimates: the uniform baseline of Kone, Kaufmann and Richert, "Bandit
// Pareto Set Identification: the Fixed Budget Setting", AISTATS 2024.
//
// Question: the Pareto set of the arms. Fixed budget. Features are ignored, or
// used by least squares if Linear is set, which makes a much stronger baseline.
//
// Assumptions: with Linear, the means are linear in the features in each
// objective.
//
// Guarantee: an error probability that decreases exponentially in T gap^2/(K
// sigma^2), for budget T and the smallest gap. It is not certified at run time:
// answers come without reasons.
//
// Deviations from the paper: none.
//
// One round of floor(T/K) pulls of every arm, and one more of each of the first
// T mod K. Cost: O(K p d), p the arms that look optimal.
type UniformBudget struct {
	// Budget is T, the number of pulls: at least K.
	Budget int
	// Linear estimates the means by least squares. Without features it changes
	// nothing.
	Linear bool

	outputs pareto.Outputs
}

// Card implements explore.Carded.
func (*UniformBudget) Card() explore.Card {
	return explore.Card{
		Name:     "Uniform, fixed budget",
		Answers:  []explore.Question{question.Pareto{}},
		Kind:     explore.FixedBudget,
		Needs:    []explore.Need{explore.SubGaussian{}},
		Evidence: explore.OwnRounds,
		Uses:     explore.UsesFeatures,
		Bound:    "error decreases exponentially in T gap²/(sigma² K)",
		Source:   "Kone, Kaufmann, Richert 2024, a baseline",
		Key:      "kone2024fixed",
	}
}

// String returns the name with the settings.
func (p *UniformBudget) String() string {
	name := "Uniform"
	if p.Linear {
		name += ", least squares"
	}
	return label(name, withBudget(p.Budget))
}

// Init implements explore.Policy.
func (p *UniformBudget) Init(prob *explore.Problem, _ rand.Source) error {
	if err := p.outputs.Init(prob, p.Linear); err != nil {
		return err
	}
	if !p.outputs.Over && p.Budget < p.outputs.Model.K {
		return budgetError("UniformBudget", p.Budget, p.outputs.Model.K)
	}
	return nil
}

// Ask implements explore.Policy.
func (p *UniformBudget) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.outputs.Over {
		return dst, nil
	}
	k := p.outputs.Model.K
	for i := range k {
		n := p.Budget / k
		if i < p.Budget%k {
			n++
		}
		dst = append(dst, explore.Pull{Arm: i, N: n})
	}
	return dst, nil
}

// Tell implements explore.Policy.
func (p *UniformBudget) Tell(obs []explore.Batch) error {
	p.outputs.Add(obs)
	if p.outputs.Fit == nil {
		p.outputs.Averages()
	} else if err := p.outputs.LeastSquares(); err != nil {
		return err
	}
	p.outputs.Classify(nil)
	copy(p.outputs.Optimal, p.outputs.InS)
	p.outputs.Active, p.outputs.Over = p.outputs.Active[:0], true
	return nil
}

// Answer implements explore.Policy.
func (p *UniformBudget) Answer() explore.Answer { return p.outputs.Answer() }
