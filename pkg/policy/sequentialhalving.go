package policy

import (
	"math/bits"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

var _ explore.Policy = (*SequentialHalving)(nil)

// SequentialHalving is sequential halving (Karnin, Koren and Somekh, "Almost Optimal Exploration in
// Multi-Armed Bandits", ICML 2013, Algorithm 2).
//
// Question: the best arm (question.Best), whose features, if there are any, are not used; an exact
// answer serves every Epsilon. Fixed budget.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma.
//
// Guarantee: the error probability is at most 3 log2(K) exp(-T/(32 sigma^2 log2(K) H2)) for budget T,
// H2 the largest i/gap_i^2; the paper's Theorem 4.1 is that of rewards in [0, 1], where sigma is 1/2.
// Nothing is certified at run time.
//
// Deviations from the paper: none in the analysed form, in which each round goes by its own rewards;
// Cumulative goes by all. Ties go to the lower index.
//
// ceil(log2 K) rounds, each with floor(T/(A ceil(log2 K))) pulls of every one of A active arms, after
// which the half with the larger means, rounded up, stays. The budget is never exceeded.
type SequentialHalving struct {
	// Budget is T, the number of pulls: at least K ceil(log2 K).
	Budget int
	// Cumulative estimates means from the rewards of all rounds.
	Cumulative bool `label:"cumulative"`

	rejects rejects
	rounds  int
}

// Card implements explore.Carded.
func (*SequentialHalving) Card() explore.Card {
	return explore.Card{
		Name:     "Sequential halving",
		Answers:  []explore.Question{question.Best{}},
		Kind:     explore.FixedBudget,
		Needs:    []explore.Need{explore.SubGaussian{}},
		Evidence: explore.OwnRounds,
		Bound:    "error decreases exponentially in T/(sigma² H2 log K)",
		Source:   "Karnin, Koren, Somekh 2013, Algorithm 2",
		Key:      "karnin2013almost",
	}
}

// String returns the name with the settings.
func (p *SequentialHalving) String() string { return named("sequential halving", p) }

// Init implements explore.Policy.
func (p *SequentialHalving) Init(prob *explore.Problem, _ rand.Source) error {
	if err := p.rejects.start(prob, "SequentialHalving"); err != nil {
		return err
	}
	k := p.rejects.K
	p.rounds = bits.Len(uint(k - 1))
	if least := k * p.rounds; p.Budget < least {
		return budgetError("SequentialHalving", p.Budget, least)
	}
	return nil
}

// Ask implements explore.Policy.
func (p *SequentialHalving) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.rounds == 0 {
		return dst, nil // one arm
	}
	return p.rejects.each(dst, p.Budget/(len(p.rejects.active)*p.rounds)), nil
}

// Tell implements explore.Policy.
func (p *SequentialHalving) Tell(obs []explore.Batch) error {
	r := &p.rejects
	if !p.Cumulative {
		r.Init(r.Prob)
	}
	r.Tell(obs)
	r.keep((len(r.active) + 1) / 2)
	return nil
}

// Answer implements explore.Policy.
func (p *SequentialHalving) Answer() explore.Answer { return p.rejects.Answer() }
