package policy

import (
	"cmp"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

var _ explore.Open = (*TTUCB)(nil)

// TTUCB is top two with a leader by upper confidence bounds (Jourdan and Degenne, "Non-Asymptotic
// Analysis of a UCB-based Top Two Algorithm", NeurIPS 2023, Algorithm 1).
//
// Question: the best arm, up to Epsilon (question.Best), whose features, if there are any, are not
// used. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma, or as the radius says. Without
// Epsilon, a tie of the best arms has no end.
//
// Guarantee: the answer is right with probability at least 1 - Delta, with a radius that holds for
// all arms at all times; for Gaussian rewards and distinct means pulls tend to T* of the share, at
// most 2 T* log(1/Delta) for a half.
//
// Deviations from the paper: the stopping rule compares differences with the half-widths of Radius.
// The share of the leader is tracked by all of its rewards and all pulls, in place of one count for
// each leader, so that results that nobody asked for count, too. With radius.Bernoulli transport
// costs are those of rates. Ties go to the arm with fewer rewards, then to the lowest index.
//
// The leader has the largest mean plus sigma sqrt(2 1.2 2.2 log(t)/N) after t pulls; the challenger
// is the arm that is cheapest to make as good. Cost a round of one pull: O(K), no allocation.
type TTUCB struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Radius gives the half-widths of differences. Nil means radius.KaufmannKoolen{}.
	Radius radius.Radius
	// Share is that of the leader, the paper's beta. Zero means 1/2.
	Share float64 `label:"share %v" usual:"0.5" in:"[0,1)" want:"a share between 0 and 1, or 0 for a half"`

	batcher
	arms topTwo
}

// Card implements explore.Carded.
func (p *TTUCB) Card() explore.Card {
	return byRadius(orKaufmannKoolen(p.Radius), explore.Card{
		Name:      "TTUCB",
		Answers:   []explore.Question{question.Best{}},
		Certifies: explore.CertifiesAmounts,
		Needs:     []explore.Need{explore.SubGaussian{}},
		Uses:      explore.UsesRelaxations | explore.UsesSums,
		Bound:     "at most twice the asymptotic optimum for Gaussian rewards",
		Source:    "Jourdan, Degenne 2023, Algorithm 1",
		Key:       "jourdan2023nonasymptotic",
	})
}

// String returns the name with the settings.
func (p *TTUCB) String() string { return named("TTUCB", p, orKaufmannKoolen(p.Radius)) }

// Init implements explore.Policy.
func (p *TTUCB) Init(prob *explore.Problem, _ rand.Source) error {
	p.batcher.init(p, prob, nil, p.arms.Row)
	delta, r, err := checked(p, p.Delta, orKaufmannKoolen(p.Radius))
	if err != nil {
		return err
	}
	p.arms.family, p.arms.next = familyOf(r, prob), -1
	return p.arms.start(prob, "TTUCB", delta, r)
}

// Ask implements explore.Policy.
func (p *TTUCB) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.arms.ask(dst, p, p.arms.next)
}

// Tell implements explore.Policy.
func (p *TTUCB) Tell(obs []explore.Batch) error {
	p.arms.learn(obs)
	const alpha, s = 1.2, 1.2
	p.arms.choose(p.arms.optimist(2*alpha*(1+s)), 0, cmp.Or(p.Share, .5))
	return nil
}

// Answer implements explore.Policy.
func (p *TTUCB) Answer() explore.Answer { return p.arms.Answer() }
