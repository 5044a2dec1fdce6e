package policy

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/epsilonbest"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
)

// BayesGap is the gap-based method of Hoffman, Shahriari and de Freitas ("On correlation and budget
// constraints in model-based bandit optimization with application to automatic machine learning",
// AISTATS 2014, Algorithm 1) with a Gaussian prior.
//
// Question: all arms within Epsilon of the best (question.AllEpsilonBest, additive). If Epsilon is
// 0, the question is the best arm, as in the paper. Fixed budget.
//
// Assumptions: the means are linear in the features, with the prior theta ~ N(0, Prior^2 I).
// Rewards are Gaussian of standard deviation Problem.Sigma.
//
// Guarantee: none. Theorem 1 bounds the probability of missing the best arm if the hardness
// H_epsilon is known in advance. This implementation estimates H_epsilon, as the paper's
// experiments do.
//
// Deviations from the paper: H_epsilon is the sum of inverse squares of gaps; one public
// implementation omits the squares. As in the LinFACT paper, the answer consists of all arms whose
// final posterior mean is within Epsilon of the largest. BayesGapLeast selects the rule printed in
// the paper: arm J (see below) of the round with the smallest bound on the gap. Estimated gaps are
// at least 1e-6 Sigma. Ties are broken in favour of the lowest index.
//
// Each round selects two arms, J and j. Arm J has the smallest upper bound on the margin by which
// another arm is better. Arm j has the largest upper bound on its mean among all arms except J.
// Of J and j, each round pulls the arm with the larger posterior variance. Confidence bounds are
// the posterior mean plus or minus beta posterior standard deviations, where beta depends on the
// budget. For K arms, each pull takes O(K^2) operations and allocates no memory.
type BayesGap struct {
	// Budget is the number of pulls; it is required. Budget must be at least the rank of the
	// features.
	Budget int
	// Prior is the prior standard deviation of each coordinate of theta, in reward units per
	// feature unit; zero means 20 Sigma, a weakly informative prior.
	Prior float64 `label:"prior %v"`
	// Recommend is the rule that determines the answer.
	Recommend BayesGapAnswer `label:"the arm of the smallest gap" in:"[0,1]" want:"BayesGapMeans or BayesGapLeast"`

	belief belief
	leader int     // J of the round with the smallest bound on the gap
	least  float64 // the smallest bound on the gap so far
	// T - K + kappa sigma^2/Prior^2, where T is the budget and kappa is the sum of 1/|x|^2 over the
	// features x.
	fixed float64
	sd    []float64
	upper []float64
}

// Card implements explore.Describer.
func (*BayesGap) Card() explore.Card {
	return explore.Card{
		Name:    "BayesGap",
		Answers: []explore.Question{question.AllEpsilonBest{}},
		Kind:    explore.FixedBudget,
		Needs:   []explore.Need{explore.Gaussian{}, explore.Linear{}},
		Uses:    explore.UsesFeatures | explore.UsesRelaxations,
		Bound:   "budget never exceeded",
		Source:  "Hoffman, Shahriari, de Freitas 2014, Algorithm 1",
		Key:     "hoffman2014correlation",
	}
}

// A BayesGapAnswer is a rule that determines the answer of BayesGap.
type BayesGapAnswer int

// The following constants are the rules that determine the answer.
const (
	// BayesGapMeans answers with all arms whose final posterior mean is within Epsilon of the
	// largest. The LinFACT paper uses the rule BayesGapMeans.
	BayesGapMeans BayesGapAnswer = iota
	// BayesGapLeast answers with arm J of the round in which the bound on the gap of J was
	// smallest, as printed in the paper. With BayesGapLeast, the last reward does not influence the
	// answer.
	BayesGapLeast
)

// String returns the name of the policy, followed by its settings.
func (p *BayesGap) String() string { return named("BayesGap", p) }

// Init implements explore.Policy.
func (p *BayesGap) Init(prob *explore.Problem, _ rand.Source) error {
	if _, _, err := checked(p, 0, nil); err != nil {
		return err
	}
	p.leader, p.least = 0, inf
	b := &p.belief
	if err := b.init(prob, "BayesGap", p.Budget, p.Prior); err != nil {
		return err
	}
	p.sd, p.upper = make([]float64, b.K), make([]float64, b.K)
	reg := 1. / 400
	if p.Prior != 0 {
		reg = prob.Sigma / p.Prior * prob.Sigma / p.Prior
	}
	kappa := 0.
	for i := range b.K {
		square := 1.
		if prob.X != nil {
			square = floats.Dot(prob.X.RawRowView(i), prob.X.RawRowView(i))
		}
		if square > 0 {
			kappa += 1 / square
		}
	}
	p.fixed = float64(p.Budget-b.K) + reg*kappa
	p.choose()
	return nil
}

// Ask implements explore.Policy.
func (p *BayesGap) Ask(dst []explore.Pull) ([]explore.Pull, error) { return p.belief.ask(dst), nil }

// Tell implements explore.Policy.
func (p *BayesGap) Tell(obs []explore.Batch) error {
	if p.belief.tell(obs); p.belief.left > 0 {
		p.choose()
	}
	return nil
}

// choose computes the estimated gaps and selects the next arm to pull.
func (p *BayesGap) choose() {
	b, sigma := &p.belief, p.belief.prob.Sigma
	for i := range p.sd {
		p.sd[i] = sigma * math.Sqrt(max(b.Row(i)[i], 0))
		p.upper[i] = b.Mean[i] + 3*p.sd[i]
	}
	// H_epsilon is computed from upper bounds on gaps, with three standard deviations for each mean.
	hard := 0.
	first, second := largest(p.upper)
	for i := range p.sd {
		gap := p.upper[other(i, first, second)] - (b.Mean[i] - 3*p.sd[i])
		h := max((gap+b.epsilon)/2, b.epsilon, 1e-6*sigma)
		hard += sigma * sigma / (h * h)
	}
	beta := math.Sqrt(max(p.fixed, 0) / (4 * hard))
	for i, s := range p.sd {
		p.upper[i] = b.Mean[i] + beta*s
	}
	first, second = largest(p.upper)
	leader, least := 0, inf
	for i, s := range p.sd {
		if v := p.upper[other(i, first, second)] - (b.Mean[i] - beta*s); v < least {
			leader, least = i, v
		}
	}
	if least < p.least {
		p.leader, p.least = leader, least
	}
	b.next = leader
	if j := other(leader, first, second); p.sd[j] > p.sd[leader] {
		b.next = j
	}
}

// largest returns the indices of the largest and the second largest number. For a single number,
// both indices are 0.
func largest(v []float64) (first, second int) {
	second = -1
	for i := 1; i < len(v); i++ {
		switch {
		case v[i] > v[first]:
			first, second = i, first
		case second < 0 || v[i] > v[second]:
			second = i
		}
	}
	return first, max(second, 0)
}

// other returns the arm with the largest value among all arms except i. The arguments first and
// second are the arms with the largest and the second largest value.
func other(i, first, second int) int {
	if i == first {
		return second
	}
	return first
}

// Answer implements explore.Policy.
func (p *BayesGap) Answer() explore.Answer {
	if p.Recommend == BayesGapLeast {
		return explore.Answer{Items: []int{p.leader}}
	}
	return p.belief.answer()
}

// KGCB is the knowledge gradient with correlated beliefs (Frazier, Powell and Dayanik, "The
// Knowledge-Gradient Policy for Correlated Normal Beliefs", INFORMS Journal on Computing 2009; for
// linear models: Negoescu, Frazier and Powell 2011).
//
// Question: all arms within Epsilon of the best (question.AllEpsilonBest, additive). If Epsilon is
// 0, the question is the best arm, as in the paper. Fixed budget.
//
// Assumptions: the means are linear in the features, with the prior theta ~ N(0, Prior^2 I).
// Rewards are Gaussian of standard deviation Problem.Sigma.
//
// Guarantee: none; the error probability has no known bound. The last pull maximises the expected
// value of the largest posterior mean.
//
// Deviations from the paper: arms are compared by the logarithm of the knowledge gradient, which
// does not underflow. Ties are broken in favour of the lowest index. As in the LinFACT paper, the
// answer consists of all arms whose posterior mean is within Epsilon of the largest.
//
// For K arms, each pull takes O(K^2) operations if few arms can become the best after one more
// reward, and allocates no memory.
type KGCB struct {
	// Budget is the number of pulls; it is required. Budget must be at least the rank of the
	// features.
	Budget int
	// Prior is the prior standard deviation of each coordinate of theta, in reward units per
	// feature unit; zero means 20 Sigma, a weakly informative prior.
	Prior float64 `label:"prior %v"`

	belief belief
	kg     linear.Gradient
}

// Card implements explore.Describer.
func (*KGCB) Card() explore.Card {
	c := (*BayesGap)(nil).Card()
	c.Name, c.Bound = "KGCB", "budget never exceeded; the last pull is optimal on average"
	c.Source = "Frazier, Powell, Dayanik 2009; linear beliefs: Negoescu, Frazier, Powell 2011"
	c.Key = "frazier2009knowledge"
	return c
}

// belief is the common part of Bayesian policies with a fixed budget.
type belief struct {
	*linear.Belief
	prob    *explore.Problem
	epsilon float64
	rank    int
	left    int // remaining pulls
	next    int
}

func (b *belief) init(prob *explore.Problem, name string, budget int, prior float64) error {
	epsilon, err := epsilonbest.Additive(prob, name)
	if err != nil {
		return err
	}
	prior = cmp.Or(prior, 20*prob.Sigma)
	if !(prior > 0) || math.IsInf(prior, 1) {
		return fmt.Errorf("policy: %s.Prior is %v; expected the standard deviation of a coordinate of "+
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
	*b = belief{Belief: newBelief(prob, &l, reg*reg), prob: prob, epsilon: epsilon, rank: l.Rank, left: budget}
	if l.N == 1 { // if all items are equal, the answer needs no pulls
		b.left = 0
	}
	if !b.Solve() {
		return fmt.Errorf("policy: %s.Prior is %v, so large that the belief is numerically singular; expected a "+
			"number about as large as the coordinates of theta", name, prior)
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

// answer returns all arms whose posterior mean is within epsilon of the largest.
func (b *belief) answer() explore.Answer {
	best := slices.Max(b.Mean)
	var a explore.Answer
	for i, v := range b.Mean {
		// Arms with the same features have equal posterior means up to rounding errors.
		if v >= best-b.epsilon-1e-12*math.Abs(best) {
			a.Items = append(a.Items, i)
		}
	}
	return a
}

// String returns the name of the policy, followed by its settings.
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

// choose selects the arm with the largest knowledge gradient as the next pull.
func (p *KGCB) choose() {
	b, most := &p.belief, math.Inf(-1)
	b.next = 0
	for k := range b.K {
		row := b.Row(k)
		// If the posterior covariance is sigma^2 C, a reward of arm k changes the means by sigma
		// C_k / sqrt(1 + C_kk) Z, where Z is standard normal.
		scale := b.prob.Sigma / math.Sqrt(1+row[k])
		if v := p.kg.Log(b.Mean, row, scale); v > most {
			b.next, most = k, v
		}
	}
}

// Answer implements explore.Policy.
func (p *KGCB) Answer() explore.Answer { return p.belief.answer() }
