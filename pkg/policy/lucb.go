package policy

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// LUCB is the method LUCB for the best arm (Kalyanakrishnan, Tewari, Auer and Stone, "PAC Subset
// Selection in Stochastic Multi-armed Bandits", ICML 2012, for a subset of one arm). With
// radius.Bernoulli, LUCB is KL-LUCB (Kaufmann and Kalyanakrishnan, "Information Complexity in
// Bandit Subset Selection", COLT 2013).
//
// Question: the best arm, up to Epsilon (question.Best). Features are ignored. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma, or satisfy the assumptions of the
// radius. If best arms are tied, the run ends only if Epsilon is positive.
//
// Guarantee: if Radius is valid for all arms at all times, the answer is right with probability at
// least 1 - Delta. The number of pulls is of the order of the sum over arms of 1/gap^2
// log(K/Delta).
//
// Deviations from the papers: intervals come from Radius, instead of the half-width sqrt(log(5 K
// t^4/(4 Delta))/(2 t)). Two arms are compared by the half-width of their difference, which is at
// most the sum of the half-widths of their means. Only arms that may be better than the leader by
// more than Epsilon are chosen as rivals. Ties are broken in favour of the lowest index.
//
// Each round pulls the leader, which has the largest estimated mean, and one rival. Among the arms
// that may be better than the leader by more than Epsilon, the rival has the largest upper
// confidence bound. Each round takes O(K) operations and allocates no memory.
type LUCB struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii; nil means radius.KaufmannKoolen{}.
	Radius radius.Radius

	batcher
	arms  bestArms
	rival int
}

// Card implements explore.Describer.
func (p *LUCB) Card() explore.Card {
	return byRadius(orKaufmannKoolen(p.Radius), explore.Card{
		Name:      "LUCB",
		Evidence:  explore.AnySampling,
		Answers:   []explore.Question{question.Best{}},
		Certifies: explore.CertifiesAmounts,
		Needs:     []explore.Need{explore.SubGaussian{}},
		Uses:      explore.UsesRelaxations | explore.UsesSums,
		Bound:     "pulls of order sum of 1/gap² log(K/delta)",
		Source:    "Kalyanakrishnan, Tewari, Auer, Stone 2012; Kaufmann, Kalyanakrishnan 2013",
		Key:       "kalyanakrishnan2012pac",
	})
}

// String returns the name of the policy, followed by its settings.
func (p *LUCB) String() string { return named("LUCB", p, orKaufmannKoolen(p.Radius)) }

// Init implements explore.Policy.
func (p *LUCB) Init(prob *explore.Problem, _ rand.Source) error {
	p.batcher.init(p, prob, nil, p.arms.Row)
	delta, r, err := confidence(p.Delta, orKaufmannKoolen(p.Radius))
	if err != nil {
		return err
	}
	p.rival = -1
	return p.arms.start(prob, "LUCB", delta, r)
}

// Ask implements explore.Policy.
func (p *LUCB) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.arms.ask(dst, p, p.arms.leader, p.rival)
}

// Tell implements explore.Policy.
func (p *LUCB) Tell(obs []explore.Batch) error {
	p.arms.learn(obs)
	p.rival = p.arms.rival(p.arms.best(), p.arms.upper)
	return nil
}

// Answer implements explore.Policy.
func (p *LUCB) Answer() explore.Answer { return p.arms.Answer() }

// UGapE is UGapEc, gap-based exploration with fixed confidence, for finding one best arm (Gabillon,
// Ghavamzadeh and Lazaric, "Best Arm Identification: A Unified Approach to Fixed Budget and Fixed
// Confidence", NeurIPS 2012).
//
// Question: the best arm, up to Epsilon (question.Best). Features are ignored. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma, or satisfy the assumptions of the
// radius. If best arms are tied, the run ends only if Epsilon is positive.
//
// Guarantee: if Radius is valid for all arms at all times, the answer is right with probability at
// least 1 - Delta. The number of pulls is of the order of the sum over arms of 1/gap^2
// log(K/Delta).
//
// Deviations from the paper: intervals come from Radius. The stopping rule uses half-widths of
// differences, which are at most the sum of the half-widths of means. The second arm of a pair is
// chosen among the arms that may be better than the first arm by more than Epsilon. Ties are broken
// in favour of the lowest index.
//
// The gap of an arm is the largest amount by which another arm may be better, according to the
// intervals. Each round selects the arm i with the smallest gap, and the arm that may be better
// than i by the largest amount. The policy pulls the selected arm with the wider interval. Each
// round takes O(K) operations and allocates no memory.
type UGapE struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii; nil means radius.KaufmannKoolen{}.
	Radius radius.Radius

	batcher
	arms bestArms
	next int
}

// Card implements explore.Describer.
func (p *UGapE) Card() explore.Card {
	c := (&LUCB{Radius: p.Radius}).Card()
	c.Name, c.Source, c.Key = "UGapE", "Gabillon, Ghavamzadeh, Lazaric 2012", "gabillon2012best"
	c.Uses |= explore.UsesCosts
	return c
}

// String returns the name of the policy, followed by its settings.
func (p *UGapE) String() string { return named("UGapE", p, orKaufmannKoolen(p.Radius)) }

// Init implements explore.Policy.
func (p *UGapE) Init(prob *explore.Problem, _ rand.Source) error {
	p.batcher.init(p, prob, nil, p.arms.Row)
	delta, r, err := confidence(p.Delta, orKaufmannKoolen(p.Radius))
	if err != nil {
		return err
	}
	p.next = -1
	return p.arms.start(prob, "UGapE", delta, r)
}

// Ask implements explore.Policy.
func (p *UGapE) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.arms.ask(dst, p, p.next)
}

// Tell implements explore.Policy.
func (p *UGapE) Tell(obs []explore.Batch) error {
	b := &p.arms
	b.learn(obs)
	first, second := 0, -1 // the two largest upper bounds
	for i := 1; i < b.K; i++ {
		switch u := b.upper(i); {
		case u > b.upper(first):
			first, second = i, first
		case second < 0 || u > b.upper(second):
			second = i
		}
	}
	leader, least := 0, inf
	for i := range b.K {
		by := first
		if i == first {
			by = second
		}
		if gap := b.upper(by) - (b.Mean[i] - b.half[i]); gap < least {
			leader, least = i, gap
		}
	}
	p.next = b.rival(leader, b.upper)
	switch {
	case p.next < 0:
	case b.Prob.Costs != nil:
		p.next = arms.Thrift([]explore.Pull{{Arm: leader}, {Arm: p.next}}, 0, b.Prob, b.N)[0].Arm
	case b.half[leader] > b.half[p.next]:
		p.next = leader
	}
	return nil
}

// Answer implements explore.Policy.
func (p *UGapE) Answer() explore.Answer { return p.arms.Answer() }
