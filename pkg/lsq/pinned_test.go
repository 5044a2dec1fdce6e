package lsq_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/lsq"
)

// Estimates from few and many rewards, of features that are copies, short of rank, or of very
// different lengths, before there are enough and after, with and without a ridge, and after a reset.
func TestEstimatesStay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(28, 5))
	var lines []string
	for n := range 9 {
		k, m := 3+n%4, 1+n%3
		say := func(x ...any) { lines = append(lines, fmt.Sprint(n, " ", fmt.Sprint(x...))) }
		x := mat.NewDense(k, m, nil)
		for i := range k {
			for j := range m {
				x.Set(i, j, rnd.NormFloat64()*[]float64{1, 1, 1e4}[(i+n)%3])
			}
			if n%2 == 1 && i > 1 {
				x.SetRow(i, x.RawRowView(i-2))
			}
		}
		span := lsq.NewSpan(x)
		say("rank ", span.Rank(), " points ", span.Points())
		y := x.RawRowView(0)
		for _, reg := range []float64{0, .3} {
			fit, ridge := lsq.NewFit(m, 2), lsq.NewRidge(m, 2)
			tracker := lsq.NewTracker(x, nil, reg)
			for step := range 12 {
				if step == 8 {
					fit.Reset()
					ridge.Reset()
					tracker.Reset()
				}
				arm := step * step % k
				count := 1
				if step%3 == 2 {
					count = []int{5, 1<<20 + 1}[step%2]
				}
				sum := []float64{float64(count)*float64(arm) + rnd.NormFloat64(), float64(count) * .1}
				fit.Add(x.RawRowView(arm), count, sum)
				ridge.Add(x.RawRowView(arm), float64(count), sum)
				tracker.Add(arm, float64(count), sum[0])
				means := make([]float64, 2)
				if fit.Solve() {
					fit.Estimate()
					say("fit ", step, ": ", fit.N(), " ", golden.Numbers(fit.Mean(y, 0), fit.Mean(y, 1)))
				}
				if ridge.Solve(reg) {
					ridge.Means(means, y)
					say("ridge ", reg, " ", step, ": ", golden.Numbers(ridge.N(), ridge.LogDet(), ridge.Squared(y)), " ",
						golden.Numbers(means...))
				}
				if tracker.Solve() {
					dst := make([]float64, k)
					tracker.Covariances(dst, y)
					gains := make([]float64, k)
					tracker.Gains(gains, y)
					say("tracker ", reg, " ", step, ": best ", tracker.Best(), " ", golden.Numbers(tracker.LogDet(),
						tracker.Squared(y), tracker.Mean(y)), "; ", golden.Numbers(tracker.Means()...), "; ",
						golden.Numbers(tracker.Against(k-1)...), "; ", golden.Numbers(tracker.Leverages()...), "; ",
						golden.Numbers(dst...), "; ", golden.Numbers(gains...), "; ", golden.Numbers(tracker.Weights()...))
				}
			}
		}
		for _, link := range []lsq.Link{lsq.Logit, lsq.Log} {
			g := lsq.NewGLM(link, m)
			for step := range 10 {
				if step == 7 {
					g.Reset()
				}
				count := []int{1, 7, 40}[step%3]
				row := make([]float64, m)
				for j := range row {
					row[j] = rnd.NormFloat64()
				}
				g.Add(row, count, float64(rnd.IntN(count+1)))
				spans, err := g.Solve()
				if s := fmt.Sprint(link, " ", step, ": ", spans, " ", err, " ", g.N()); spans && err == nil {
					say(s, " ", g.Iterations, " ", golden.Numbers(g.Theta()...), "; ", golden.Numbers(g.Mean(row),
						g.Predictor(row)))
				} else {
					say(s)
				}
			}
			say(link, ": ", golden.Numbers(link.Mean(-40), link.Mean(.3), link.Slope(.3), link.Slope(30),
				link.Predictor(.2)))
		}
		robust := lsq.NewDoublyRobust(m, 2, .3, rand.NewPCG(1, uint64(n)))
		contexts := x.RawMatrix().Data
		for step := range 8 {
			robust.Add(contexts, step%k, []float64{rnd.NormFloat64(), float64(step)}, step%3 == 0)
			if robust.Solve(1 + float64(step)) {
				dst := make([]float64, 2)
				robust.Means(dst, y)
				say("doubly robust ", step, ": ", golden.Numbers(dst...))
			}
		}
	}
	golden.Digests(t, "pinned.txt", lines, golden.Kind)
}
