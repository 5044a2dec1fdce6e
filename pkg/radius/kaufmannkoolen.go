package radius

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mathext"
)

// KaufmannKoolen is the radius from Kaufmann and Koolen, "Mixture martingales
// revisited" (JMLR 2021): uniform in time at the price of an iterated
// logarithm, with the exact function [CgG] and no free constant. Half of delta
// goes to the pairs (and, apart from them, to the means), half to the norms.
//
//	beta_ij = 2 sigma sqrt((1/N_i + 1/N_j) (CgG(x/2) + log(4 + log N_i) + log(4 + log N_j))),
//	          x = log(K (K-1) d / delta)
//	U_i     = sigma_u sqrt((2 d / N_i) (CgG(y/d) + 2 log(4 + log N_i))),  y = log(2 K / delta)
//	beta_i  = sigma sqrt((2 / N_i) (CgG(z) + 2 log(4 + log N_i))),        z = log(2 K d / delta)
//
// where beta_i is two-sided by itself. The events of pairs and norms hold at
// once with probability at least 1 - delta for Gaussian rewards (norms: with
// any covariance of operator norm sigma_u^2) and for sub-Gaussian rewards with
// independent objectives. Nothing depends on t.
type KaufmannKoolen struct{}

// String returns "Kaufmann-Koolen".
func (KaufmannKoolen) String() string { return "Kaufmann-Koolen" }

// Holds implements Holder.
func (KaufmannKoolen) Holds() Noise { return GaussianOrIndependent }

// Bind implements Radius.
func (KaufmannKoolen) Bind(p Params) Bonus {
	k, d := float64(p.Arms), float64(p.Objectives)
	b := &kaufmannKoolen{sigma: p.Sigma, sigmaU: p.NormSigma, d: d, loglogs: loglogs()}
	if p.Arms > 1 {
		b.pair = CgG(math.Log(k*(k-1)*d/p.Delta) / 2)
	}
	b.norm = CgG(math.Log(2*k/p.Delta) / d)
	b.mean = CgG(math.Log(2 * k * d / p.Delta))
	return b
}

type kaufmannKoolen struct {
	sigma, sigmaU, d, pair, norm, mean float64
	loglogs                            []float64
}

func (b *kaufmannKoolen) Factors(int) (pair, norm float64) { return 1, 1 }

// loglog returns log(4 + log n), the price of uniformity in time. Small n are
// looked up.
func (b *kaufmannKoolen) loglog(n int) float64 {
	if n < len(b.loglogs) {
		return b.loglogs[n]
	}
	return math.Log(4 + math.Log(float64(n)))
}

var loglogs = sync.OnceValue(func() []float64 {
	t := make([]float64, 1<<16)
	for n := 1; n < len(t); n++ {
		t[n] = math.Log(4 + math.Log(float64(n)))
	}
	return t
})

func (b *kaufmannKoolen) Mean(n int) float64 {
	return b.sigma * math.Sqrt(2/float64(n)*(b.mean+2*b.loglog(n)))
}

func (b *kaufmannKoolen) Term(n int) Term { return Term{1 / float64(n), b.loglog(n)} }

func (b *kaufmannKoolen) Pair(i, j Term) float64 {
	return 2 * b.sigma * math.Sqrt((i.X+j.X)*(b.pair+(i.Y+j.Y)))
}

func (b *kaufmannKoolen) Norm(n int) float64 {
	return b.sigmaU * math.Sqrt(2*b.d/float64(n)*(b.norm+2*b.loglog(n)))
}

// CgG is the calibration function of Kaufmann and Koolen (2021) for Gaussian
// rewards,
//
//	CgG(x) = min over l in (1/2, 1) of (g(l) + x) / l,
//	g(l)   = 2 l - 2 l log(4 l) + log zeta(2 l) - log(1 - l) / 2,
//
// so that, for a fixed set A of means of unit-variance rewards,
//
//	P(exists t: sum over A of N_a (muhat_a - mu_a)^2 / 2
//	            > 2 sum over A of log(4 + log N_a) + |A| CgG(x/|A|)) <= exp(-x).
//
// It is x + log x + O(log log x) for large x, and finite at 0. Negative x
// counts as 0.
func CgG(x float64) float64 {
	x = math.Max(x, 0)
	h := func(l float64) float64 {
		g := 2*l - 2*l*math.Log(4*l) + math.Log(mathext.Zeta(2*l, 1)) - math.Log1p(-l)/2
		return (g + x) / l
	}
	// h is unimodal: it tends to +infinity at both ends and g is convex there.
	// Golden section in s = -log(1-l), since the minimiser approaches 1 as x
	// grows (1 - l is about 1/(2x)).
	const phi = 0.6180339887498949
	at := func(s float64) float64 { return h(-math.Expm1(-s)) }
	lo, hi := math.Ln2*(1+1e-9), math.Log(4*(x+4))+4
	a, b := hi-phi*(hi-lo), lo+phi*(hi-lo)
	ha, hb := at(a), at(b)
	for range 80 {
		if ha < hb {
			hi, b, hb = b, a, ha
			a = hi - phi*(hi-lo)
			ha = at(a)
		} else {
			lo, a, ha = a, b, hb
			b = lo + phi*(hi-lo)
			hb = at(b)
		}
	}
	return math.Min(ha, hb)
}
