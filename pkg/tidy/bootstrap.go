package tidy

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/seed"
)

// Resamples is the number of bootstrap resamples for an interval.
const Resamples = 2000

// smallSample is the sample size below which bootstrap intervals get a warning. Intervals of
// smaller samples cover the true value less often than their confidence states: for exponential
// samples of size 20, about 92 % instead of 95 %.
const smallSample = 20

// bootSource returns the random stream from which resamples are drawn. The stream is always the
// same, so that a table does not change when it is computed again.
func bootSource() *rand.Rand { return rand.New(seed.New(0).Child("tidy", "bootstrap").Source()) }

// Mean returns the mean of x with the bias-corrected and accelerated bootstrap interval (Efron,
// Better bootstrap confidence intervals, JASA 1987), from Resamples resamples. For the same x, Mean
// always returns the same interval. The confidence is nominal; for small samples, Mean adds a
// warning.
func Mean(x []float64, confidence float64) Summary {
	checkConfidence(confidence)
	s := empty(confidence)
	y := present(x, &s)
	n := len(y)
	if n == 0 {
		return s
	}
	s.Center = stat.Mean(y, nil)
	if math.IsInf(s.Center, 0) || math.IsNaN(s.Center) {
		s.warn("some values are infinite, so the mean has no interval")
		return s
	}
	if n == 1 {
		s.warn("an interval needs at least 2 samples")
		return s
	}
	s.small()
	means := resampledMeans(y)
	// The jackknife estimate of the acceleration of a mean is the sample skewness, divided by 6
	// sqrt(n).
	var m2, m3 float64
	for _, v := range y {
		d := v - s.Center
		m2 += d * d
		m3 += d * d * d
	}
	if m2 == 0 {
		s.Lo, s.Hi = s.Center, s.Center
		s.warn("all values are equal, so the interval has no width and its coverage is unknown")
		return s
	}
	accel := m3 / (6 * math.Pow(m2, 1.5))
	s.Lo, s.Hi = bca(means, s.Center, accel, confidence)
	return s
}

func resampledMeans(x []float64) []float64 {
	rnd, means := bootSource(), make([]float64, Resamples)
	for k := range means {
		sum := 0.0
		for range x {
			sum += x[rnd.IntN(len(x))]
		}
		means[k] = sum / float64(len(x))
	}
	return means
}

// bca returns the BCa interval, given the bootstrap values of an estimate.
func bca(boot []float64, center, accel, confidence float64) (lo, hi float64) {
	slices.Sort(boot)
	below := 0.0
	for _, v := range boot {
		switch {
		case v < center:
			below++
		case v == center:
			below += 0.5
		}
	}
	n := float64(len(boot))
	below = min(max(below, 0.5), n-0.5)
	normal := distuv.UnitNormal
	z0 := normal.Quantile(below / n)
	level := func(p float64) float64 {
		z := z0 + normal.Quantile(p)
		return normal.CDF(z0 + z/(1-accel*z))
	}
	tail := (1 - confidence) / 2
	return sortedQuantile(boot, level(tail)), sortedQuantile(boot, level(1-tail))
}

func (s *Summary) small() {
	if s.N < smallSample {
		s.warn("%d samples are few for a bootstrap interval; its coverage is below %v", s.N, s.Confidence)
	}
}

// RatioOfMeans returns mean(a)/mean(b) with a bootstrap percentile interval from Resamples
// resamples. If paired is true, a[i] and b[i] belong together, for example as the same replicate of
// two methods. Pairs are then resampled together, which narrows the interval if a and b are
// positively correlated. RatioOfMeans panics if paired samples differ in length. RatioOfMeans omits
// pairs with a missing value. If a mean is not positive, Center of the result is NaN, with a
// warning. The N of the result is the size of the smaller sample.
func RatioOfMeans(a, b []float64, paired bool, confidence float64) Summary {
	return ratio(a, b, paired, confidence, "mean")
}

// RatioOfMedians returns median(a)/median(b) with a bootstrap percentile interval, as RatioOfMeans
// does for means.
func RatioOfMedians(a, b []float64, paired bool, confidence float64) Summary {
	return ratio(a, b, paired, confidence, "median")
}

// resample is a bootstrap resample of x, which can compute its mean or median. Medians are computed
// from the number of times that each value was picked, in time proportional to the length of x. A
// new resample contains each value exactly once.
type resample struct {
	x      []float64
	median bool
	sorted []float64
	rank   []int // rank of each value of x in sorted
	count  []int // number of picks of each value, by rank
	sum    float64
	n      int // total number of picks
}

func newResample(x []float64, median bool) *resample {
	r := &resample{x: x, median: median}
	if median {
		order := make([]int, len(x))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
		r.sorted = make([]float64, len(x))
		r.rank, r.count = make([]int, len(x)), make([]int, len(x))
		for k, i := range order {
			r.sorted[k], r.rank[i] = x[i], k
		}
	}
	for i := range x {
		r.pick(i)
	}
	return r
}

func (r *resample) reset() {
	clear(r.count)
	r.sum, r.n = 0, 0
}

func (r *resample) pick(i int) {
	r.n++
	if r.median {
		r.count[r.rank[i]]++
	} else {
		r.sum += r.x[i]
	}
}

// value returns the mean or median of the picked values.
func (r *resample) value() float64 {
	if !r.median {
		return r.sum / float64(r.n)
	}
	// In the sorted resample, the picks with indices lower and upper are in the middle.
	lower, upper := (r.n-1)/2, r.n/2
	k, seen := 0, r.count[0]
	for seen <= lower {
		k++
		seen += r.count[k]
	}
	v := r.sorted[k]
	if seen > upper {
		return v
	}
	for seen <= upper {
		k++
		seen += r.count[k]
	}
	return v + 0.5*(r.sorted[k]-v)
}

// ratio implements RatioOfMeans and RatioOfMedians.
func ratio(a, b []float64, paired bool, confidence float64, name string) Summary {
	checkConfidence(confidence)
	s := empty(confidence)
	if paired {
		a, b = presentPairs(a, b, &s)
	} else {
		a, b = present(a, &s), present(b, &s)
	}
	s.N = min(len(a), len(b))
	if s.N == 0 {
		s.warn("no values to compare")
		return s
	}
	ra, rb := newResample(a, name == "median"), newResample(b, name == "median")
	ca, cb := ra.value(), rb.value()
	if !(ca > 0 && cb > 0) || math.IsInf(ca, 0) || math.IsInf(cb, 0) {
		s.warn("a ratio needs positive, finite %ss, but they are %v and %v", name, ca, cb)
		return s
	}
	s.Center = ca / cb
	together := [][]*resample{{ra}, {rb}}
	if paired {
		together = [][]*resample{{ra, rb}}
	}
	s.percentiles(together, func() float64 {
		if r := ra.value() / rb.value(); r > 0 {
			return r
		}
		return math.NaN()
	})
	return s
}

// percentiles sets the interval of s to percentiles of the results of value() over all resamples.
// The argument together contains groups of samples; the samples in a group are resampled with the
// same indices. Resamples without a finite value, which can occur if some values are not positive,
// are omitted.
func (s *Summary) percentiles(together [][]*resample, value func() float64) {
	if s.N == 1 {
		s.warn("an interval needs at least 2 samples")
		return
	}
	s.small()
	rnd, boot := bootSource(), make([]float64, 0, Resamples)
	for range Resamples {
		for _, rs := range together {
			for _, r := range rs {
				r.reset()
			}
			for range rs[0].x {
				k := rnd.IntN(len(rs[0].x))
				for _, r := range rs {
					r.pick(k)
				}
			}
		}
		if v := value(); !math.IsNaN(v) && !math.IsInf(v, 0) {
			boot = append(boot, v)
		}
	}
	if n := Resamples - len(boot); n > 0 {
		s.warn("%d of %d resamples have no positive ratio and are left out", n, Resamples)
	}
	if len(boot) == 0 {
		return
	}
	slices.Sort(boot)
	tail := (1 - s.Confidence) / 2
	s.Lo, s.Hi = sortedQuantile(boot, tail), sortedQuantile(boot, 1-tail)
}

// presentPairs returns the pairs of a and b that contain no NaN, and adds a warning about omitted
// pairs to s.
func presentPairs(a, b []float64, s *Summary) (x, y []float64) {
	if len(a) != len(b) {
		panic(panicPairs)
	}
	for i := range a {
		if !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			x, y = append(x, a[i]), append(y, b[i])
		}
	}
	if n := len(a) - len(x); n > 0 {
		s.warn("%d of %d pairs have a value that is NaN and are left out", n, len(a))
	}
	return x, y
}
