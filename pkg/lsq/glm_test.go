package lsq_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

var links = []lsq.Link{lsq.Identity, lsq.Logit, lsq.Log}

// Slope is the derivative of Mean, and Predictor is its inverse, even for large predictors.
func TestLink(t *testing.T) {
	for _, l := range links {
		for _, eta := range []float64{-30, -3, -.5, 0, .2, 2, 15} {
			const h = 1e-5
			want := (l.Mean(eta+h) - l.Mean(eta-h)) / (2 * h)
			if got := l.Slope(eta); !(math.Abs(got-want) <= 1e-8*(1+want)) {
				t.Errorf("%v: slope %v at %v; want %v", l, got, eta, want)
			}
			if got := l.Predictor(l.Mean(eta)); !(math.Abs(got-eta) <= 1e-8) {
				t.Errorf("%v: predictor %v; want %v", l, got, eta)
			}
		}
	}
	if m := lsq.Logit.Mean(-800); m != 0 || lsq.Logit.Mean(800) != 1 || lsq.Logit.Slope(-800) != 0 {
		t.Errorf("far out: %v", m)
	}
	inf := math.Inf(1)
	for l, c := range map[lsq.Link]struct {
		name         string
		known        bool
		low, high    float64
		atLow, above float64 // predictors of the smallest mean, and of the mean 1
	}{
		lsq.Identity: {"identity", true, -inf, inf, -inf, 1}, lsq.Logit: {"logit", true, 0, 1, -inf, inf}, lsq.Log: {"log", true, 0, inf, -inf, 0},
		lsq.Log + 1: {"Link(3)", false, -inf, inf, -inf, 1}, -1: {"Link(-1)", false, -inf, inf, -inf, 1},
	} {
		low, high := l.Range()
		if l.String() != c.name || l.Known() != c.known || low != c.low || high != c.high || l.Predictor(low) != c.atLow || l.Predictor(1) != c.above {
			t.Errorf("link %d: %v, known %v, from %v to %v, predictors %v and %v", l, l, l.Known(), low, high, l.Predictor(low), l.Predictor(1))
		}
	}
	if !math.IsNaN(lsq.Logit.Predictor(1.5)) || !math.IsNaN(lsq.Logit.Predictor(-.5)) || !math.IsNaN(lsq.Log.Predictor(-.5)) {
		t.Error("a mean outside of the range has a predictor")
	}
	// The predictor is accurate even if the success probability is tiny.
	if got := lsq.Logit.Predictor(1e-20); !(math.Abs(got+20*math.Ln10) <= 1e-12) {
		t.Errorf("predictor of 1e-20: %v", got)
	}
}

// The estimating equation holds at the estimate, and variances agree with the inverse of the information matrix.
func TestGLM(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, l := range links {
		for range 20 {
			k, m := 6+rnd.IntN(10), 1+rnd.IntN(4)
			x := random(rnd, k, m, 1)
			g := lsq.NewGLM(l, m)
			n, sum := make([]int, k), make([]float64, k)
			for i := range k {
				n[i] = 20 + rnd.IntN(100)
				// Any sum inside the range is valid. The random means ensure that the fit is not exact.
				mean := l.Mean(rnd.NormFloat64())
				sum[i] = math.Max(1, math.Round(mean*float64(n[i])*.9))
				g.Add(x.RawRowView(i), n[i], sum[i])
			}
			if spans, err := g.Solve(); !spans || err != nil {
				t.Fatalf("%v: spans %v, %v", l, spans, err)
			}
			score, size := make([]float64, m), 0.
			info := mat.NewSymDense(m, nil)
			for i := range k {
				row := x.RawRowView(i)
				floats.AddScaled(score, sum[i]-float64(n[i])*g.Mean(row), row)
				size += sum[i]
				info.SymRankOne(info, float64(n[i])*l.Slope(g.Predictor(row)), x.RowView(i))
			}
			if norm := floats.Norm(score, 2); norm > 1e-6*size {
				t.Errorf("%v: score %v", l, norm)
			}
			var inverse mat.Dense
			if err := inverse.Inverse(info); err != nil {
				t.Fatal(err)
			}
			y := x.RowView(0)
			want := mat.Inner(y, &inverse, y)
			if got := g.Squared(x.RawRowView(0)); !(math.Abs(got-want) <= 1e-6*want) {
				t.Errorf("%v: variance %v; want %v", l, got, want)
			}
		}
	}
}

// With the identity link, GLM equals least squares. If the points are unit vectors, the estimated means are the
// averages of the rewards.
func TestGLMClosedForms(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	x := random(rnd, 8, 3, 1)
	g, f := lsq.NewGLM(lsq.Identity, 3), lsq.NewFit(3, 1)
	for i := range 8 {
		n, sum := 1+rnd.IntN(9), rnd.NormFloat64()
		g.Add(x.RawRowView(i), n, sum)
		f.Add(x.RawRowView(i), n, []float64{sum})
	}
	if _, err := g.Solve(); err != nil || !f.Solve() {
		t.Fatal(err)
	}
	for j, v := range g.Theta() {
		if want := f.Theta().At(j, 0); !(math.Abs(v-want) <= 1e-12) {
			t.Errorf("theta %d is %v; want %v", j, v, want)
		}
	}
	for _, l := range []lsq.Link{lsq.Logit, lsq.Log} {
		g := lsq.NewGLM(l, 2)
		g.Add([]float64{1, 0}, 10, 3)
		g.Add([]float64{0, 1}, 20, 19)
		g.Add([]float64{0, 1}, 1000, 950) // another batch at the same point
		if _, err := g.Solve(); err != nil || g.N() != 1030 {
			t.Fatal(err)
		}
		for j, mean := range []float64{.3, .95} {
			if got := g.Theta()[j]; !(math.Abs(got-l.Predictor(mean)) <= 1e-9) {
				t.Errorf("%v: theta %d is %v", l, j, got)
			}
		}
		g.Reset()
		g.Add([]float64{1, 1}, 4, 2)
		if spans, err := g.Solve(); spans || err != nil || g.Outside([]float64{1, -1}) < .9 ||
			!(math.Abs(g.Mean([]float64{1, 1})-.5) <= 1e-8) {
			t.Errorf("%v: one point of two features: spans %v, %v", l, spans, err)
		}
	}
}

func ExampleGLM() {
	// The rewards are successes of two recipes and of a mixture of these recipes.
	g := lsq.NewGLM(lsq.Logit, 2)
	g.Add([]float64{1, 0}, 50, 40)
	g.Add([]float64{0, 1}, 50, 20)
	g.Add([]float64{.5, .5}, 50, 31)
	if _, err := g.Solve(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("theta %.2f, success of the mixture %.2f\n", g.Theta(), g.Mean([]float64{.5, .5}))
	g.Reset()
	g.Add([]float64{1, 0}, 3, 3)
	_, err := g.Solve()
	fmt.Println(errors.Is(err, lsq.ErrSeparated))
	// Output:
	// theta [1.39 -0.41], success of the mixture 0.62
	// true
}

// For large counts, a full Newton step from zero overshoots greatly.
func TestGLMLargeCounts(t *testing.T) {
	for _, mean := range []float64{100, 1e4} {
		g := lsq.NewGLM(lsq.Log, 1)
		g.Add([]float64{1}, 2, 2*mean)
		if _, err := g.Solve(); err != nil || !(math.Abs(g.Theta()[0]-math.Log(mean)) <= 1e-9) {
			t.Errorf("counts of %v: theta is %v, %v; want %v", mean, g.Theta(), err, math.Log(mean))
		}
	}
}
