package policy

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// ST2 is (ST)^2, Sample the Threshold, Split the Threshold (Mason, Jain, Tripathy and Nowak,
// "Finding All epsilon-Good Arms in Stochastic Bandits", NeurIPS 2020, Algorithm 1).
//
// Question: all arms within Epsilon of the best (question.AllEpsilonBest, additive or
// multiplicative), whose features, if there are any, are not used. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma; with Multiplicative, the largest
// mean is above the question's Zero. Where an arm is on the threshold it does not stop.
//
// Guarantee (Theorem 3.1): the answer is right with probability at least 1 - Delta, with a radius
// that holds for all arms at all times, as the default does; pulls are of order sum of 1/max(gap
// to the threshold, ...)^2 log(K/Delta).
//
// Deviations from the paper: no slack gamma. Whether an arm is good is judged by what the other
// arms may be, so that the best arm is known once it is certain to be, and Epsilon may be 0. The
// radius is that of Kaufmann and Koolen by default; that of the public code, with an iterated
// logarithm, has no union bound over times that is proved. An arm that two rules choose is pulled
// once. Ties go to the lowest index.
//
// Each round pulls the arm with the largest upper confidence bound, the arm that seems good with
// the smallest lower one, and the arm that seems not to be with the largest upper one, the last
// two if they are not certain. Cost a round: O(K), no allocation.
type ST2 struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Radius gives the confidence intervals of means. Nil means radius.KaufmannKoolen{}.
	Radius radius.Radius

	batcher
	arms goodArms
	next [3]int
}

// Card implements explore.Carded.
func (p *ST2) Card() explore.Card {
	return byRadius(orKaufmannKoolen(p.Radius), explore.Card{
		Name:      "(ST)^2",
		Answers:   []explore.Question{question.AllEpsilonBest{}},
		Certifies: explore.CertifiesSet,
		Needs:     []explore.Need{explore.SubGaussian{}},
		Uses:      explore.UsesRelaxations,
		Source:    "Mason, Jain, Tripathy, Nowak 2020, Algorithm 1",
		Key:       "mason2020finding",
	})
}

// String returns the name with the settings.
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
