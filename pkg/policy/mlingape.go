package policy

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
)

// MLinGapE is m-LinGapE, LinGapE for the top m arms (Reda, Kaufmann and Delahaye-Duriez, "Top-m
// Identification for Linear Bandits", AISTATS 2021, Algorithm 2).
//
// Question: the M best arms of a linear model, up to Epsilon; see [LinGIFA], whose assumptions it
// shares. Fixed confidence.
//
// Assumptions: those of LinGIFA.
//
// Guarantee (Theorem 1): with probability at least 1 - Delta, no returned arm is worse than the
// M-th best by more than Epsilon; not with [Heuristic].
//
// Deviations from the paper: without Norm and Reg least squares is not regularised. The width
// uses the determinant where the paper bounds it by the trace. The pair b, c is chosen again from
// the new rewards before the test (one public version tests the last pair). Ties go to the lowest
// index. It gives no reasons.
//
// It begins with one reward of each arm. J are the M arms with the largest estimates; of all
// pairs of one in J and one outside, it takes the pair b, c in which the one outside may be ahead
// by the most, stops if that is at most Epsilon, and otherwise pulls the arm that reduces the
// variance of their difference most, by the greedy rule; TopMRatio is the optimised one. Cost a
// round: O(K^2), no allocation; with TopMRatio one linear program for each new pair b, c.
type MLinGapE struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// M is the number of arms to return, from 1 to K. It must be given.
	M int `label:"!m = %d"`
	// Epsilon is by how much a returned arm may be worse than the M-th best.
	Epsilon float64 `in:"[0,inf)" want:"a difference in reward units, at least 0"`
	// Threshold, Norm, Reg and Select are those of LinGIFA.
	Threshold Threshold     `label:"threshold %v" usual:"self-normalized (u = 0.1)"`
	Norm      float64       `label:"norm %v" in:"[0,inf)" want:"a bound on the norm of theta, or 0 if none is known"`
	Reg       float64       `label:"reg %v" in:"[0,inf)" want:"a weight of at least 0"`
	Select    TopMSelection `label:"|largest variance|greedy|optimised ratio" in:"[0,3]" want:"a TopMSelection"`

	topM
}

// Card implements explore.Carded.
func (p *MLinGapE) Card() explore.Card { return p.settings().card("Algorithm 2") }

// String returns the name with the settings.
func (p *MLinGapE) String() string { return named("m-LinGapE", p) }

func (p *MLinGapE) settings() topMSettings {
	return topMSettings{name: "MLinGapE", called: "m-LinGapE", delta: p.Delta, m: p.M,
		epsilon: p.Epsilon, threshold: p.Threshold, norm: p.Norm, reg: p.Reg, selection: p.Select,
		pulled: true}
}

// Init implements explore.Policy.
func (p *MLinGapE) Init(prob *explore.Problem, _ rand.Source) error {
	return p.init(p, prob, p.settings())
}

// Tell implements explore.Policy.
func (p *MLinGapE) Tell(obs []explore.Batch) error {
	t := &p.topM
	if err := t.tell(obs); err != nil {
		return err
	}
	t.put(func(i int) float64 { return -t.belief.Mean[i] })
	b, c, most := -1, -1, -inf
	for _, j := range t.order[:t.set.m] {
		if i, v := t.rival(j); v > most {
			b, c, most = j, i, v
		}
	}
	if t.over = most <= p.Epsilon; !t.over {
		return t.choose(b, c, TopMGreedy)
	}
	return nil
}
