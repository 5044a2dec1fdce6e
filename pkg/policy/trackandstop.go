package policy

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

var _ explore.Open = (*TrackAndStop)(nil)

// TrackAndStop is track-and-stop for arms without structure (Garivier and Kaufmann, "Optimal Best Arm
// Identification with Fixed Confidence", COLT 2016), Gaussian or, with radius.Bernoulli, successes
// and failures. LazyTrackAndStop is the one for linear models.
//
// Question: the best arm, up to Epsilon (question.Best), whose features, if there are any, are not
// used. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma, or as the radius says. Without
// Epsilon, a tie of the best arms has no end.
//
// Guarantee: the answer is right with probability at least 1 - Delta, with a radius that holds for
// all arms at all times; pulls tend to T* log(1/Delta) as Delta goes to 0, T* the characteristic time
// of the family (Theorem 14), without a tolerance.
//
// Deviations from the paper: the stopping rule compares differences with the half-widths of Radius,
// which with radius.Bernoulli are by likelihood ratios, too. Weights are those for Epsilon = 0.
// With Cumulative, weights are not moved away from 0 before they are added up: forced exploration is
// that of D-tracking. Ties go to the lowest index.
//
// Each round pulls an arm with fewer than sqrt(t) - K/2 rewards, if there is one, and otherwise the
// one that is most behind its proportion of t pulls: by the weights of the estimates (D-tracking), or
// with Cumulative by the sum of all weights so far (C-tracking). Cost a round: 60 times O(K), and
// some ten times more for rates; no allocation.
type TrackAndStop struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Radius gives the half-widths of differences. Nil means radius.KaufmannKoolen{}.
	Radius radius.Radius
	// Cumulative tracks the sum of weights.
	Cumulative bool `label:"cumulative"`

	batcher
	arms    bestArms
	family  family
	weights []float64
	played  []float64 // the sum of weights
	counted int       // pulls that played counts
	next    int
}

// Card implements explore.Carded.
func (p *TrackAndStop) Card() explore.Card {
	uses := explore.UsesRelaxations | explore.UsesSums
	if p.Cumulative {
		uses = explore.UsesRelaxations
	}
	return byRadius(orKaufmannKoolen(p.Radius), explore.Card{
		Name:      "Track-and-stop, arms",
		Answers:   []explore.Question{question.Best{}},
		Certifies: explore.CertifiesAmounts,
		Needs:     []explore.Need{explore.SubGaussian{}},
		Uses:      uses,
		Bound:     "asymptotically optimal for Gaussian rewards",
		Source:    "Garivier, Kaufmann 2016",
		Key:       "garivier2016optimal",
	})
}

// String returns the name with the settings.
func (p *TrackAndStop) String() string {
	return named("track-and-stop, arms", p, orKaufmannKoolen(p.Radius))
}

// Init implements explore.Policy.
func (p *TrackAndStop) Init(prob *explore.Problem, _ rand.Source) error {
	p.batcher.init(p, prob, nil, p.arms.Row)
	delta, r, err := confidence(p.Delta, orKaufmannKoolen(p.Radius))
	if err != nil {
		return err
	}
	if err := p.arms.start(prob, "TrackAndStop", delta, r); err != nil {
		return err
	}
	p.family, p.next, p.counted = familyOf(r, prob), -1, 0
	p.weights, p.played = memory.Zeroed(p.weights, p.arms.K), memory.Zeroed(p.played, p.arms.K)
	return nil
}

// Ask implements explore.Policy.
func (p *TrackAndStop) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.arms.ask(dst, p, p.next)
}

// Tell implements explore.Policy.
func (p *TrackAndStop) Tell(obs []explore.Batch) error {
	b := &p.arms
	b.learn(obs)
	best := b.best()
	b.rival(best, b.upper)
	if b.over {
		return nil
	}
	p.family.weights(p.weights, b.Mean, best)
	// The next pull has these weights, as had those that came in meanwhile.
	floats.AddScaled(p.played, float64(b.Pulls-p.counted), p.weights)
	p.counted = b.Pulls
	fewest, behind, most := 0, 0, -inf
	for i, n := range b.N {
		if n < b.N[fewest] {
			fewest = i
		}
		target := float64(b.Pulls) * p.weights[i]
		if p.Cumulative {
			target = p.played[i]
		}
		if lag := target - float64(n); lag > most {
			behind, most = i, lag
		}
	}
	p.next = behind
	if float64(b.N[fewest]) < math.Sqrt(float64(b.Pulls))-float64(b.K)/2 {
		p.next = fewest
	}
	return nil
}

// Answer implements explore.Policy.
func (p *TrackAndStop) Answer() explore.Answer { return p.arms.Answer() }
