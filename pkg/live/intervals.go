package live

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/radius"
)

// intervals holds the confidence intervals that a page draws as boxes: estimates and half-widths.
// With probability 1 - delta, the intervals hold simultaneously for all arms, objectives and times;
// intervals of ofRadius do so only if the radius is valid. The intervals are needed because
// policies do not report intervals for means; most policies use intervals for differences of means,
// which are narrower.
type intervals struct {
	pulls  []int
	sums   *mat.Dense // K x d
	t      int        // total number of pulls
	centre *mat.Dense // K x d
	half   *mat.Dense // K x d
	// The function learn is called after the rewards of a round are counted; update computes centre
	// and half.
	learn  func(e explore.Event)
	update func()
}

// newIntervals returns intervals without any rewards.
func newIntervals(in *bandit.Instance) *intervals {
	k, d := in.Problem.K(), in.Problem.D()
	v := &intervals{pulls: make([]int, k), sums: mat.NewDense(k, d, nil),
		centre: mat.NewDense(k, d, nil), half: mat.NewDense(k, d, nil)}
	for i := range k {
		for c := range d {
			v.centre.Set(i, c, math.NaN())
			v.half.Set(i, c, math.Inf(1))
		}
	}
	return v
}

// record adds the rewards of a round to the counts and sums.
func (v *intervals) record(e explore.Event) {
	for _, b := range e.Obs {
		v.pulls[b.Arm] += b.N
		v.t += b.N
		floats.Add(v.sums.RawRowView(b.Arm), b.Sum)
	}
	if v.learn != nil {
		v.learn(e)
	}
}

// ofRadius returns intervals around the average rewards of the arms. The half-widths are given by
// the radius r.
func ofRadius(in *bandit.Instance, delta float64, r radius.Radius) *intervals {
	p := in.Problem
	bonus := r.Bind(radius.Params{Arms: p.K(), Objectives: p.D(), Sigma: p.Sigma, NormSigma: p.SigmaU(), Delta: delta})
	v := newIntervals(in)
	v.update = func() {
		factor, _ := bonus.Factors(v.t)
		for i, n := range v.pulls {
			if n == 0 {
				continue
			}
			for c := range p.D() {
				v.centre.Set(i, c, v.sums.At(i, c)/float64(n))
				v.half.Set(i, c, factor*bonus.Mean(n))
			}
		}
	}
	return v
}

// ofRounds returns intervals for methods that choose all pulls of a round before its first reward.
// Given the pulls of round r, the least-squares estimate from its rewards alone is Gaussian. With
// delta_r = delta/(r(r+1)), which sums to delta over all rounds, the half-width
//
//	sigma |x|_{A_r^-1} sqrt(2 log(2 K d/delta_r))
//
// is valid for all means and rounds simultaneously, where A_r is the information matrix of the
// pulls of round r. For each arm, the narrowest interval so far is kept.
func ofRounds(in *bandit.Instance, delta float64) *intervals {
	p := in.Problem
	v := newIntervals(in)
	x := coordinates(in)
	_, m := x.Dims()
	fit := lsq.NewFit(m, p.D())
	v.learn = func(e explore.Event) {
		fit.Reset()
		for _, b := range e.Obs {
			fit.Add(x.RawRowView(b.Arm), b.N, b.Sum)
		}
		fit.Solve()
		r := float64(e.Round)
		width := p.Sigma * math.Sqrt(2*math.Log(2*float64(p.K()*p.D())*r*(r+1)/delta))
		v.intersect(x, fit, width)
	}
	v.update = func() {}
	return v
}

// intersect keeps, for each arm, the narrower of the current interval and the interval of a new
// fit.
func (v *intervals) intersect(x *mat.Dense, fit *lsq.Fit, width float64) {
	k, d := v.half.Dims()
	for i := range k {
		y := x.RawRowView(i)
		if fit.Outside(y) > lsq.RankTolerance {
			continue // the fit does not estimate the mean of this arm
		}
		half := width * math.Sqrt(fit.Squared(y))
		if half >= v.half.At(i, 0) {
			continue
		}
		for c := range d {
			v.centre.Set(i, c, fit.Mean(y, c))
			v.half.Set(i, c, half)
		}
	}
}

// alwaysValid returns intervals for methods that choose each pull from all rewards so far. The
// least-squares estimate from all rewards has the half-width
//
//	sigma |x|_{A^-1} sqrt(2 B),
//	B = 2 sum over arms i of log(4 + log N_i) + K CgG(log(d/delta)/K).
//
// For each objective, the sum over measured arms of N_i (average_i - mu_i)^2/(2 sigma^2) is below B
// at all times with probability at least 1 - delta/d. This bound is valid for any sampling rule
// (Kaufmann and Koolen, see radius.CgG). Least squares projects the vector of errors of the
// averages, so the projected vector is not longer. By the Cauchy-Schwarz inequality, a bound on the
// error of the fit bounds the error of each mean.
func alwaysValid(in *bandit.Instance, delta float64) *intervals {
	p := in.Problem
	v := newIntervals(in)
	x := coordinates(in)
	_, m := x.Dims()
	fit := lsq.NewFit(m, p.D())
	k := float64(p.K())
	calibration := k * radius.CgG(math.Log(float64(p.D())/delta)/k)
	v.update = func() {
		fit.Reset()
		b := calibration
		for i, n := range v.pulls {
			if n > 0 {
				fit.Add(x.RawRowView(i), n, v.sums.RawRowView(i))
				b += 2 * math.Log(4+math.Log(float64(n)))
			}
		}
		fit.Solve()
		for i := range p.K() { // the newest estimate, not the narrowest interval
			v.half.Set(i, 0, math.Inf(1))
		}
		v.intersect(x, fit, p.Sigma*math.Sqrt(2*b))
	}
	return v
}

// coordinates returns the features of the arms in a basis of their span. Without features, each arm
// is a separate coordinate.
func coordinates(in *bandit.Instance) *mat.Dense {
	x, err := in.Problem.Features()
	if err != nil {
		panic(err) // pages have few arms
	}
	if in.Problem.X == nil {
		return x
	}
	return lsq.NewSpan(x).Coordinates(x)
}

// norm returns the largest norm, over objectives, of the parameters in units of sigma, but at least
// 1.
func norm(in *bandit.Instance) float64 {
	theta := in.Theta
	if theta == nil {
		theta = in.Means()
	}
	h, d := theta.Dims()
	largest := 1.
	for c := range d {
		s := 0.
		for j := range h {
			s = math.Hypot(s, theta.At(j, c))
		}
		largest = max(largest, s/in.Problem.Sigma)
	}
	return largest
}
