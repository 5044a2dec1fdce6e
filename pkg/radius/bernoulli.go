package radius

import (
	"fmt"
	"math"
)

// Bernoulli is the radius for successes and failures: rewards are 0 or R, or any values between 0
// and R, where R is 2 Params.Sigma. After N rewards with the sum s R, let
//
//	L_i(q) = s log(1/q) + (N - s) log(1/(1 - q)) + log(B(s + 1/2, N - s + 1/2) / pi),
//
// where B is the beta function. Half-widths are the largest distances of the following rates from
// the observed rates:
//
//	beta_i    the rates q with L_i(q) < log(2 K d / delta),
//	beta_ij   the differences of rates q and r with L_i(q) + L_j(r) < log(K (K-1) d / delta),
//	U_i = sqrt(d) beta_i.
//
// The term exp(L_i) is a mixture of likelihood ratios, with the weights of Krichevsky and Trofimov
// ("The performance of universal encoding", 1981). If the true rate is q, exp(L_i) is a
// supermartingale with initial value 1. For rewards between 0 and R, exp(L_i) is also a
// supermartingale, because the likelihood ratio is a convex function of the reward and lies below
// its chord, as in Hoeffding's bound. The product of exp(L_i) for two arms is also a
// supermartingale, whichever arm is measured. By Ville's inequality, the probability that exp(L_i)
// ever reaches 2 K d/delta is at most delta/(2 K d). Likewise, the probability that the product for
// two arms ever reaches K (K-1) d/delta is at most delta/(K (K-1) d). Hence, all half-widths hold
// simultaneously with probability at least 1 - delta. The intervals are confidence sequences by
// betting (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", JRSS
// B 2024). The half-widths are approximately proportional to the standard deviation of a Bernoulli
// reward; those of sub-Gaussian radii are proportional to half the range. Because the intervals
// hold for all counts, the logarithms increase by about log(N)/2 for each arm.
//
// Policies that support [Fitted], such as LUCB and e-cAPE, use the half-widths of Bernoulli. All
// other policies use half-widths that depend on counts only, sqrt((log(4 K d / delta) +
// log(N)/2) / (2 N)) R.
type Bernoulli struct {
	// Trials is the number of independent trials in a reward, if a reward counts successes. R is
	// then 2 Params.Sigma sqrt(Trials). Zero means 1.
	Trials int
	// If Centered is true, rewards are between -R/2 and R/2. Without Centered, rewards are between
	// 0 and R or, for an objective that is minimised, between -R and 0.
	Centered bool
}

// String returns "Bernoulli", followed by Trials if Trials is above 1.
func (r Bernoulli) String() string {
	if r.Trials > 1 {
		return fmt.Sprintf("Bernoulli, %d trials", r.Trials)
	}
	return "Bernoulli"
}

// Holds implements Holder.
func (Bernoulli) Holds() Noise { return Bounded }

// Bind implements Radius.
func (r Bernoulli) Bind(p Params) Bonus {
	t := math.Max(float64(r.Trials), 1)
	k, d := float64(p.Arms), float64(p.Objectives)
	b := bernoulli{trials: t, length: 2 * p.Sigma * math.Sqrt(t), root: math.Sqrt(d),
		mean: math.Log(2 * k * d / p.Delta), pair: math.Log(k * math.Max(k-1, 1) * d / p.Delta)}
	if r.Centered {
		b.center = b.length / 2
	}
	return b
}

type bernoulli struct{ trials, length, center, root, mean, pair float64 }

func (b bernoulli) Factors(int) (pair, norm float64) { return 1, 1 }

func (b bernoulli) Mean(count int) float64 {
	// The mixture over rates is at least 1/(2 sqrt(n)) times the largest likelihood.
	n := float64(count) * b.trials
	return b.length * math.Sqrt((b.mean+math.Ln2+math.Log(n)/2)/(2*n))
}

func (b bernoulli) Term(n int) Term        { return Term{X: b.Mean(n)} }
func (b bernoulli) Pair(i, j Term) float64 { return i.X + j.X }
func (b bernoulli) Norm(n int) float64     { return b.root * b.Mean(n) }

// rate returns the number of trials of an arm, and the observed rate of successes (or of failures).
func (b bernoulli) rate(s Seen) (n, p float64) {
	const rounding = 1e-12
	p = math.Abs(s.Mean+b.center) / b.length
	switch {
	case p < rounding:
		p = 0
	case p > 1-rounding:
		p = 1
	}
	return float64(s.N) * b.trials, p
}

// Around implements Fitted.
func (b bernoulli) Around(_ int, s Seen) float64 {
	n, p := b.rate(s)
	p = math.Min(p, 1-p) // the end of the interval on the side of 1/2 is farther from p
	return b.length * reach(1, b.mean-evidence(n, p), slope(n, p), func(u float64) (far, used float64) {
		q := above(n, p, u)
		return q - p, n * divergence(p, q)
	})
}

// Apart implements Fitted.
func (b bernoulli) Apart(_ int, i, j Seen) float64 {
	n, p := b.rate(i)
	m, q := b.rate(j)
	x := b.pair - evidence(n, p) - evidence(m, q)
	return b.length * math.Max(apart(n, p, m, q, x), apart(m, q, n, p, x))
}

// Squares implements Fitted.
func (bernoulli) Squares() bool { return false }

// Within implements Fitted.
func (b bernoulli) Within(_ int, lo, hi float64) bool {
	near := 1e-9 * b.length
	if b.center > 0 {
		return lo >= -b.center-near && hi <= b.center+near
	}
	return lo >= -near && hi <= b.length+near || hi <= near && lo >= -b.length-near
}

// Range implements Fitted.
func (b bernoulli) Range(_ int, scale float64) string {
	if b.center > 0 {
		return fmt.Sprintf("between %v and %v", -scale*b.center, scale*b.center)
	}
	return fmt.Sprintf("between 0 and %v, or between %v and 0", scale*b.length, -scale*b.length)
}

// evidence returns the logarithm of the mixture at the observed rate p after n trials. At another
// rate q, the logarithm of the mixture is larger by n kl(p, q).
func evidence(n, p float64) float64 {
	s := n * p
	f := n - s
	ls, _ := math.Lgamma(s + .5)
	lf, _ := math.Lgamma(f + .5)
	ln, _ := math.Lgamma(n + 1)
	return ls + lf - ln - math.Log(math.Pi) - xlogx(p, s) - xlogx(1-p, f)
}

// xlogx returns n log(p), or 0 if n = 0.
func xlogx(p, n float64) float64 {
	if n <= 0 {
		return 0
	}
	return n * math.Log(p)
}

// apart returns the largest b - a - (q - p) for rates a and b with n kl(p, a) + m kl(q, b) <= x.
func apart(n, p, m, q, x float64) float64 {
	start := 1 / math.Hypot(1/slope(n, p), 1/slope(m, q))
	return reach(1-(q-p), x, start, func(u float64) (far, used float64) {
		failing, b := above(n, 1-p, u), above(m, q, u)
		return b - q + failing - (1 - p), n*divergence(1-p, failing) + m*divergence(q, b)
	})
}

// reach returns an upper bound on the distance of rates from the observed rates if their divergence
// is at most x. The argument most is a trivial bound. For u > 0, at(u) returns the distance and the
// divergence of the rates that minimise a convex function: the divergence minus u times the
// distance. By duality, far + (x - used)/u is an upper bound for each u. The smallest bound is
// reached for the u with used = x.
func reach(most, x, u float64, at func(u float64) (far, used float64)) float64 {
	u *= math.Sqrt(2 * x)
	power := 2. // the divergence is approximately proportional to this power of u
	lo, hi := 0., math.Inf(1)
	for step, lastU, last := 0, 0., 0.; step < 100; step++ {
		far, used := at(u)
		if used < math.Inf(1) {
			most = math.Min(most, far+(x-used)/u)
		}
		switch {
		case math.Abs(used-x) <= math.Max(1e-6*x, 1e-10*u) || hi <= lo*(1+1e-9):
			return most
		case used < x:
			lo = u
		default:
			hi = u
		}
		if r := used / last; r > 0 && r < math.Inf(1) {
			power = math.Max(.1, math.Log(r)/math.Log(u/lastU))
		}
		lastU, last = u, used
		if u *= math.Pow(x/used, 1/power); !(u > lo && u < hi) {
			u = math.Sqrt(math.Max(lo, lastU/4) * math.Min(hi, 4*lastU))
		}
	}
	return most
}

// slope approximates the slope of the divergence at the point where the divergence is 1/2.
func slope(n, p float64) float64 { return math.Sqrt(n / (p*(1-p) + 1/(2*n))) }

// above returns the rate q above p at which the slope of n kl(p, .) is u: u q (1 - q) = n (q - p).
func above(n, p, u float64) float64 {
	root := math.Sqrt((n-u)*(n-u) + 4*u*n*p)
	if u >= n {
		return (u - n + root) / (2 * u)
	}
	return 2 * n * p / (n - u + root)
}

// divergence returns kl(p, q), the divergence of two Bernoulli distributions.
func divergence(p, q float64) float64 {
	d := 0.
	if p > 0 {
		d += p * math.Log(p/q)
	}
	if p < 1 {
		d += (1 - p) * math.Log((1-p)/(1-q))
	}
	return math.Max(d, 0)
}
