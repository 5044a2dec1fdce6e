package pfiwr

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// The following constants are names of the bounds.
const (
	Lower    = "Theorem 3.1, some instance"
	Narrow   = "width (12) narrow enough"
	Explicit = "Theorem 4.3, explicit"
)

// bounds are numbers of pulls that follow from the theorems of the paper.
var bounds = []study.Bound{
	bound(Lower, LowerBound), bound(Narrow, NarrowAt), bound(Explicit, SampleBound),
}

// bound converts a number of pulls to a study.Bound. In rows of the bound, all pulls are pulls of
// one Pareto-optimal arm.
func bound(name string, of func(c policy.PFIwRConstants, accuracy float64) float64) study.Bound {
	return study.Bound{Name: name, Plan: func(t study.Task) (study.Plan, error) {
		front := pareto.Set(t.Instance.Truth())
		n := of(Constants(t.Instance, t.Delta), Accuracy(t.Instance))
		if math.IsInf(n, 1) {
			return study.Plan{}, study.ErrNoBound
		}
		return study.Plan{
			Rounds: [][]explore.Pull{{{Arm: front[0], N: int(math.Ceil(n))}}},
			Answer: explore.Answer{Items: front},
		}, nil
	}}
}

// Constants returns the constants in the paper's theorems for an instance, with p = 1/2 and S = 1.
// If arms have no features, they have unit vectors as features.
func Constants(inst *bandit.Instance, delta float64) policy.PFIwRConstants {
	p := inst.Problem
	c := policy.PFIwRConstants{
		Arms: p.K(), Features: p.H(), Objectives: p.D(), Delta: delta, P: half, Norm: 1,
	}
	c.Features = cmp.Or(c.Features, c.Arms)
	return c
}

// Accuracy returns Delta_eps, the maximum of the question's epsilon and Delta in (5). If the errors
// of all estimated means are below Delta_eps, the Pareto front is certain.
func Accuracy(inst *bandit.Instance) float64 {
	eps := inst.Problem.Question.(question.Pareto).Epsilon
	return max(eps, Delta(inst.Truth()))
}

// Delta returns the complexity (5) of the means, a K x L matrix. Delta is the minimum of two
// numbers: the smallest regret of a suboptimal arm, and the smallest M(i,j) of the paper over pairs
// of optimal arms.
func Delta(mu *mat.Dense) float64 {
	front, least := pareto.Set(mu), math.Inf(1)
	for i, regret := range pareto.Regrets(mu) {
		if !slices.Contains(front, i) {
			least = min(least, regret)
		}
	}
	for _, i := range front {
		for _, j := range front {
			if i != j {
				least = min(least, max(0, pareto.Excess(mu.RawRowView(i), mu.RawRowView(j))))
			}
		}
	}
	return least
}

// LowerBound returns the number of pulls in Theorem 3.1, with the constant in its proof (A.2): on
// some instance, fewer pulls do not suffice. For the given instance, fewer pulls may suffice. The
// proof does not support the printed constant: Lemma A.1 yields only a quarter of this constant,
// with log(4L/delta). The probability in the proof is not equal to delta, because 1/4 exp(-x) is
// delta^(1/L) at x = log(delta^(-1/L)/4), not at log(4 delta^(-1/L)).
func LowerBound(c policy.PFIwRConstants, accuracy float64) float64 {
	d, l := float64(c.Features), float64(c.Objectives)
	return d / (4 * l * accuracy * accuracy) * math.Log(4/c.Delta)
}

// NarrowAt returns the first number of pulls at which the width (12) is at most a fifth of the
// accuracy (28). According to the proof of Theorem 4.3, Algorithm 1 stops by this number of pulls.
func NarrowAt(c policy.PFIwRConstants, accuracy float64) float64 {
	lo, hi := 1, 1
	for c.Beta(hi) > accuracy/5 {
		if hi > math.MaxInt/4 {
			return math.Inf(1)
		}
		lo, hi = hi, 2*hi
	}
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; c.Beta(mid) > accuracy/5 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return max(float64(hi), c.Start())
}

// SampleBound returns the finite-sample bound of Theorem 4.3 (appendix A.5, step 6).
func SampleBound(c policy.PFIwRConstants, accuracy float64) float64 {
	k, d, l, s := float64(c.Arms), float64(c.Features), float64(c.Objectives), c.Norm
	square := accuracy * accuracy
	ds := 5*math.Sqrt(8)*s + 4/c.P*math.Sqrt(2*d) + 4
	term := func(a, b float64) float64 {
		root := 1 + math.Sqrt(math.Log(b))
		return a * root * root
	}
	a1, a3, a4 := 28800*s*s/square, 288*ds*ds/square, 64*(d+2)/(1-c.P)
	return max(
		term(a1, a1/math.E*math.Sqrt(6*d*l/c.Delta)),
		term(3600*d/(square*c.P*c.P), 69120*d*l/(square*math.E*c.P*c.P*c.Delta)),
		term(a3, a3/math.E*math.Sqrt(6*k*l/c.Delta)),
		term(a4, a4/math.E*math.Sqrt(5*d*l/c.Delta)))
}

// RegretBound returns the bound of Theorem 4.4 on the cumulative regret of n pulls. The argument
// random is the length of the random phase; most is the largest possible regret of a round. Each
// round of the random phase contributes most to the bound. Each later round t contributes min(most,
// 2 scale beta_{t-1}). Long sums are approximated by upper bounds, whose relative error is at most
// a thousandth.
func RegretBound(c policy.PFIwRConstants, scale, most float64, random, n int) float64 {
	random = min(random, n)
	return most*float64(random) + scale*widths(c, most/scale, random, n)
}

// widths returns an upper bound on the sum of min(most, 2 beta_t) over from <= t < to. The terms of
// the sum decrease in t.
func widths(c policy.PFIwRConstants, most float64, from, to int) (sum float64) {
	for t := from; t < to; {
		step := min(1+t/1000, to-t)
		sum += float64(step) * min(most, 2*c.Beta(max(t, 1)))
		t += step
	}
	return sum
}

// exponent returns the exponent with which the bound of Theorem 4.4 grows, after the random phase,
// between two numbers of pulls.
func exponent(c policy.PFIwRConstants, from, to int) float64 {
	start := int(c.Start())
	after := func(n int) float64 { return widths(c, math.Inf(1), start, n) }
	return math.Log(after(to)/after(from)) / math.Log(float64(to)/float64(from))
}
