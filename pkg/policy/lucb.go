package policy

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// LUCB is LUCB (Kalyanakrishnan, Tewari, Auer and Stone, "PAC Subset Selection in Stochastic
// Multi-armed Bandits", ICML 2012) for one arm; with radius.Bernoulli it is KL-LUCB (Kaufmann and
// Kalyanakrishnan, "Information Complexity in Bandit Subset Selection", COLT 2013).
//
// Question: the best arm, up to Epsilon (question.Best), whose features, if there are any, are not
// used. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma, or as the radius says. Without
// Epsilon, a tie of the best arms has no end.
//
// Guarantee: the answer is right with probability at least 1 - Delta, with a radius that holds for
// all arms at all times; pulls are of order sum of 1/gap^2 log(K/Delta).
//
// Deviations from the papers: intervals are those of Radius, in place of
// sqrt(log(5 K t^4/(4 Delta))/(2 t)). Two arms are compared by the half-width of their difference,
// which is not above the sum of those of their means; what it has told apart is not measured for.
// Ties go to the lowest index.
//
// Each round pulls the arm with the largest mean, and of those that may be ahead of it by more than
// Epsilon the one with the largest upper confidence bound. Cost a round: O(K), no allocation.
type LUCB struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Radius gives the confidence intervals. Nil means radius.KaufmannKoolen{}.
	Radius radius.Radius

	batcher
	arms  bestArms
	rival int
}

// Card implements explore.Carded.
func (p *LUCB) Card() explore.Card {
	return byRadius(orKaufmannKoolen(p.Radius), explore.Card{
		Name:      "LUCB",
		Answers:   []explore.Question{question.Best{}},
		Certifies: explore.CertifiesAmounts,
		Needs:     []explore.Need{explore.SubGaussian{}},
		Uses:      explore.UsesRelaxations | explore.UsesSums,
		Bound:     "pulls of order sum of 1/gap² log(K/delta)",
		Source:    "Kalyanakrishnan, Tewari, Auer, Stone 2012; Kaufmann, Kalyanakrishnan 2013",
		Key:       "kalyanakrishnan2012pac",
	})
}

// String returns the name with the settings.
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
