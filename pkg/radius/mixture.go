package radius

import (
	"cmp"
	"fmt"
	"math"
)

// Mixture is the radius by mixtures of bets (Robbins, "Statistical methods related to the law of
// the iterated logarithm", 1970; the form for norms is that of Abbasi-Yadkori, Pal and Szepesvari,
// "Improved algorithms for linear stochastic bandits", 2011): with r = Rewards and y_i = log(1 +
// N_i/r) / 2,
//
//	beta_ij = sigma sqrt(2 (1/N_i + r/N_i^2 + 1/N_j + r/N_j^2) (x + y_i + y_j)),
//	          x = log(K (K-1) d / delta)
//	beta_i  = sigma sqrt(2 (1/N_i + r/N_i^2) (z + y_i)),        z = log(2 K d / delta)
//	U_i     = sigma_u sqrt(2 (1/N_i + r/N_i^2) (v + d y_i)),    v = log(2 K / delta)
//
// Half of delta goes to the pairs (and, apart from them, to the means), half to the norms. The
// events of pairs and norms hold at once with probability at least 1 - delta, whatever the law of
// rewards with these scales and whatever the dependence of their objectives, and for any sampling.
//
// Proof. Let e be the error of the sum of the first n rewards of an arm in one objective, with
// sigma = 1. For each l, exp(l e - l^2 n/2) is a supermartingale, and so is its mixture over l by
// the normal law of variance 1/r, exp(e^2/(2 (n + r)) - y). The product over the arms of a pair is
// one as rewards come in, whichever arm they are of. By Ville's inequality it ever reaches exp(x)
// with probability exp(-x) at most, for each of K (K-1)/2 pairs in each of d objectives. If it does
// not, e_i^2/(2 (N_i + r)) + e_j^2/(2 (N_j + r)) <= x + y_i + y_j, which bounds e_i/N_i - e_j/N_j
// by the inequality of Cauchy and Schwarz. Means are the case of one arm; for norms l is a vector.
//
// Up to about a hundred million rewards of an arm its intervals are narrower than those of
// [KaufmannKoolen], whose iterated logarithm wins in the end.
type Mixture struct {
	// Rewards is the number r of rewards of an arm from which on intervals are narrowest, for a
	// given number of them, up to a factor of about 20. Zero means 16.
	Rewards float64
}

// String returns "mixture".
func (r Mixture) String() string {
	if r.Rewards != 0 && r.Rewards != mixtureRewards {
		return fmt.Sprintf("mixture (%g rewards)", r.Rewards)
	}
	return "mixture"
}

const mixtureRewards = 16

// Validate reports whether the constants are those of a theorem.
func (r Mixture) Validate() error {
	if !(r.Rewards >= 0 && r.Rewards < math.Inf(1)) {
		return fmt.Errorf("radius: Mixture.Rewards is %v; want a positive number, or 0 for %d",
			r.Rewards, mixtureRewards)
	}
	return nil
}

// Holds implements Holder.
func (Mixture) Holds() Noise { return SubGaussian }

// Bind implements Radius.
func (r Mixture) Bind(p Params) Bonus {
	k, d := float64(p.Arms), float64(p.Objectives)
	b := &mixture{r: r.Rewards, d: d, sigma: p.Sigma, sigmaU: p.NormSigma,
		pair: math.Log(k * math.Max(k-1, 1) * d / p.Delta), mean: math.Log(2 * k * d / p.Delta),
		norm: math.Log(2 * k / p.Delta)}
	b.r = cmp.Or(b.r, mixtureRewards)
	return b
}

type mixture struct{ r, d, sigma, sigmaU, pair, mean, norm float64 }

func (b *mixture) Factors(int) (pair, norm float64) { return 1, 1 }

func (b *mixture) Term(count int) Term {
	n := float64(count)
	return Term{(1 + b.r/n) / n, math.Log1p(n/b.r) / 2}
}

func (b *mixture) Mean(n int) float64 {
	t := b.Term(n)
	return b.sigma * math.Sqrt(2*t.X*(b.mean+t.Y))
}

func (b *mixture) Pair(i, j Term) float64 {
	return b.sigma * math.Sqrt(2*(i.X+j.X)*(b.pair+(i.Y+j.Y)))
}

func (b *mixture) Norm(n int) float64 {
	t := b.Term(n)
	return b.sigmaU * math.Sqrt(2*t.X*(b.norm+b.d*t.Y))
}
