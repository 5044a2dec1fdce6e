package policy

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/pareto"
	"github.com/purexp/purexp/pkg/question"
)

// EGESR is EGE-SR, Empirical Gap Elimination by Successive Rejects (Kone, Kaufmann and Richert,
// "Bandit Pareto Set Identification: the Fixed Budget Setting", AISTATS 2024).
//
// Question: the Pareto set of the arms. The exact set is also a right answer for every relaxation
// of question.Pareto. Fixed budget. Features are ignored.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma in each objective.
//
// Guarantee: the error probability is at most exp(-T/(c sigma^2 H2 logbar K)), up to polynomial
// factors. T is the budget, c is a universal constant, H2 is the complexity returned by
// complexity.NewGaps, and logbar K = 1/2 + 1/2 + 1/3 + ... + 1/K. Answers are not certified and
// have no reasons.
//
// Deviations from the paper: none. If arms have the same empirical gap and status, their estimates
// determine which of them is removed.
//
// EGESR has K - 1 stages. After stage r, every active arm has n_r = ceil((T - K)/(logbar K (K + 1 -
// r))) rewards. The active arm with the largest empirical gap is then accepted if it is optimal by
// the estimates, and rejected otherwise. Each stage takes O(A p d) operations for A active arms, p
// of which are optimal by the estimates. For up to a few dozen arms, stages allocate no memory.
// EGESR never exceeds the budget, and may leave a few pulls unused.
type EGESR struct {
	// Budget is T, the number of pulls, which must be at least K + 1.
	Budget int

	outputs pareto.Outputs
	logbar  float64
	stage   int // r, from 1
	before  int // n_{r-1}
}

// Card implements explore.Describer.
func (*EGESR) Card() explore.Card {
	return explore.Card{
		Name:    "EGE-SR",
		Answers: []explore.Question{question.Pareto{}},
		Kind:    explore.FixedBudget,
		Needs:   []explore.Need{explore.SubGaussian{}},
		Bound:   "error decreases exponentially in T/(sigma² H2 log K)",
		Source:  "Kone, Kaufmann, Richert 2024",
		Key:     "kone2024fixed",
	}
}

// String returns the name of the policy, followed by its budget in parentheses.
func (p *EGESR) String() string { return named("EGE-SR", p) }

// Init implements explore.Policy.
func (p *EGESR) Init(prob *explore.Problem, _ rand.Source) error {
	if err := p.outputs.Init(prob, false); err != nil {
		return err
	}
	k := p.outputs.Model.N
	if p.stage, p.before = 1, 0; p.outputs.Over {
		return nil
	}
	if p.Budget <= k { // n_1 would be 0, that is, the first stage would have no rewards
		return budgetError("EGESR", p.Budget, k+1)
	}
	if p.Budget > largestBudget {
		return fmt.Errorf("policy: EGESR.Budget is %d; expected at most 2^53 pulls, the limit of exact "+
			"arithmetic", p.Budget)
	}
	p.logbar = .5
	for i := 2; i <= k; i++ {
		p.logbar += 1 / float64(i)
	}
	return nil
}

// number returns n_r, the number of rewards that each active arm has after the current stage r. The
// rewards of all arms do not exceed the budget T: one arm leaves after each stage r with n_r
// rewards, and the arm that remains has n_(K-1) rewards. Before rounding up, these K numbers sum to
// T - K, and rounding adds less than K.
func (p *EGESR) number() int {
	k := p.outputs.Model.N
	return int(math.Ceil(float64(p.Budget-k) / (p.logbar * float64(k+1-p.stage))))
}

// Ask implements explore.Policy.
func (p *EGESR) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.outputs.Over {
		return dst, nil
	}
	return p.outputs.Each(dst, p.number()-p.before), nil
}

// Tell implements explore.Policy.
func (p *EGESR) Tell(obs []explore.Batch) error {
	p.outputs.Add(obs)
	p.before = p.number()
	p.outputs.Averages()
	// Two consecutive stages may have the same number of rewards per arm.
	for !p.outputs.Over && p.number() == p.before {
		p.outputs.Classify(nil)
		p.outputs.Drop()
		p.stage++
	}
	return nil
}

// Answer implements explore.Policy. Before the end of the last stage, the items are the accepted
// arms, and those active arms that are optimal by the estimates.
func (p *EGESR) Answer() explore.Answer { return p.outputs.Answer() }

// EGESH is EGE-SH, Empirical Gap Elimination by Sequential Halving (Kone, Kaufmann and Richert,
// "Bandit Pareto Set Identification: the Fixed Budget Setting", AISTATS 2024).
//
// Question: the Pareto set of the arms. The exact set is also a right answer for every relaxation
// of question.Pareto. Fixed budget. Features are ignored.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma in each objective.
//
// Guarantee: if Fresh is true, the error probability is at most exp(-T/(288 sigma^2 H2 log2 K) +
// log(2 d (K-1) |S*| log2 K)), as quoted in the GEGE paper. T is the budget, and H2 is the
// complexity returned by complexity.NewGaps. Answers are not certified and have no reasons.
//
// Deviations from the paper: by default, means use the rewards of all stages, as in the authors'
// code. The theorem applies only if Fresh is true. A remaining budget that is too small for another
// round of pulls is not spent.
//
// EGESH has ceil(log2 K) stages. A stage with A active arms pulls each active arm floor(T/(A
// ceil(log2 K))) times. The half of the active arms (rounded up) with the smallest empirical gaps
// stays active. Each of the other arms is accepted if it is optimal by the estimates, and rejected
// otherwise. Each stage takes O(A p d) operations, where p is the number of active arms that are
// optimal by the estimates. For up to a few dozen arms, stages allocate no memory. EGESH never
// exceeds the budget.
type EGESH struct {
	// Budget is T, the number of pulls, which must be at least K ceil(log2 K).
	Budget int
	// If Fresh is true, means are estimated from the rewards of one stage alone, as in the paper's
	// analysis. By default, means use the rewards of all stages, as in the authors' code for the
	// AISTATS paper; the default leads to fewer errors.
	Fresh bool `label:"fresh rewards"`

	outputs pareto.Outputs
	rounds  int
}

// Card implements explore.Describer.
func (*EGESH) Card() explore.Card {
	c := (*EGESR)(nil).Card()
	c.Name = "EGE-SH"
	return c
}

// String returns the name of the policy, followed by its settings.
func (p *EGESH) String() string { return named("EGE-SH", p) }

// Init implements explore.Policy.
func (p *EGESH) Init(prob *explore.Problem, _ rand.Source) error {
	if err := p.outputs.Init(prob, false); err != nil {
		return err
	}
	k := p.outputs.Model.N
	p.rounds = bits.Len(uint(k - 1))
	if least := k * p.rounds; p.Budget < least {
		return budgetError("EGESH", p.Budget, least)
	}
	return nil
}

// Ask implements explore.Policy.
func (p *EGESH) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.outputs.Over {
		return dst, nil
	}
	return p.outputs.Each(dst, p.Budget/(len(p.outputs.Active)*p.rounds)), nil
}

// Tell implements explore.Policy.
func (p *EGESH) Tell(obs []explore.Batch) error {
	if p.Fresh {
		p.outputs.Forget()
	}
	p.outputs.Add(obs)
	p.outputs.Averages()
	p.outputs.Classify(nil)
	p.outputs.Keep((len(p.outputs.Active) + 1) / 2)
	return nil
}

// Answer implements explore.Policy. Before the end of the last stage, the items are the accepted
// arms, and those active arms that are optimal by the estimates.
func (p *EGESH) Answer() explore.Answer { return p.outputs.Answer() }

// UniformBudget pulls all arms equally often and answers with the Pareto set of the estimates.
// UniformBudget is the uniform baseline of Kone, Kaufmann and Richert, "Bandit Pareto Set
// Identification: the Fixed Budget Setting", AISTATS 2024.
//
// Question: the Pareto set of the arms. Fixed budget. Features are ignored unless Linear is true,
// which makes UniformBudget a much stronger baseline.
//
// Assumptions: if Linear is true, the means are linear in the features in each objective.
//
// Guarantee: the error probability decreases exponentially in T gap^2/(K sigma^2), where T is the
// budget and gap is the smallest gap. Answers are not certified and have no reasons.
//
// Deviations from the paper: none.
//
// The single round makes floor(T/K) pulls of every arm, and one more pull of each of the first T
// mod K arms. A run takes O(K p d) operations, where p is the number of arms that are optimal by
// the estimates.
type UniformBudget struct {
	// Budget is T, the number of pulls, which must be at least K.
	Budget int
	// If Linear is true, means are estimated by least squares for a linear model. If arms have no
	// features, Linear has no effect.
	Linear bool

	outputs pareto.Outputs
}

// Card implements explore.Describer.
func (*UniformBudget) Card() explore.Card {
	return explore.Card{
		Name:    "Uniform, fixed budget",
		Answers: []explore.Question{question.Pareto{}},
		Kind:    explore.FixedBudget,
		Needs:   []explore.Need{explore.SubGaussian{}},
		Uses:    explore.UsesFeatures,
		Bound:   "error decreases exponentially in T gap²/(sigma² K)",
		Source:  "Kone, Kaufmann, Richert 2024, a baseline",
		Key:     "kone2024fixed",
	}
}

// String returns the name of the policy, followed by its settings.
func (p *UniformBudget) String() string {
	name := "Uniform"
	if p.Linear {
		name += ", least squares"
	}
	return named(name, p)
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
