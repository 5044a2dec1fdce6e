package complexity

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/question"
)

// The constants of Theorem 4.4 of the e-cAPE paper, as in radius.Theory.
const (
	Alpha = 3.
	K1    = 2.
)

// UpperBound is that of Theorem 4.4 of the e-cAPE paper on the mean number of pulls of e-cAPE for q
// and means mu, which c is of, and sigmaU as there:
//
//	128 C log(64 C (4 k1 K d/delta)^(1/alpha)) + 4 H + Lambda,
//
// H the sum of 32 sigma_u^2 log(5^d/d)/eta^2 over items that are infeasible or optimal.
func (c CStar) UpperBound(
	q question.FeasiblePareto, mu *mat.Dense, sigmaU, delta float64,
) float64 {
	rows, columns := mu.Dims()
	k, d := float64(rows), float64(columns)
	truth, h := q.Truth(mu), 0.
	for i, eta := range truth.Eta {
		if !truth.Feasible[i] || truth.Optimal[i] {
			h += 32 * sigmaU * sigmaU * (d*math.Log(5) - math.Log(d)) / (eta * eta)
		}
	}
	return 128*c.Value*(math.Log(64*c.Value)+math.Log(4*K1*k*d/delta)/Alpha) + 4*h + lambda(k, d)
}

// lambda is the bound of Theorem 4.4 on Lambda_alpha, which does not depend on delta:
//
//	2^(alpha-1)/(4 k1) sum over T of (log T + 1) (f(T, 5^-d d) + f(T, 1) + 2/e) / T^(alpha-1)
//
// for f(T, x) = log(4 k1 K d T^alpha/x).
func lambda(k, d float64) float64 {
	const terms = 1_000_000 // those beyond add less than a thousandth
	f := 2*math.Log(4*K1*k*d) + d*math.Log(5) - math.Log(d) + 2/math.E
	sum := 0.
	for t := terms; t >= 1; t-- {
		log := math.Log(float64(t))
		sum += (log + 1) * (f + 2*Alpha*log) / math.Pow(float64(t), Alpha-1)
	}
	return math.Pow(2, Alpha-1) / (4 * K1) * sum
}

// LowerBound is that of Theorem E.1 of the e-cAPE paper on the mean number of pulls of every method
// that is right with probability 1 - delta, on a class of Gaussian problems with this Value:
// Value kl((1-delta)/2, delta)/4, or 0 if that is not above it.
func (c CStar) LowerBound(delta float64) float64 {
	x := (1 - delta) / 2
	if x <= delta {
		return 0
	}
	return c.Value / 4 * (x*math.Log(x/delta) + (1-x)*math.Log((1-x)/(1-delta)))
}
