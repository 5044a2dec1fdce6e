package policy

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
)

// LinGIFA is Linear Gap Index Focused Algorithm (Reda, Kaufmann and Delahaye-Duriez, "Top-m
// Identification for Linear Bandits", AISTATS 2021, Algorithm 1 with the rules of section 3.2).
//
// Question: the M best arms of a linear model, up to Epsilon. As an answer to
// question.AllEpsilonBest, which is what the LinFACT paper compares it by, it is right if M is the
// number of arms within that question's Epsilon of the best. Fixed confidence.
//
// Assumptions: the means are linear in the features, rewards are sub-Gaussian of scale
// Problem.Sigma; with Norm, ||theta|| is at most Norm. Where the arms in places M and M + 1 are
// tied and Epsilon is 0, it does not stop.
//
// Guarantee (Theorem 1): with probability at least 1 - Delta, no returned arm is worse than the
// M-th best by more than Epsilon. It holds without Norm and Reg, where least squares is not
// regularised and widths are those of [SelfNormalized], and with Norm; not with [Heuristic], the
// choice of the paper's experiments.
//
// Deviations from the paper: without Reg, each arm is pulled once at first. With it, the prior is
// N(0, sigma^2/Reg I) and nothing is pulled at first, as in the paper, whose experiments have Reg
// = (sigma/20)^2. The width uses the determinant where the paper bounds it by the trace. Ties go
// to the lowest index. It gives no reasons: what it certifies is about M.
//
// Each round computes for each arm j the M-th largest of the upper bounds of how far others are
// ahead of it; J are the M arms for which that is smallest, b the worst of them, and c the arm
// outside that may be ahead of b by the most; it stops if b's index is at most Epsilon, and
// otherwise pulls the one of b and c that is known less well. Cost a round: O(K^2) for small M,
// O(K^2 M) at most; no allocation.
type LinGIFA struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// M is the number of arms to return, from 1 to K. It must be given.
	M int `label:"!m = %d"`
	// Epsilon is by how much a returned arm may be worse than the M-th best.
	Epsilon float64 `in:"[0,inf)" want:"a difference in reward units, at least 0"`
	// Threshold is the stopping threshold. Nil means SelfNormalized{}, or with Norm the bound of
	// Abbasi-Yadkori, Pal and Szepesvari for ridge regression.
	Threshold Threshold `label:"threshold %v" usual:"self-normalized (u = 0.1)"`
	// Norm is a bound on the Euclidean norm of theta, in reward units per feature unit. Zero means
	// that no bound is known.
	Norm float64 `label:"norm %v" in:"[0,inf)" want:"a bound on the norm of theta, or 0 if none is known"`
	// Reg is the weight of ||theta||^2 in least squares. Zero means 1 if Norm is given, and none
	// otherwise; then it must be 0, unless there is a Threshold without a theorem.
	Reg float64 `label:"reg %v" in:"[0,inf)" want:"a weight of at least 0"`
	// Select is the rule for the arm to pull.
	Select TopMSelection `label:"|largest variance|greedy|optimised ratio" in:"[0,3]" want:"a TopMSelection"`
	// Individual compares arms with the sum of the half-widths of the two, instead of that of their
	// difference.
	Individual bool `label:"individual widths"`

	topM
}

// Card implements explore.Carded.
func (p *LinGIFA) Card() explore.Card { return p.settings().card("Algorithm 1") }

// String returns the name with the settings.
func (p *LinGIFA) String() string { return named("LinGIFA", p) }

func (p *LinGIFA) settings() topMSettings {
	return topMSettings{name: "LinGIFA", called: "LinGIFA", delta: p.Delta, m: p.M,
		epsilon: p.Epsilon, threshold: p.Threshold, norm: p.Norm, reg: p.Reg, selection: p.Select,
		individual: p.Individual}
}

// Init implements explore.Policy.
func (p *LinGIFA) Init(prob *explore.Problem, _ rand.Source) error {
	err := p.init(p, prob, p.settings())
	if err == nil && p.belief.Solved {
		p.widths()
		err = p.pick()
	}
	return err
}

// Tell implements explore.Policy.
func (p *LinGIFA) Tell(obs []explore.Batch) error {
	if err := p.tell(obs); err != nil {
		return err
	}
	return p.pick()
}

// pick computes the indices, and stops or decides what to pull.
func (p *LinGIFA) pick() error {
	t := &p.topM
	mean, k, m := t.belief.Mean, t.belief.K, t.set.m
	for j := range k {
		// The m largest of mean_i + half_ij, in descending order, over i other than j.
		half, n := t.half[j*k:][:k], 0
		for i, v := range mean {
			if v += half[i]; i == j || n == m && v <= t.top[m-1] {
				continue
			}
			q := min(n, m-1)
			for ; q > 0 && t.top[q-1] < v; q-- {
				t.top[q] = t.top[q-1]
			}
			t.top[q] = v
			n = min(n+1, m)
		}
		t.index[j] = t.top[m-1] - mean[j]
	}
	t.put(func(i int) float64 { return t.index[i] })
	b := t.order[0]
	for _, j := range t.order[:m] {
		if t.index[j] > t.index[b] {
			b = j
		}
	}
	if t.over = t.index[b] <= p.Epsilon; !t.over {
		c, _ := t.rival(b)
		return t.choose(b, c, TopMVariance)
	}
	return nil
}

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
