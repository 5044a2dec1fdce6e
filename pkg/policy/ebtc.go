package policy

import (
	"cmp"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

var _ explore.Open = (*EBTC)(nil)

// EBTC is EB-TC with a slack: top two with the empirical best as leader and a challenger by
// transport cost (Jourdan, Degenne and Kaufmann, "An epsilon-Best-Arm Identification Algorithm for
// Fixed-Confidence and Beyond", NeurIPS 2023).
//
// Question: the best arm, up to Epsilon (question.Best), whose features, if there are any, are not
// used. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma, or as the radius says. Without
// Epsilon, a tie of the best arms has no end.
//
// Guarantee: the answer is right with probability at least 1 - Delta, with a radius that holds for
// all arms at all times; with a slack that is the tolerance, pulls tend to T*_epsilon of the share
// for Gaussian rewards. The slack makes for enough exploration: without one EB-TC may stay with a
// wrong leader for long.
//
// Deviations from the paper: the stopping rule compares differences with the half-widths of Radius.
// The share of the leader is tracked by all of its rewards and all pulls. With radius.Bernoulli
// transport costs are those of rates. Ties go to the arm with fewer rewards, then to the lowest
// index.
//
// The leader has the largest mean; the challenger is the arm that is cheapest to make as good as
// the leader would be with the slack. Cost a round of one pull: O(K), no allocation.
type EBTC struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Radius gives the half-widths of differences. Nil means radius.KaufmannKoolen{}.
	Radius radius.Radius
	// Slack is the paper's epsilon_0, in reward units. Zero means the tolerance of the question, or
	// a tenth of Problem.Sigma if there is none.
	Slack float64 `label:"slack %v" in:"[0,inf)" want:"a difference in reward units, or 0"`
	// Share is that of the leader, the paper's beta. Zero means 1/2.
	Share float64 `label:"share %v" usual:"0.5" in:"[0,1)" want:"a share between 0 and 1, or 0 for a half"`

	batcher
	arms  topTwo
	slack float64
}

// Card implements explore.Carded.
func (p *EBTC) Card() explore.Card {
	return byRadius(orKaufmannKoolen(p.Radius), explore.Card{
		Name:      "EB-TC",
		Answers:   []explore.Question{question.Best{}},
		Certifies: explore.CertifiesAmounts,
		Needs:     []explore.Need{explore.SubGaussian{}},
		Uses:      explore.UsesRelaxations | explore.UsesSums,
		Source:    "Jourdan, Degenne, Kaufmann 2023, Algorithm 1",
		Key:       "jourdan2023epsilon",
	})
}

// String returns the name with the settings.
func (p *EBTC) String() string { return named("EB-TC", p, orKaufmannKoolen(p.Radius)) }

// Init implements explore.Policy.
func (p *EBTC) Init(prob *explore.Problem, _ rand.Source) error {
	p.batcher.init(p, prob, nil, p.arms.Row)
	delta, r, err := checked(p, p.Delta, orKaufmannKoolen(p.Radius))
	if err != nil {
		return err
	}
	p.arms.family, p.arms.next = familyOf(r, prob), -1
	if err := p.arms.start(prob, "EBTC", delta, r); err != nil {
		return err
	}
	p.slack = cmp.Or(p.Slack, p.arms.epsilon, prob.Sigma/10)
	return nil
}

// Ask implements explore.Policy.
func (p *EBTC) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.arms.ask(dst, p, p.arms.next)
}

// Tell implements explore.Policy.
func (p *EBTC) Tell(obs []explore.Batch) error {
	p.arms.learn(obs)
	p.arms.choose(p.arms.best(), p.slack, cmp.Or(p.Share, .5))
	return nil
}

// Answer implements explore.Policy.
func (p *EBTC) Answer() explore.Answer { return p.arms.Answer() }
