package ecape

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// The constants of Theorem 4.4, as in radius.Theory.
const (
	alpha = 3.
	k1    = 2.
)

// upperBound is that of Theorem 4.4 on the mean number of pulls of e-cAPE,
//
//	128 C log(64 C (4 k1 K d/delta)^(1/alpha)) + 4 H + Lambda,
//
// H the sum of 32 sigma_u^2 log(5^d/d)/eta^2 over arms that are infeasible or optimal.
func upperBound(inst *bandit.Instance, delta float64) float64 {
	p := inst.Problem
	k, d := float64(p.K()), float64(p.D())
	c := cStar(inst).Value
	u := p.SigmaU()
	truth, h := asked(inst).Truth(inst.Truth()), 0.
	for i, eta := range truth.Eta {
		if !truth.Feasible[i] || truth.Optimal[i] {
			h += 32 * u * u * (d*math.Log(5) - math.Log(d)) / (eta * eta)
		}
	}
	return 128*c*(math.Log(64*c)+math.Log(4*k1*k*d/delta)/alpha) + 4*h + lambda(k, d)
}

// lambda is the bound of Theorem 4.4 on Lambda_alpha, which does not depend on delta:
//
//	2^(alpha-1)/(4 k1) sum over T of (log T + 1) (f(T, 5^-d d) + f(T, 1) + 2/e) / T^(alpha-1)
//
// for f(T, x) = log(4 k1 K d T^alpha/x).
func lambda(k, d float64) float64 {
	const terms = 1_000_000 // those beyond add less than a thousandth
	f := 2*math.Log(4*k1*k*d) + d*math.Log(5) - math.Log(d) + 2/math.E
	sum := 0.
	for t := terms; t >= 1; t-- {
		log := math.Log(float64(t))
		sum += (log + 1) * (f + 2*alpha*log) / math.Pow(float64(t), alpha-1)
	}
	return math.Pow(2, alpha-1) / (4 * k1) * sum
}

// lowerBound is that of Theorem E.1 on the mean number of pulls of every method that is right with
// probability 1 - delta, on a class of Gaussian instances: C kl((1-delta)/2, delta)/4, or 0 if that
// is not above it.
func lowerBound(c, delta float64) float64 {
	x := (1 - delta) / 2
	if x <= delta {
		return 0
	}
	return c / 4 * (x*math.Log(x/delta) + (1-x)*math.Log((1-x)/(1-delta)))
}

// Theorems returns the bounds of Theorems 4.5, E.1 and 4.4 on the instances of experiments, beside
// the mean number of pulls of e-cAPE with the constants of Theorem 4.4, over so many runs. It
// panics if runs is not positive.
func Theorems(runs int, es ...study.Experiment) (*tidy.Table, error) {
	if runs < 1 {
		panic("ecape: Theorems of no runs")
	}
	t := &tidy.Table{
		Title: "What Theorems 4.4, 4.5 and E.1 amount to",
		Columns: tidy.Columns("instance", "delta", "C* [pulls]",
			"4.5: C* log(1/delta)/8 [pulls]", "E.1: below [pulls]", "T* kl [pulls]",
			"needed [pulls]", "4.4: above [pulls]", "above / needed"),
		Notes: []string{fmt.Sprintf(
			"Needed: means over %d runs of e-cAPE with the radii of Theorem 4.4, alpha = %v, "+
				"k1 = %v. Theorem 4.5 is about delta to 0, and both lower bounds about a class "+
				"of Gaussian instances. T* kl is the "+
				"lower bound for the set alone (Proposition 3.4).", runs, alpha, k1)},
	}
	for _, e := range es {
		all, err := e.Instances()
		if err != nil {
			return t, err
		}
		for _, inst := range all {
			p := &policy.ECAPE{Delta: e.Delta, Radius: radius.Theory{Alpha: alpha, K1: k1}}
			took, err := study.Try(inst, p, runs, nil)
			if err != nil {
				return t, err
			}
			set, err := characteristicTime(inst, true)
			if err != nil {
				return t, err
			}
			c, above := cStar(inst).Value, upperBound(inst, e.Delta)
			mean := stat.Mean(took.Pulls, nil)
			t.Rows = append(t.Rows, []any{inst.Name, e.Delta, c, c / 8 * math.Log(1/e.Delta),
				lowerBound(c, e.Delta), set.LowerBound(e.Delta), mean, above,
				fmt.Sprintf("%.0f", above/mean)})
		}
	}
	return t, nil
}

// Costs returns what each arm of an instance costs e-cAPE and a two-stage method: the terms of C*
// and of HPSI + HF.
func Costs(inst *bandit.Instance) *tidy.Table {
	c := cStar(inst)
	t := meansOf(inst)
	t.Title = "What the arms cost: " + inst.Name
	t.Notes = append(t.Notes, fmt.Sprintf("C* = %.0f pulls, up to constants and logarithms; a "+
		"two-stage method pays HPSI + HF = %.0f.",
		c.Value, c.HPSI+c.HF))
	return t
}
