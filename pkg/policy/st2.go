package policy

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/epsilonbest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
	"github.com/purexp/purexp/pkg/radius"
)

// ST2 is the method (ST)^2, Sample the Threshold, Split the Threshold (Mason, Jain, Tripathy and
// Nowak, "Finding All epsilon-Good Arms in Stochastic Bandits", NeurIPS 2020, Algorithm 1).
//
// Question: all arms within Epsilon of the best (question.AllEpsilonBest, additive or
// multiplicative). Features are ignored. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma. If the question is multiplicative,
// the largest mean is above the question's Zero. If the mean of an arm is exactly at the threshold
// for epsilon-best arms, the run does not stop.
//
// Guarantee (Theorem 3.1): if the radius is valid for all arms at all times, like the default, the
// answer is right with probability at least 1 - Delta. The number of pulls is of the order of the
// sum over arms of log(K/Delta)/g^2, where g is at least the arm's gap to the threshold (see the
// theorem).
//
// Deviations from the paper: the algorithm has no slack gamma. The threshold for an arm is derived
// from the intervals of the other arms. The best arm is classified when it is certainly the best,
// so Epsilon may be 0. The default confidence radius is that of Kaufmann and Koolen. In the public
// code, the radius has an iterated logarithm, for which no union bound over times is proved. If
// several of the three rules below select the same arm, the arm is pulled only once. Ties are
// broken in favour of the lowest index.
//
// Each round pulls up to three arms. The first arm has the largest upper confidence bound. The
// second arm has the smallest lower confidence bound of the undecided arms that are good by their
// estimates. The third arm has the largest upper confidence bound of the undecided arms that are
// not good by their estimates. Each round takes O(K) operations and allocates no memory.
type ST2 struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii of means; nil means radius.KaufmannKoolen{}.
	Radius radius.Radius

	batcher
	arms goodArms
	next [3]int
}

// Card implements explore.Describer.
func (p *ST2) Card() explore.Card {
	return byRadius(orKaufmannKoolen(p.Radius), explore.Card{
		Name:      "(ST)^2",
		Evidence:  explore.AnySampling,
		Answers:   []explore.Question{question.AllEpsilonBest{}},
		Certifies: explore.CertifiesSet,
		Needs:     []explore.Need{explore.SubGaussian{}},
		Uses:      explore.UsesRelaxations,
		Source:    "Mason, Jain, Tripathy, Nowak 2020, Algorithm 1",
		Key:       "mason2020finding",
	})
}

// String returns the name of the policy, followed by its settings.
func (p *ST2) String() string { return named("(ST)^2", p, orKaufmannKoolen(p.Radius)) }

// Init implements explore.Policy.
func (p *ST2) Init(prob *explore.Problem, _ rand.Source) error {
	p.batcher.init(p, prob, nil, p.arms.Row)
	delta, r, err := confidence(p.Delta, orKaufmannKoolen(p.Radius))
	if err != nil {
		return err
	}
	return p.arms.start(prob, "ST2", delta, r)
}

// Ask implements explore.Policy.
func (p *ST2) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	switch {
	case p.arms.over:
		return dst, nil
	case p.arms.Pulls == 0:
		return arms.Sweep(dst, p.arms.K), nil
	}
	for c, i := range p.next {
		if i >= 0 && (c == 0 || i != p.next[0]) && (c < 2 || i != p.next[1]) {
			dst = append(dst, explore.Pull{Arm: i, N: 1})
		}
	}
	return dst, nil
}

// Tell implements explore.Policy.
func (p *ST2) Tell(obs []explore.Batch) error {
	g := &p.arms
	g.learn(obs)
	top, second := g.leaders(g.high, nil)
	sure, _ := g.leaders(g.low, nil)
	best, _ := g.leaders(g.Mean, nil)
	threshold := g.threshold(g.Mean[best])
	p.next = [3]int{top, -1, -1}
	for i := range g.K {
		by := top
		if i == top {
			by = second
		}
		if g.decide(i, by, sure) != explore.Undecided {
			continue
		}
		if g.Mean[i] >= threshold {
			if j := p.next[1]; j < 0 || g.low[i] < g.low[j] {
				p.next[1] = i
			}
		} else if j := p.next[2]; j < 0 || g.high[i] > g.high[j] {
			p.next[2] = i
		}
	}
	g.over = p.next[1] < 0 && p.next[2] < 0
	return nil
}

// Answer implements explore.Policy.
func (p *ST2) Answer() explore.Answer { return p.arms.Answer() }

// AllEpsilonTrackAndStop is a track-and-stop method for all epsilon-best arms without features (Al
// Marjani, Kocak and Garivier, "On the Complexity of All epsilon-Best Arms Identification", ECML
// 2022, Algorithm 3).
//
// Question: all arms within Epsilon of the best (question.AllEpsilonBest, additive or
// multiplicative). Features are ignored. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma. If the question is multiplicative,
// the largest mean is above the question's Zero. If the mean of an arm is exactly on the boundary
// of the epsilon-best arms, the run does not stop.
//
// Guarantee: if Threshold is [MixtureMartingales] or [SelfNormalized], the answer is right with
// probability at least 1 - Delta for any sampling rule. For Gaussian rewards and small Delta, the
// number of pulls is of order (1 + Tol) T* log(1/Delta), where T* is the characteristic time.
//
// Deviations from the paper: complexity.NewGammaStar replaces mirror ascent, and computes the
// weights (the optimal proportions of pulls) to a certified accuracy. Weights are recomputed when
// the number of pulls has grown by the factor Lazy, and the policy tracks averages of weights. A
// round may have several pulls. If the estimate of an arm is too close to the boundary of the
// epsilon-best arms for new weights, the policy keeps the previous weights.
//
// If an arm has fewer than sqrt(t) - K/2 rewards after t pulls, a round consists of one pull of the
// arm with the fewest rewards. Otherwise, a round pulls the arms that lag furthest behind the
// averages of the weights. The policy stops when the generalised likelihood ratio against all
// models with a different set of epsilon-best arms exceeds the threshold. Each round takes O(g K +
// K^2) operations for K arms, g of which are epsilon-best by the estimates; some rounds also
// compute new weights.
type AllEpsilonTrackAndStop struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Threshold is the stopping threshold; nil means MixtureMartingales{}. No theorem supports
	// Heuristic{}.
	Threshold Threshold `label:"threshold %v" usual:"mixture martingales"`
	// Lazy is the factor by which the number of pulls grows between computations of the weights;
	// zero means 1.5.
	Lazy float64 `label:"lazy %v" usual:"1.5" in:"(1,16]" want:"a factor above 1 between games, at most 16"`
	// Batch is the number of pulls in a round as a fraction of all pulls so far; a round has at
	// least one pull. Zero means 0.01. A negative Batch means one pull per round.
	Batch float64 `label:"batch %v" usual:"0.01" in:"(-inf,1]" want:"a share of the pulls so far, at most 1"`
	// Tol is the relative gap to which the weights are computed; zero means 0.01.
	Tol float64 `label:"tol %v" usual:"0.01" in:"[0,inf)" want:"a relative gap, at least 0"`

	batcher
	lazyGame
	means    arms.Means
	gate     stoppingTest
	delta    float64
	response *alternative.AllEpsilonArms
	counts   []float64
	over     bool
	width    float64 // square root of twice the threshold
}

// Card implements explore.Describer.
func (p *AllEpsilonTrackAndStop) Card() explore.Card {
	return explore.Card{
		Name:      "All-epsilon track-and-stop",
		Evidence:  explore.AnySampling,
		Answers:   []explore.Question{question.AllEpsilonBest{}},
		Certifies: certifiesIf(provedForArms(p.Threshold)),
		Needs:     []explore.Need{explore.SubGaussian{}},
		Uses:      explore.UsesRelaxations,
		Bound:     "asymptotically optimal",
		Source:    "Al Marjani, Kocak, Garivier 2022, Algorithm 3",
		Key:       "almarjani2022complexity",
	}
}

// String returns the name of the policy, followed by its settings.
func (p *AllEpsilonTrackAndStop) String() string { return named("All-epsilon track-and-stop", p) }

// Init implements explore.Policy.
func (p *AllEpsilonTrackAndStop) Init(prob *explore.Problem, _ rand.Source) (err error) {
	p.batcher.init(p, prob, nil, p.means.Row)
	if p.delta, _, err = checked(p, p.Delta, nil); err != nil {
		return err
	}
	beta, err := armThreshold(p.Threshold)
	if err != nil {
		return err
	}
	p.lazyGame.init(p.Lazy, p.Batch, p.Tol)
	q, err := epsilonbest.Question(prob, "AllEpsilonTrackAndStop")
	if err != nil {
		return err
	}
	if err := prob.CheckLinear(); err != nil {
		return err
	}
	p.means.Init(prob)
	k := p.means.K
	p.gate.init(beta, 1, p.delta, k)
	p.start("AllEpsilonTrackAndStop", &explore.Problem{Arms: k, Sigma: prob.Sigma, Question: q}, k)
	p.response = alternative.NewAllEpsilonArms(q, k)
	p.counts, p.width = make([]float64, k), 0
	p.over = k == 1 && p.factor == 1
	return nil
}

// Ask implements explore.Policy.
func (p *AllEpsilonTrackAndStop) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	switch {
	case p.over:
		return dst, nil
	case p.means.Pulls == 0:
		return arms.Sweep(dst, p.means.K), nil
	}
	return append(dst, p.pulls...), nil
}

// Tell implements explore.Policy.
func (p *AllEpsilonTrackAndStop) Tell(obs []explore.Batch) error {
	m := &p.means
	before := m.Pulls
	m.Tell(obs)
	latest := m.Pulls - before
	if before == 0 {
		latest = 0
	}
	logs := 0.
	for i, n := range m.N {
		p.counts[i] = float64(n)
		logs += math.Log(float64(n))
	}
	p.response.SetMeans(m.Mean)
	e := Evidence{Delta: p.delta, Pulls: m.Pulls, Rank: m.K, LogDet: logs}
	ratio := p.response.Cost(nil, p.counts) / (p.prob.Sigma * p.prob.Sigma)
	p.over = p.gate.exceeds(0, ratio, e)
	p.width = math.Sqrt(2 * p.gate.beta(e))
	if p.over {
		return nil
	}
	if err := p.renew(m.Mean, m.Pulls); err != nil {
		return err
	}
	p.creditUnplanned(p.played, p.weights, latest, p.pulls)
	first := floats.MinIdx(p.counts)
	if p.counts[first] >= math.Sqrt(float64(m.Pulls))-float64(m.K)/2 {
		first = -1
	}
	p.plan(first, p.counts, m.Pulls)
	return nil
}

// Answer implements explore.Policy.
func (p *AllEpsilonTrackAndStop) Answer() explore.Answer {
	m := &p.means
	if m.Pulls == 0 {
		a := explore.Answer{Reasons: arms.Undecided(m.K)}
		if p.over {
			a.Items, a.Reasons[0].Class = []int{0}, explore.Optimal
		}
		return a
	}
	a := explore.Answer{Reasons: p.reasons(m.Mean, floats.MaxIdx(m.Mean), p.over, p.response.Inside,
		func(i, j int) float64 {
			return p.prob.Sigma * p.width *
				math.Sqrt(1/float64(m.N[i])+p.factor*p.factor/float64(m.N[j]))
		})}
	for i := range m.K {
		if p.response.Inside(i) {
			a.Items = append(a.Items, i)
		}
	}
	return a
}
