package policy

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
)

// ODLinBAI is OD-LinBAI (Yang and Tan, "Minimax Optimal Fixed-Budget Best Arm
// Identification in Linear Bandits", NeurIPS 2022, Algorithm 1).
//
// Question: the best arm of a linear model. Fixed budget; items are the arms.
//
// Assumptions: the means are linear in the features, rewards are sub-Gaussian of
// scale Problem.Sigma.
//
// Guarantee: the error probability is at most (4 K/m + 3 log2 m) exp(-T'/(16
// sigma^2 H2lin)), T' about T/log2 m for budget T and rank m, H2lin = max over 2 <= i
// <= m of i/gap_i^2: the number of arms matters inside the polynomial factor
// only. It is not certified at run time: answers come without reasons.
//
// Deviations from the paper: the budget a round is rounded down to whole pulls;
// arms on one line (m = 1) are measured at the longest.
//
// ceil(log2 m) rounds, each a G-optimal design among the arms still in, after
// which half as many remain as there were dimensions. Cost a round: one design.
// The budget is never exceeded.
type ODLinBAI struct {
	// Budget is T, the number of pulls.
	Budget int

	halving linear.Halving
	rounds  int // R
	each    int // m of the paper: the pulls of a round, before rounding up
}

// Card implements explore.Carded.
func (*ODLinBAI) Card() explore.Card {
	return explore.Card{
		Name:     "OD-LinBAI",
		Answers:  []explore.Question{question.Best{}},
		Kind:     explore.FixedBudget,
		Needs:    []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Evidence: explore.OwnRounds,
		Uses:     explore.UsesFeatures,
		Bound:    "error decreases exponentially in T/(H2lin log m)",
		Source:   "Yang, Tan 2022",
		Key:      "yang2022minimax",
	}
}

// String returns the name with the budget.
func (p *ODLinBAI) String() string { return named("OD-LinBAI", p) }

// Init implements explore.Policy.
func (p *ODLinBAI) Init(prob *explore.Problem, _ rand.Source) error {
	if err := measurable(prob, "ODLinBAI"); err != nil {
		return err
	}
	if err := p.halving.Init(prob); err != nil {
		return err
	}
	m := p.halving.Model.Rank
	// Rounds, and the pulls that rounding up may add to them.
	p.rounds = max(1, bits.Len(uint(m-1)))
	spare := min(p.halving.Model.N, m*(m+1)/2)
	for r := 1; r < p.rounds; r++ {
		spare += linear.CeilShift(m, r)
	}
	// A round must be able to pull: at least one each.
	if p.each = (p.Budget - spare) / p.rounds; p.each < 1 && !p.halving.Survivors.Over {
		return budgetError("ODLinBAI", p.Budget, spare+p.rounds)
	}
	return nil
}

// Answer implements explore.Policy.
func (p *ODLinBAI) Answer() explore.Answer { return p.halving.Answer() }

// Ask implements explore.Policy.
func (p *ODLinBAI) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.halving.Ask(dst, p.plan)
}

func (p *ODLinBAI) plan() error {
	_, d, arms, err := p.halving.ActiveDesign()
	if err != nil {
		return err
	}
	n := make([]int, len(arms))
	for i, w := range d.Weights {
		n[i] = int(math.Ceil(float64(p.each) * w))
	}
	p.halving.Spread(arms, n)
	return nil
}

// Tell implements explore.Policy.
func (p *ODLinBAI) Tell(obs []explore.Batch) error {
	if err := p.halving.Tell(obs); err != nil {
		return err
	}
	keep := min(linear.CeilShift(p.halving.Model.Rank, p.halving.Stage),
		len(p.halving.Survivors.Active))
	p.halving.Keep(keep, p.halving.Stage == p.rounds)
	return nil
}
