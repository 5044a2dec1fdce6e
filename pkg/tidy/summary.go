package tidy

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// The following constants are panic messages for errors of the calling code.
const (
	panicConfidence = "tidy: the confidence is not between 0 and 1"
	panicQuantile   = "tidy: the quantile is not between 0 and 1"
	panicCounts     = "tidy: a count is negative, or there are more events than trials"
	panicPairs      = "tidy: paired samples differ in length"
	panicColumns    = "tidy: the number of cells in a row of a table is not the number of columns"
)

// Summary is an estimate with an interval.
type Summary struct {
	Center float64
	// Lo and Hi are the ends of the interval. If the sample is too small, Lo and Hi are infinite.
	Lo, Hi float64
	// Confidence is the probability with which the interval covers the true value. If the achieved
	// probability can be computed, Confidence is this probability, which is at least the requested
	// one. If the achieved probability cannot be computed, Confidence is the requested probability.
	Confidence float64
	// N is the size of the sample without missing values.
	N int
	// Warnings are remarks about the sample and the interval.
	Warnings []error
}

func (s *Summary) warn(format string, args ...any) {
	s.Warnings = append(s.Warnings, fmt.Errorf("tidy: "+format, args...))
}

func empty(confidence float64) Summary {
	return Summary{Center: math.NaN(), Lo: math.Inf(-1), Hi: math.Inf(1), Confidence: confidence}
}

func checkConfidence(c float64) {
	if !(c > 0 && c < 1) {
		panic(panicConfidence)
	}
}

// present returns in a new slice the values of x that are not NaN, and adds a warning about missing
// values to s.
func present(x []float64, s *Summary) []float64 {
	y := slices.DeleteFunc(slices.Clone(x), math.IsNaN)
	if n := len(x) - len(y); n > 0 {
		s.warn("%d of %d values are NaN and are left out", n, len(x))
	}
	if len(y) == 0 {
		s.warn("no values")
	}
	s.N = len(y)
	return y
}

// Median returns the median of x, with an interval for the median of the distribution of x; see
// Quantile.
func Median(x []float64, confidence float64) Summary { return Quantile(x, 0.5, confidence) }

// Quantile returns the q-quantile of x, with an interval between two order statistics for the
// q-quantile of the distribution of x.
//
// The interval of Quantile assumes only independence. If B is binomial(n, q), the l-th and u-th
// smallest values cover a quantile of a continuous distribution with probability P(l <= B < u). For
// other distributions, the coverage is at least P(l <= B < u) (David and Nagaraja, Order
// Statistics, 3rd ed., section 7.1). Quantile uses the largest l and the smallest u for which the
// error probability on each side is at most (1-confidence)/2. Confidence of the result is the
// achieved probability. If no l or no u suffices, the corresponding end is infinite, and a warning
// states how large the sample must be.
//
// Center of the result interpolates linearly between order statistics at rank (n-1) q + 1 (type 7
// of Hyndman and Fan, The American Statistician 1996).
func Quantile(x []float64, q, confidence float64) Summary {
	checkConfidence(confidence)
	if !(q > 0 && q < 1) {
		panic(panicQuantile)
	}
	s := empty(confidence)
	y := present(x, &s)
	n := len(y)
	if n == 0 {
		return s
	}
	slices.Sort(y)
	s.Center = sortedQuantile(y, q)
	l, u, achieved := ranks(n, q, confidence)
	s.Confidence = achieved
	if l > 0 {
		s.Lo = y[l-1]
	}
	if u <= n {
		s.Hi = y[u-1]
	}
	if l == 0 || u > n {
		need := math.Log((1-confidence)/2) / math.Log(math.Max(q, 1-q))
		s.warn("an interval at level %[2]v needs at least %[1]d samples", int(math.Ceil(need-1e-9)), confidence)
	}
	return s
}

// sortedQuantile returns the q-quantile of the sorted sample y.
func sortedQuantile(y []float64, q float64) float64 {
	h := float64(len(y)-1) * q
	i := int(h)
	if i+1 >= len(y) || h == float64(i) || y[i] == y[i+1] { // equal values may be infinite, and their difference is NaN
		return y[i]
	}
	return y[i] + (h-float64(i))*(y[i+1]-y[i])
}

// ranks returns the ranks, counted from 1, of the order statistics for Quantile, and their
// coverage. If no rank suffices for the lower end, l is 0; if no rank suffices for the upper end, u
// is n+1.
func ranks(n int, q, confidence float64) (l, u int, achieved float64) {
	b := distuv.Binomial{N: float64(n), P: q}
	cdf := func(k int) float64 {
		switch {
		case k < 0:
			return 0
		case k >= n:
			return 1
		}
		return b.CDF(float64(k))
	}
	// The relative tolerance allows for rounding errors of the CDF; for example, P = 1/64 must not
	// exceed 1/64.
	tail := (1 - confidence) / 2 * (1 + 1e-9)
	l = sort.Search(n+1, func(k int) bool { return cdf(k) > tail }) // largest l for which P(B < l) <= tail
	// Find the smallest u with P(B >= u) <= tail, or n+1 if there is none.
	u = sort.Search(n+1, func(k int) bool { return 1-cdf(k-1) <= tail })
	return l, u, cdf(u-1) - cdf(l-1)
}
