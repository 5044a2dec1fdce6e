package lsq_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// If rewards are multiplied by u, estimates are multiplied by u, and variances do not change. If features are
// multiplied by u, and the weight of the norm by u^2, the estimates at the same points do not change. The order of
// arms does not matter.
func TestUnitsAndOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 4))
	const arms, m = 6, 3
	x := make([]float64, arms*m)
	for i := range x {
		x[i] = rnd.NormFloat64()
	}
	var of [200]struct {
		arm int
		sum float64
	}
	for i := range of {
		of[i].arm, of[i].sum = rnd.IntN(arms), rnd.NormFloat64()+float64(i%3)
	}
	// all returns estimates, quantities without units, and the log det, for features and rewards multiplied by the
	// given units, and for arms permuted by as.
	all := func(feature, reward float64, as []int) (means, plain []float64, logDet []float64) {
		reg := .5 * feature * feature
		xs := mat.NewDense(arms, m, nil)
		for i, at := range as {
			for j := range m {
				xs.Set(at, j, feature*x[i*m+j])
			}
		}
		fit, ridge, link, tracker := lsq.NewFit(m, 1), lsq.NewRidge(m, 1), lsq.NewGLM(lsq.Identity, m),
			lsq.NewTracker(xs, xs, reg)
		tracker.Solve()
		for _, b := range of {
			row, sum := xs.RawRowView(as[b.arm]), reward*b.sum
			fit.Add(row, 2, []float64{sum})
			ridge.Add(row, 2, []float64{sum})
			link.Add(row, 2, sum)
			tracker.Add(as[b.arm], 2, sum)
		}
		if _, err := link.Solve(); err != nil || !fit.Solve() || !ridge.Solve(reg) {
			t.Fatal(err)
		}
		own, cov, gains := make([]float64, 1), make([]float64, arms), make([]float64, arms)
		for i, at := range as {
			y := xs.RawRowView(at)
			ridge.Means(own, y)
			means = append(means, fit.Mean(y, 0), own[0], link.Mean(y), tracker.Means()[at], tracker.Mean(y))
			tracker.Covariances(cov, y)
			tracker.Gains(gains, y)
			beside := as[(i+1)%arms]
			plain = append(plain, fit.Squared(y), ridge.Squared(y), link.Squared(y), tracker.Squared(y),
				tracker.Leverages()[at], tracker.Weights()[at], tracker.Against(as[0])[at], cov[beside], gains[beside])
		}
		for i, at := range as {
			if at == tracker.Best() {
				plain = append(plain, float64(i))
			}
		}
		plain = append(plain, float64(fit.N()), ridge.N(), float64(link.N()))
		return means, plain, []float64{ridge.LogDet(), tracker.LogDet()}
	}
	own := []int{0, 1, 2, 3, 4, 5}
	means, plain, logDet := all(1, 1, own)
	for _, w := range []struct {
		feature, reward float64
		as              []int
	}{{1, 64, own}, {8, 1, own}, {.125, .25, own}, {1, 1, []int{4, 2, 0, 5, 1, 3}}} {
		near := func(what string, got, want []float64, factor, more float64) {
			for i, v := range want {
				if !(math.Abs(got[i]-more-factor*v) <= 1e-8*(1+math.Abs(factor*v))) {
					t.Errorf("%+v: %s %d is %v; want %v times %v, and %v", w, what, i, got[i], factor, v, more)
				}
			}
		}
		a, b, c := all(w.feature, w.reward, w.as)
		near("mean", a, means, w.reward, 0)
		near("variance", b, plain, 1, 0)
		near("log det", c, logDet, 1, 2*m*math.Log(w.feature))
	}
}
