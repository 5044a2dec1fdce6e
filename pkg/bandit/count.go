package bandit

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// The functions in this file draw exact binomial and Poisson variates, in time that does not depend
// on n or on the mean.
//
// The functions replace gonum.org/v1/gonum/stat/distuv (v0.17.0) because distuv is wrong or slow
// for some parameters: Poisson.Rand never returns 0 for a mean of 10 or more, although e^-10 is one
// in 22,000. For means below 1 (Poisson: below 10), distuv uses exponential variates with a
// resolution of 32 bits. With 32 bits, an event of probability 1e-12 happens with probability
// 2^-32, which is 230 times too often. The acceptance test in distuv loses all significant digits
// as counts approach 1e15. Binomial.Rand also takes some 400 ns for medium and large means, three
// to six times as long as the functions in this file.
//
// For small means, the functions use inversion; for larger means, they use transformed rejection.

// smallMean is the mean from which transformed rejection replaces inversion: the time of inversion
// grows with the mean, and the hats need means of at least 10 (Hörmann 1993).
const smallMean = 10

// unit draws a uniform variate from [0, 1] with resolution 2^-64; rand.Float64 is coarser. With
// resolution 2^-64, inversion is correct even for probabilities of 1e-12 and below.
func unit(rnd *rand.Rand) float64 { return float64(rnd.Uint64()) * 0x1p-64 }

// threshold converts a probability p in [0, 1] to the integer threshold that bernoulli takes.
func threshold(p float64) uint64 { return uint64(p * 0x1p63) }

// bernoulli draws 1 with the probability that corresponds to threshold t, and 0 otherwise.
// bernoulli avoids a branch, because half of the branches on a fair coin are mispredicted.
func bernoulli(t uint64, rnd *rand.Rand) float64 {
	_, less := bits.Sub64(rnd.Uint64()>>1, t, 0)
	return float64(less)
}

// binomial draws the number of successes in n >= 0 independent trials with success
// probability p in [0, 1].
func binomial(n, p float64, rnd *rand.Rand) float64 {
	switch {
	case n == 0 || p == 0:
		return 0
	case p == 1:
		return n
	case n == 1:
		return bernoulli(threshold(p), rnd)
	case p > 0.5:
		return n - binomial(n, 1-p, rnd) // the difference 1 - p is exact (Sterbenz)
	}
	r := newRare(p)
	return r.binomial(n, rnd)
}

// rare is a probability p of at most 1/2, with numbers that inversion would otherwise compute for
// each draw.
type rare struct{ p, log, odds float64 }

func newRare(p float64) rare { return rare{p: p, log: math.Log1p(-p), odds: p / (1 - p)} }

// binomial draws the number of successes in n >= 2 trials.
func (r *rare) binomial(n float64, rnd *rand.Rand) float64 {
	switch {
	case r.p == 0:
		return 0
	case n*r.p < smallMean:
		return r.invert(n, unit(rnd))
	}
	return rejectBinomial(n, r.p, rnd)
}

// poisson draws a Poisson variate with mean lambda >= 0.
func poisson(lambda float64, rnd *rand.Rand) float64 {
	switch {
	case lambda == 0:
		return 0
	case lambda < smallMean:
		return invertPoisson(lambda, unit(rnd))
	}
	return rejectPoisson(lambda, rnd)
}

// fail returns f = e^l and s = 1 - e^l for l < 0, both with small relative errors. The results f
// and s are the probabilities of no event and of at least one event.
func fail(l float64) (f, s float64) {
	if l < -1 {
		f = math.Exp(l)
		return f, 1 - f
	}
	s = -math.Expm1(l)
	return 1 - s, s
}

// invert returns how many integers k >= 0 satisfy u < P(X > k), where X is binomial with n trials.
// To keep the digits of small probabilities, invert does not use the distribution function.
func (r *rare) invert(n, u float64) float64 {
	f, s := fail(n * r.log) // P(X = k) and P(X > k) for k = 0
	k := 0.
	// Rounding can keep s above 0, so f and n also limit the search.
	for u < s && f > 0 && k < n {
		k++
		f *= (n - k + 1) / k * r.odds
		s -= f
	}
	return k
}

// invertPoisson returns how many integers k >= 0 satisfy u < P(X > k), where X is Poisson with mean
// lambda.
func invertPoisson(lambda, u float64) float64 {
	f, s := fail(-lambda)
	k := 0.
	for u < s && f > 0 {
		k++
		f *= lambda / k
		s -= f
	}
	return k
}

// A hat is the proposal distribution of transformed rejection: a proposal is a transformed uniform
// variate, rounded down,
//
//	k = floor((2 a / (1/2 - |u|) + b) u + c),  u uniform in (-1/2, 1/2).
//
// The proposal k is accepted immediately if 1/2 - |u| >= 0.07 and v <= squeeze, where v is uniform
// in (0, 1). If the proposal k is not accepted immediately, k is accepted if v <= accept(u) P(k).
type hat struct{ a, b, c, squeeze, scale float64 }

// propose draws a proposal k and returns k with its values 1/2 - |u| and v. The result sure reports
// whether the squeeze already accepts k.
func (h *hat) propose(rnd *rand.Rand) (k, us, v float64, sure bool) {
	u := rnd.Float64() - 0.5
	v = rnd.Float64()
	k, us = h.at(u)
	return k, us, v, us >= 0.07 && v <= h.squeeze
}

// at returns the proposal for a given u, and 1/2 - |u|.
func (h *hat) at(u float64) (k, us float64) {
	us = 0.5 - math.Abs(u)
	return math.Floor((2*h.a/us+h.b)*u + h.c), us
}

// accept returns the factor that multiplies P(k) in the acceptance probability.
func (h *hat) accept(us float64) float64 { return h.scale * (h.a/(us*us) + h.b) }

// binomialHat returns the hat for p <= 1/2 and n p >= 10 of algorithm BTRS in W. Hörmann, "The
// generation of binomial random variates", Journal of Statistical Computation and Simulation 46
// (1993) 101-110. The probability P(k) of a hat is relative to the probability of the mode,
// floor((n + 1) p).
func binomialHat(n, p float64) hat {
	spq := math.Sqrt(n * p * (1 - p))
	b := 1.15 + 2.53*spq
	return hat{
		a:       -0.0873 + 0.0248*b + 0.01*p,
		b:       b,
		c:       n*p + 0.5,
		squeeze: 0.92 - 4.2/b,
		scale:   1 / ((2.83 + 5.1/b) * spq),
	}
}

// poissonHat returns the hat for lambda >= 10 of algorithm PTRS in W. Hörmann, "The transformed
// rejection method for generating Poisson random variables", Insurance: Mathematics and Economics
// 12 (1993) 39-45.
//
// With the constants of the paper, the acceptance probability exceeds 1, by up to 0.6 %, for some k
// and most means below 500. The squeeze exceeds the acceptance probability, by up to 0.004, for
// some means near 10.5. To make the distribution exact, poissonHat multiplies the acceptance
// probability by 0.99 and reduces the squeeze by 0.02.
func poissonHat(lambda float64) hat {
	b := 0.931 + 2.53*math.Sqrt(lambda)
	return hat{
		a:       -0.059 + 0.02483*b,
		b:       b,
		c:       lambda + 0.43,
		squeeze: 0.9277 - 0.02 - 3.6224/(b-2),
		scale:   0.99 / (1.1239 + 1.1328/(b-3.4)),
	}
}

// rejectBinomial draws a binomial variate for p <= 1/2 and n p >= 10.
func rejectBinomial(n, p float64, rnd *rand.Rand) float64 {
	h := binomialHat(n, p)
	for {
		k, us, v, sure := h.propose(rnd)
		if sure {
			return k
		}
		if k < 0 || k > n {
			continue
		}
		mode := math.Floor((n + 1) * p)
		if v <= h.accept(us)*math.Exp(logBinomial(k, n, p)-logBinomial(mode, n, p)) {
			return k
		}
	}
}

func rejectPoisson(lambda float64, rnd *rand.Rand) float64 {
	h := poissonHat(lambda)
	for {
		k, us, v, sure := h.propose(rnd)
		if sure {
			return k
		}
		if k < 0 {
			continue
		}
		if v <= h.accept(us)*math.Exp(logPoisson(k, lambda)) {
			return k
		}
	}
}

// Probabilities of counts use the saddle-point expansion of C. Loader, "Fast and accurate
// computation of binomial probabilities" (2000). A difference of log-gamma functions would lose
// log10(n) digits; the expansion has no cancellation of large terms.

// logBinomial returns log P(X = k) for a binomial X, 0 <= k <= n and 0 < p < 1.
func logBinomial(k, n, p float64) float64 {
	switch k {
	case 0:
		return n * math.Log1p(-p)
	case n:
		return n * math.Log(p)
	}
	return stirling(n) - stirling(k) - stirling(n-k) - deviance(k, n*p) - deviance(n-k, n*(1-p)) +
		0.5*math.Log(n/(2*math.Pi*k*(n-k)))
}

// logPoisson returns log P(X = k) for a Poisson X, k >= 0 and lambda > 0.
func logPoisson(k, lambda float64) float64 {
	if k == 0 {
		return -lambda
	}
	return -stirling(k) - deviance(k, lambda) - 0.5*math.Log(2*math.Pi*k)
}

// deviance returns x log(x / m) + m - x for positive x and m. Near x = m, where precision matters
// most, the absolute error of deviance is about 1e-16 times |x - m|.
func deviance(x, m float64) float64 {
	return x*math.Log1p((x-m)/m) - (x - m)
}

// stirling returns the correction term of Stirling's formula, k! = sqrt(2 pi k) (k/e)^k
// exp(stirling(k)), for integers k >= 1.
func stirling(k float64) float64 {
	if k < float64(len(stirlingSmall)) {
		return stirlingSmall[int(k)]
	}
	k2 := k * k
	return (1./12 - (1./360-(1./1260-(1./1680-1./1188/k2)/k2)/k2)/k2) / k
}

// stirlingSmall contains stirling(k) for small k; entry 0 is unused.
var stirlingSmall = func() (s [16]float64) {
	for k := 1; k < len(s); k++ {
		x := float64(k)
		l, _ := math.Lgamma(x + 1)
		s[k] = l - 0.5*math.Log(2*math.Pi*x) - x*math.Log(x) + x
	}
	return s
}()

// Bernoulli is the distribution of successes and failures: the reward in each objective is 1 or 0,
// independently of the other objectives. Sums of Bernoulli rewards are binomial. For dependent
// outcomes of the same patient, see [Resample].
type Bernoulli struct {
	table
	// Precomputed values for the probabilities in the table: thresholds for single rewards, and
	// inversion constants (of the less likely outcome) for sums.
	thresholds []uint64
	rare       []rare
}

// NewBernoulli returns the Bernoulli law with the given success probabilities, K x d. NewBernoulli
// returns an error if a probability is not in [0, 1].
func NewBernoulli(probs mat.Matrix) (*Bernoulli, error) {
	t, err := newTable(probs, "probability", 0, 1, "a number in [0, 1]")
	if err != nil {
		return nil, err
	}
	l := &Bernoulli{t, make([]uint64, len(t.data)), make([]rare, len(t.data))}
	for i, p := range t.data {
		l.thresholds[i], l.rare[i] = threshold(p), newRare(min(p, 1-p))
	}
	return l, nil
}

// Sum draws the numbers of successes among n rewards of an arm and stores them in dst, of length d.
func (l *Bernoulli) Sum(dst []float64, arm, n int, rnd *rand.Rand) {
	probs := l.check(dst, arm, n)
	if n == 1 {
		for c, t := range l.thresholds[arm*l.d:][:l.d] {
			dst[c] = bernoulli(t, rnd)
		}
		return
	}
	if n == 0 {
		clear(dst)
		return
	}
	for c, p := range probs {
		dst[c] = l.rare[arm*l.d+c].binomial(float64(n), rnd)
		if p > .5 {
			dst[c] = float64(n) - dst[c]
		}
	}
}

// Poisson is the distribution of counts: the reward in each objective is a Poisson variate,
// independent of the other objectives. Sums of Poisson rewards are also Poisson. Poisson rewards
// have no sub-Gaussian scale, so guarantees for sub-Gaussian rewards do not apply to Poisson
// rewards, whatever the value of Problem.Sigma.
type Poisson struct{ table }

// NewPoisson returns the Poisson law with the given rates (means), K x d. NewPoisson returns an
// error if a rate is negative, or above 2^53, because larger counts are not exact in floating
// point.
func NewPoisson(rates mat.Matrix) (*Poisson, error) {
	t, err := newTable(rates, "rate", 0, 1<<53, "a number in [0, 2^53]")
	if err != nil {
		return nil, err
	}
	return &Poisson{t}, nil
}

// Sum draws the sums of n rewards of an arm and stores them in dst, of length d.
func (l *Poisson) Sum(dst []float64, arm, n int, rnd *rand.Rand) {
	for c, rate := range l.check(dst, arm, n) {
		dst[c] = poisson(float64(n)*rate, rnd)
	}
}
