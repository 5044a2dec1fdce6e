package policy

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/epsilonbest"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
)

// KGCB is the knowledge gradient with correlated beliefs (Frazier, Powell and Dayanik, "The
// Knowledge-Gradient Policy for Correlated Normal Beliefs", INFORMS Journal on Computing 2009; with
// linear beliefs Negoescu, Frazier and Powell 2011).
//
// Question: all arms within Epsilon of the best (question.AllEpsilonBest, additive); with Epsilon 0
// the best arm, for which the method was made. Fixed budget.
//
// Assumptions: the means are linear in the features, theta ~ N(0, Prior^2 I) before the first pull,
// rewards are Gaussian of standard deviation Problem.Sigma.
//
// Guarantee: none about errors. The last pull is the one after which the largest mean of the
// belief is largest on average.
//
// Deviations from the paper: arms are chosen by the logarithm of the gradient, which does not
// underflow. Ties go to the lowest index. The answer, as in the LinFACT paper, are all arms whose
// mean in the belief is within Epsilon of the largest one. It certifies nothing.
//
// Cost a pull: O(K^2) if few arms may become the best by one reward, for K arms; no allocation.
type KGCB struct {
	// Budget is the number of pulls. It must be given, and be at least the rank of the features.
	Budget int
	// Prior is the standard deviation of each coordinate of theta, in reward units per feature
	// unit. Zero means 20 Sigma: little is known.
	Prior float64 `label:"prior %v"`

	belief belief
	kg     linear.Gradient
}

// Card implements explore.Carded.
func (*KGCB) Card() explore.Card {
	return explore.Card{
		Name:     "KGCB",
		Answers:  []explore.Question{question.AllEpsilonBest{}},
		Kind:     explore.FixedBudget,
		Needs:    []explore.Need{explore.Gaussian{}, explore.Linear{}},
		Evidence: explore.OwnRounds,
		Uses:     explore.UsesFeatures | explore.UsesRelaxations,
		Bound:    "budget never exceeded; the last pull is the best one on average",
		Source:   "Frazier, Powell, Dayanik 2009; linear beliefs Negoescu, Frazier, Powell 2011",
		Key:      "frazier2009knowledge",
	}
}

// belief is what Bayesian policies with a fixed budget share.
type belief struct {
	*linear.Belief
	prob    *explore.Problem
	epsilon float64
	rank    int
	left    int // pulls
	next    int
}

// init prepares for a problem.
func (b *belief) init(prob *explore.Problem, name string, budget int, prior float64) error {
	epsilon, err := epsilonbest.Additive(prob, name)
	if err != nil {
		return err
	}
	prior = cmp.Or(prior, 20*prob.Sigma)
	if !(prior > 0) || math.IsInf(prior, 1) {
		return fmt.Errorf("policy: %s.Prior is %v; want the standard deviation of a coordinate of "+
			"theta, or 0 for 20 Sigma", name, prior)
	}
	var l linear.Model
	if err := l.Features(prob); err != nil {
		return err
	}
	if err := checkBelief(prob); err != nil {
		return err
	}
	if budget < l.Rank {
		return budgetError(name, budget, l.Rank)
	}
	reg := prob.Sigma / prior
	*b = belief{Belief: newBelief(prob, &l, reg*reg), prob: prob, epsilon: epsilon, rank: l.Rank,
		left: budget}
	if l.N == 1 { // there is nothing to find out
		b.left = 0
	}
	if !b.Solve() {
		return fmt.Errorf("policy: %s.Prior is %v, so large that the belief is singular within "+
			"rounding; want one of the size of theta", name, prior)
	}
	return nil
}

func (b *belief) ask(dst []explore.Pull) []explore.Pull {
	if b.left == 0 {
		return dst
	}
	return append(dst, explore.Pull{Arm: b.next, N: 1})
}

func (b *belief) tell(obs []explore.Batch) {
	for _, o := range obs {
		b.Add(o.Arm, float64(o.N), o.Sum[0])
		b.left -= o.N
	}
}

// answer returns all arms whose mean is within epsilon of the largest.
func (b *belief) answer() explore.Answer {
	best := math.Inf(-1)
	for _, v := range b.Mean {
		best = max(best, v)
	}
	var a explore.Answer
	for i, v := range b.Mean {
		// Arms with the same features have the same mean, but for rounding.
		if v >= best-b.epsilon-1e-12*math.Abs(best) {
			a.Items = append(a.Items, i)
		}
	}
	return a
}

// String returns the name with the settings.
func (p *KGCB) String() string { return named("KGCB", p) }

// Init implements explore.Policy.
func (p *KGCB) Init(prob *explore.Problem, _ rand.Source) error {
	if err := p.belief.init(prob, "KGCB", p.Budget, p.Prior); err != nil {
		return err
	}
	p.choose()
	return nil
}

// Ask implements explore.Policy.
func (p *KGCB) Ask(dst []explore.Pull) ([]explore.Pull, error) { return p.belief.ask(dst), nil }

// Tell implements explore.Policy.
func (p *KGCB) Tell(obs []explore.Batch) error {
	if p.belief.tell(obs); p.belief.left > 0 {
		p.choose()
	}
	return nil
}

// choose decides about the next pull.
func (p *KGCB) choose() {
	b, most := &p.belief, math.Inf(-1)
	b.next = 0
	for k := range b.K {
		row := b.Row(k)
		// A reward of arm k moves the means by sigma C_k / sqrt(1 + C_kk) Z.
		scale := b.prob.Sigma / math.Sqrt(1+row[k])
		if v := p.kg.Log(b.Mean, row, scale); v > most {
			b.next, most = k, v
		}
	}
}

// Answer implements explore.Policy.
func (p *KGCB) Answer() explore.Answer { return p.belief.answer() }
