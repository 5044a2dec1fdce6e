// Package radius provides confidence radii. All radii except [Each] are comparable struct types.
// The printed form of a radius is its name for legends, rows and reports.
//
//	p := radius.Params{Arms: 5, Objectives: 1, Sigma: 0.5, NormSigma: 0.5, Delta: 0.1}
//	b := radius.Theory{}.Bind(p)
//	factor, _ := b.Factors(1000)  // after 1000 pulls in total
//	half := factor * b.Mean(200)  // half-width of the mean of an arm with 200 of these pulls
//
// A [Radius] selects formulas and constants. When a radius is bound to a problem, it becomes a
// [Bonus], which returns half-widths of confidence intervals for given numbers of pulls. A radius
// covers three events, each for all times simultaneously:
//
//	every mean:   |muhat_i^c - mu_i^c| <= beta_i(t)              all arms i, objectives c
//	every pair:   the errors of arms i and j, in any one objective,
//	              differ by at most beta_ij(t)                   all pairs i, j
//	every norm:   ||muhat_i - mu_i||_2 <= U_i(t)                 all arms i
//
// Each half-width is a factor that depends on time, times a function of counts,
//
//	beta_ij(t) = factor(t) Pair(N_i, N_j),    U_i(t) = factor(t) Norm(N_i),
//
// so that a policy recomputes the functions of counts only for arms that were pulled.
package radius

import (
	"cmp"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mathext"
)

// Params contains the parameters of half-widths, apart from counts and time.
type Params struct {
	Arms, Objectives int
	Sigma            float64 // sub-Gaussian scale of each objective
	NormSigma        float64 // sub-Gaussian scale of every projection on a unit vector
	Delta            float64 // error probability of all events together
}

// A Radius selects the formulas for confidence radii.
type Radius interface {
	fmt.Stringer
	// Bind returns the half-widths of the radius for a given problem.
	Bind(p Params) Bonus
}

// A Bonus computes half-widths for one problem. All counts must be at least 1.
type Bonus interface {
	// Factors returns those factors of the half-widths that depend on the time t, which is the
	// total number of pulls. The result pair is the factor for Mean and Pair; the result norm is
	// the factor for Norm.
	Factors(t int) (pair, norm float64)
	// Mean returns beta_i divided by its factor, for an arm with n pulls.
	Mean(n int) float64
	// Term returns what an arm with n pulls contributes to Pair.
	Term(n int) Term
	// Pair returns beta_ij divided by its factor, for two arms with the terms i and j.
	Pair(i, j Term) float64
	// Norm returns U_i divided by its factor, for an arm with n pulls.
	Norm(n int) float64
}

// A Term is the contribution of an arm to the half-widths of pairs; it depends on the arm's number
// of pulls. Policies compute the Term of an arm only when the arm is pulled, so that computing the
// half-width of a pair requires at most one square root. The zero Term is smaller than the Term of
// an arm with any number of pulls.
type Term struct{ X, Y float64 }

// Theory is the radius in Theorem 4.4 of the e-cAPE paper:
//
//	beta_i  = sigma   sqrt(2 f / N_i),  f = log(4 k1 K d t^alpha / delta)
//	beta_ij = beta_i + beta_j
//	U_i     = sigma_u sqrt(2 g / N_i),  g = 4 log(4 k1 K 5^d t^alpha / delta)
//
// All three events hold simultaneously with probability at least 1 - delta for sub-Gaussian
// rewards. In Theory, the time t is the total number of pulls.
type Theory struct {
	// Alpha is the exponent of time, above 2; zero means 3.
	Alpha float64
	// K1 must be above 1 + 1/(Alpha-1); zero means 2, which is valid because Alpha is above 2.
	K1 float64
	// If Gaussian is true, the concentration of the norm of a Gaussian vector replaces the covering
	// argument for g (e-cAPE paper, section 4.2, "improved confidence bounds").
	//
	//	U_i = sigma_u (sqrt(d) + sqrt(2 log(4 k1 K t^alpha / delta))) / sqrt(N_i).
	//
	// For 2 to 10 objectives, the Gaussian U_i is about 0.56 times as wide as the default U_i. The
	// Gaussian U_i also holds for sub-Gaussian rewards (Hsu, Kakade and Zhang, "A tail inequality
	// for quadratic forms of subgaussian random vectors", 2012).
	Gaussian bool
}

func (r Theory) constants() (alpha, k1 float64) {
	alpha, k1 = r.Alpha, r.K1
	alpha = cmp.Or(alpha, 3)
	k1 = cmp.Or(k1, 2)
	return alpha, k1
}

// Validate returns an error if the constants do not satisfy the conditions of the theorem.
func (r Theory) Validate() error {
	alpha, k1 := r.constants()
	if !(alpha > 2) {
		return fmt.Errorf("radius: Theory.Alpha is %v; expected more than 2, as in the theorem", alpha)
	}
	if low := 1 + 1/(alpha-1); !(k1 > low) {
		return fmt.Errorf("radius: Theory.K1 is %v; expected more than 1 + 1/(Alpha-1) = %v, as in the "+
			"theorem", k1, low)
	}
	return nil
}

// String returns "theory", followed by the settings that differ from the defaults.
func (r Theory) String() string {
	s := "theory"
	if r.Gaussian {
		s = "theory, Gaussian norm"
	}
	if r.Alpha != 0 || r.K1 != 0 {
		alpha, k1 := r.constants()
		s += fmt.Sprintf(" (alpha %g, k1 %g)", alpha, k1)
	}
	return s
}

// Holds implements Holder.
func (Theory) Holds() Noise { return SubGaussian }

// Bind implements Radius.
func (r Theory) Bind(p Params) Bonus {
	alpha, k1 := r.constants()
	k, d := float64(p.Arms), float64(p.Objectives)
	b := theory{
		rooted: rooted{p.Sigma * math.Sqrt2, p.NormSigma * math.Sqrt2},
		alpha:  alpha,
		logF:   math.Log(4 * k1 * k * d / p.Delta),
		logG:   math.Log(4*k1*k/p.Delta) + d*math.Log(5),
	}
	if r.Gaussian {
		b.logG, b.rootD = math.Log(4*k1*k/p.Delta), math.Sqrt(d)
	}
	return &b
}

// rooted computes half-widths that are a constant divided by the square root of the count. The
// half-width of a pair is the sum of the half-widths of the two arms.
type rooted struct{ sigma, sigmaU float64 }

func (b rooted) Mean(n int) float64     { return b.sigma / math.Sqrt(float64(n)) }
func (b rooted) Term(n int) Term        { return Term{X: b.Mean(n)} }
func (b rooted) Pair(i, j Term) float64 { return i.X + j.X }
func (b rooted) Norm(n int) float64     { return b.sigmaU / math.Sqrt(float64(n)) }

type theory struct {
	rooted
	alpha, logF, logG float64
	rootD             float64 // sqrt(d) with Gaussian norms, and 0 otherwise
}

func (b *theory) Factors(t int) (pair, norm float64) {
	lt := b.alpha * math.Log(float64(t))
	pair = math.Sqrt(b.logF + lt)
	if b.rootD > 0 {
		return pair, b.rootD/math.Sqrt2 + math.Sqrt(b.logG+lt)
	}
	return pair, 2 * math.Sqrt(b.logG+lt)
}

// Paper is the radius in the experiments of the e-cAPE paper (section 5). Paper's half-widths are
// smaller than the theorem permits, because they include no union bound over arms and objectives.
// With the radius Paper, Delta is only nominal.
//
//	beta_i  = sigma   sqrt(2 L / N_i),  L = log(max(log t, 1) / delta)
//	beta_ij = sqrt(beta_i^2 + beta_j^2)
//	U_i     = sigma_u sqrt(2 L / N_i)
//
// The paper does not state U_i for the experiments; this project uses equation (4.1) of the paper
// with the logarithm L. For d > 1, U_i is too small: the norm of the error is already about sigma
// sqrt(d/N_i) on average. If the field Gaussian is true, U_i is corrected.
type Paper struct {
	// If Gaussian is true, U_i = sigma_u (sqrt(d) + sqrt(2 L)) / sqrt(N_i).
	Gaussian bool
}

// String returns "paper", followed by "Gaussian norm" if Gaussian is true.
func (r Paper) String() string {
	if r.Gaussian {
		return "paper, Gaussian norm"
	}
	return "paper"
}

// Bind implements Radius.
func (r Paper) Bind(p Params) Bonus {
	b := &paper{rooted: rooted{p.Sigma * math.Sqrt2, p.NormSigma * math.Sqrt2}, delta: p.Delta}
	if r.Gaussian {
		b.rootD = math.Sqrt(float64(p.Objectives) / 2)
	}
	return b
}

type paper struct {
	rooted
	delta, rootD float64
}

func (b *paper) Factors(t int) (pair, norm float64) {
	pair = math.Sqrt(math.Log(math.Max(math.Log(float64(t)), 1) / b.delta))
	return pair, pair + b.rootD
}

func (b *paper) Term(n int) Term        { return Term{X: 1 / float64(n)} }
func (b *paper) Pair(i, j Term) float64 { return b.sigma * math.Sqrt(i.X+j.X) }

// A Fitted is a Bonus with half-widths that adapt to the observed rewards: they are narrower if
// rewards vary less than Sigma permits. The half-widths of [Bonus], which depend on counts only,
// are also valid.
type Fitted interface {
	Bonus
	// Around returns beta_i divided by its factor, for objective c of an arm with the given
	// rewards.
	Around(c int, s Seen) float64
	// Apart returns beta_ij divided by its factor, for objective c of two arms with the given
	// rewards.
	Apart(c int, i, j Seen) float64
	// Squares reports whether the bonus uses Seen.Spread.
	Squares() bool
	// Within reports whether the bonus is valid if all rewards of objective c are between lo and
	// hi.
	Within(c int, lo, hi float64) bool
	// Range describes in words for which rewards of objective c the bonus is valid, such as
	// "between 0 and 100". The limits in the text are multiplied by scale.
	Range(c int, scale float64) string
}

// Seen summarises the rewards of an arm in one objective.
type Seen struct {
	N    int // number of rewards, at least 1
	Mean float64
	// Spread is the mean squared deviation of the rewards from their mean. If the sum of squares is
	// unknown, Spread is NaN.
	Spread float64
}

// A Holder is a Radius that states for which kind of noise its events hold with probability at
// least 1 - delta. A Radius that is not a Holder has no known guarantee.
type Holder interface {
	Radius
	Holds() Noise
}

// Noise is the kind of noise for which the events of a radius hold.
type Noise int

const (
	// Nominal means that no theorem covers the events.
	Nominal Noise = iota
	// SubGaussian means any noise with the scales of Params.
	SubGaussian
	// GaussianOrIndependent means Gaussian noise, or noise with independent objectives. The events
	// of pairs and means hold for SubGaussian noise.
	GaussianOrIndependent
	// Bounded means noise of rewards in a range of length 2 Sigma.
	Bounded
)

// Code is the radius in the released code of Kone, Kaufmann and Richert (linear_psi and psips),
// which APE and racing used in the experiments of the GEGE paper:
//
//	beta_ij = sigma sqrt(2 (1/N_i + 1/N_j) (2 C + log(1 + log N_i) + log(1 + log N_j))),
//	          C = L/2 + max(0, log(L/2)),  L = log(1/delta)
//	beta_i  = sigma sqrt((2 C + 2 log(1 + log N_i)) / N_i), half of beta_ij for equal counts
//	U_i     = sigma_u sqrt(2 (2 C + 2 log(1 + log N_i)) / N_i)
//
// The half-widths have the form of [KaufmannKoolen], but with different constants and without a
// union bound over pairs and objectives. With the radius Code, Delta is only nominal. The released
// code has no U_i; this project chose the formula for U_i.
type Code struct{}

// String returns "code".
func (Code) String() string { return "code" }

// Bind implements Radius.
func (Code) Bind(p Params) Bonus {
	l := math.Log(1 / p.Delta)
	return &code{sigma: p.Sigma, sigmaU: p.NormSigma, c: l/2 + math.Max(0, math.Log(l/2))}
}

type code struct{ sigma, sigmaU, c float64 }

func (b *code) Factors(int) (pair, norm float64) { return 1, 1 }

func (b *code) Mean(n int) float64 {
	return b.sigma * math.Sqrt((2*b.c+2*loglog1(n))/float64(n))
}

func (b *code) Term(n int) Term { return Term{1 / float64(n), loglog1(n)} }

func (b *code) Pair(i, j Term) float64 {
	return b.sigma * math.Sqrt(2*(i.X+j.X)*(2*b.c+(i.Y+j.Y)))
}

func (b *code) Norm(n int) float64 {
	return b.sigmaU * math.Sqrt(2*(2*b.c+2*loglog1(n))/float64(n))
}

// loglog1 returns log(1 + log n), the cost of uniformity in time for the radius Code.
func loglog1(n int) float64 { return math.Log1p(math.Log(float64(n))) }

// Mixture is the radius that follows from mixtures of bets (Robbins, "Statistical methods related
// to the law of the iterated logarithm", 1970; for norms, Abbasi-Yadkori, Pal and Szepesvari,
// "Improved algorithms for linear stochastic bandits", 2011). With r = Rewards and y_i = log(1 +
// N_i/r) / 2, the half-widths are
//
//	beta_ij = sigma sqrt(2 (1/N_i + r/N_i^2 + 1/N_j + r/N_j^2) (x + y_i + y_j)),
//	          x = log(K (K-1) d / delta)
//	beta_i  = sigma sqrt(2 (1/N_i + r/N_i^2) (z + y_i)),        z = log(2 K d / delta)
//	U_i     = sigma_u sqrt(2 (1/N_i + r/N_i^2) (v + d y_i)),    v = log(2 K / delta)
//
// Half of delta is used for the pairs (or, instead of the pairs, the means), and half for the
// norms. The events of pairs and norms hold simultaneously with probability at least 1 - delta. The
// guarantee holds for all distributions of rewards with scales sigma and sigma_u, any dependence
// between objectives, and any sampling rule.
//
// Proof. Let e be the error of the sum of the first n rewards of an arm in one objective, with
// sigma = 1. For each l, exp(l e - l^2 n/2) is a supermartingale. A mixture over l with the normal
// distribution of variance 1/r, exp(e^2/(2 (n + r)) - y), is also a supermartingale. For a pair of
// arms, the product of the two mixtures is a supermartingale, whatever the order of the rewards. By
// Ville's inequality, the probability that the product of two mixtures ever reaches exp(x) is at
// most exp(-x). The union bound is over K (K-1)/2 pairs in each of d objectives. As long as the
// product of a pair is below exp(x), e_i^2/(2 (N_i + r)) + e_j^2/(2 (N_j + r)) <= x + y_i + y_j. By
// the Cauchy-Schwarz inequality, a bound on the sum of both squares also bounds e_i/N_i - e_j/N_j.
// The intervals of means follow from a single mixture; for norms, the parameter l is a vector.
//
// If an arm has between about 20 (90 for a delta of 1e-10) and a hundred million rewards, the
// intervals of Mixture are narrower than those of [KaufmannKoolen]. With more rewards, the
// intervals of KaufmannKoolen are narrower, because they grow with an iterated logarithm.
type Mixture struct {
	// Rewards is the tuning parameter r of the mixture. For an arm with N rewards, the intervals are
	// narrowest if r is about N/20 to N/10. Zero means 16.
	Rewards float64
}

// String returns "mixture", followed by Rewards if Rewards differs from the default.
func (r Mixture) String() string {
	if r.Rewards != 0 && r.Rewards != mixtureRewards {
		return fmt.Sprintf("mixture (%g rewards)", r.Rewards)
	}
	return "mixture"
}

const mixtureRewards = 16

// Validate returns an error if the constants do not satisfy the conditions of the theorem.
func (r Mixture) Validate() error {
	if !(r.Rewards >= 0 && r.Rewards < math.Inf(1)) {
		return fmt.Errorf("radius: Mixture.Rewards is %v; expected a positive number, or 0 for the default %d",
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

// KaufmannKoolen is the radius in the paper of Kaufmann and Koolen, "Mixture martingales revisited"
// (JMLR 2021). The half-widths hold at all times, at the cost of an iterated logarithm.
// KaufmannKoolen uses the exact function [CgG], and has no settings. Half of delta is used for the
// pairs (or, instead of the pairs, the means), and half for the norms.
//
//	beta_ij = 2 sigma sqrt((1/N_i + 1/N_j) (CgG(x/2) + log(4 + log N_i) + log(4 + log N_j))),
//	          x = log(K (K-1) d / delta)
//	U_i     = sigma_u sqrt((2 d / N_i) (CgG(y/d) + 2 log(4 + log N_i))),  y = log(2 K / delta)
//	beta_i  = sigma sqrt((2 / N_i) (CgG(z) + 2 log(4 + log N_i))),        z = log(2 K d / delta)
//
// where all intervals are two-sided, because CgG bounds squares. The events of pairs and norms hold
// simultaneously with probability at least 1 - delta. Rewards must be Gaussian (for norms, with any
// covariance of operator norm sigma_u^2) or sub-Gaussian with independent objectives. The
// half-widths of KaufmannKoolen do not depend on the time t.
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

// loglog returns log(4 + log n), the cost of uniformity in time, from a table for small n.
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

// CgG is the calibration function of Kaufmann and Koolen (2021) for Gaussian rewards,
//
//	CgG(x) = min over l in (1/2, 1) of (g(l) + x) / l,
//	g(l)   = 2 l - 2 l log(4 l) + log zeta(2 l) - log(1 - l) / 2,
//
// so that, for a fixed set A of means of unit-variance rewards,
//
//	P(exists t: sum over A of N_a (muhat_a - mu_a)^2 / 2
//	            > 2 sum over A of log(4 + log N_a) + |A| CgG(x/|A|)) <= exp(-x).
//
// For large x, CgG(x) is x + log x + O(log log x); at 0, CgG is finite. For negative x, CgG returns
// CgG(0).
func CgG(x float64) float64 {
	x = math.Max(x, 0)
	h := func(l float64) float64 {
		g := 2*l - 2*l*math.Log(4*l) + math.Log(mathext.Zeta(2*l, 1)) - math.Log1p(-l)/2
		return (g + x) / l
	}
	// The function h is unimodal, because g is convex and h tends to +infinity at both ends. The
	// minimum is found by golden-section search in s = -log(1-l), because the minimiser approaches
	// 1 as x grows (1 - l is about 1/(2x)).
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
