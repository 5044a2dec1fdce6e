package policy

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

var _ explore.Policy = (*SuccessiveRejects)(nil)

// SuccessiveRejects is successive rejects (Audibert, Bubeck and Munos, "Best Arm Identification in
// Multi-Armed Bandits", COLT 2010, Fig. 3).
//
// Question: the best arm (question.Best), whose features, if there are any, are not used; an exact
// answer serves every Epsilon. Fixed budget.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma.
//
// Guarantee: the error probability is at most K (K-1)/2 exp(-(T - K)/(4 sigma^2 logbar(K) H2)) for
// budget T, H2 the largest i/gap_i^2 and logbar(K) = 1/2 + sum_{i=2}^K 1/i; the paper's Theorem 2 is
// that of rewards in [0, 1], where sigma is 1/2. Nothing is certified at run time.
//
// Deviations from the paper: none. Ties go to the lower index.
//
// K - 1 stages; after stage k each active arm has ceil((T - K)/(logbar(K) (K + 1 - k))) rewards, and
// the one with the smallest mean is rejected. The budget is never exceeded.
type SuccessiveRejects struct {
	// Budget is T, the number of pulls: above K.
	Budget int

	rejects rejects
	logbar  float64
	stage   int // from 1
	before  int // rewards of each active arm
}

// Card implements explore.Carded.
func (*SuccessiveRejects) Card() explore.Card {
	return explore.Card{
		Name:     "Successive rejects",
		Answers:  []explore.Question{question.Best{}},
		Kind:     explore.FixedBudget,
		Needs:    []explore.Need{explore.SubGaussian{}},
		Evidence: explore.OwnRounds,
		Bound:    "error decreases exponentially in T/(sigma² H2 log K)",
		Source:   "Audibert, Bubeck, Munos 2010",
		Key:      "audibert2010best",
	}
}

// String returns the name with the budget.
func (p *SuccessiveRejects) String() string { return named("successive rejects", p) }

// Init implements explore.Policy.
func (p *SuccessiveRejects) Init(prob *explore.Problem, _ rand.Source) error {
	if err := p.rejects.start(prob, "SuccessiveRejects"); err != nil {
		return err
	}
	k := p.rejects.K
	if p.stage, p.before = 1, 0; k == 1 {
		return nil
	}
	if p.Budget <= k { // the first stage would have no pulls
		return budgetError("SuccessiveRejects", p.Budget, k+1)
	}
	if p.Budget > largestBudget {
		return fmt.Errorf("policy: SuccessiveRejects.Budget is %d; want at most 2^53 pulls, whose "+
			"shares are reckoned exactly", p.Budget)
	}
	p.logbar = .5
	for i := 2; i <= k; i++ {
		p.logbar += 1 / float64(i)
	}
	return nil
}

// number returns the rewards of each active arm after the stage.
func (p *SuccessiveRejects) number() int {
	k := p.rejects.K
	return int(math.Ceil(float64(p.Budget-k) / (p.logbar * float64(k+1-p.stage))))
}

// Ask implements explore.Policy.
func (p *SuccessiveRejects) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.rejects.each(dst, p.number()-p.before), nil
}

// Tell implements explore.Policy.
func (p *SuccessiveRejects) Tell(obs []explore.Batch) error {
	p.rejects.Tell(obs)
	p.before = p.number()
	// A stage may have the same number as the one before.
	for len(p.rejects.active) > 1 && p.number() == p.before {
		p.rejects.keep(len(p.rejects.active) - 1)
		p.stage++
	}
	return nil
}

// Answer implements explore.Policy.
func (p *SuccessiveRejects) Answer() explore.Answer { return p.rejects.Answer() }
