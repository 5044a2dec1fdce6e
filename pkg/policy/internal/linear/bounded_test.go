package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
)

// The arms x = 1 and x = 2 have means 3 and 2, one reward each, and deviations of at most 1/2.
//
// A theta exists for the means u and v if u - 1/2 <= (v + 1/2)/2. The means that satisfy this inequality and are
// nearest to (3, 2) are (2, 2.5), with theta = 1.5. If means are at most 2.2, the nearest means have v = 2.2 and u =
// 1/2 + 2.7/2 = 1.85.
func TestNearestByHand(t *testing.T) {
	x, n, mean := [][]float64{{1}, {2}}, []int{1, 1}, []float64{3, 2}
	for _, c := range []struct{ largest, u, v float64 }{{100, 2, 2.5}, {2.2, 1.85, 2.2}} {
		got, ok := Bounds{.5, c.largest}.Nearest(x, n, mean, x)
		if !ok || math.Abs(got[0]-c.u) > 1e-9 || math.Abs(got[1]-c.v) > 1e-9 {
			t.Errorf("largest %v: %v, %v; want %v, %v", c.largest, got, ok, c.u, c.v)
		}
	}
	// If means are at most 1, an arm x = 4 without pulls limits theta to (1 + 1/2)/4. The means are then at most 7/8
	// and min(5/4, 1) = 1.
	got, ok := Bounds{.5, 1}.Nearest(x, n, mean, [][]float64{{4}})
	if !ok || math.Abs(got[0]-.875) > 1e-9 || math.Abs(got[1]-1) > 1e-9 {
		t.Errorf("with an arm that is not pulled: %v, %v", got, ok)
	}
	// A second feature that is zero for all pulled arms changes nothing.
	wide := [][]float64{{1, 0}, {2, 0}}
	got, ok = Bounds{.5, 1}.Nearest(wide, n, mean, [][]float64{{4, 0}, {0, 1}})
	if !ok || math.Abs(got[0]-.875) > 1e-9 || math.Abs(got[1]-1) > 1e-9 {
		t.Errorf("with a feature that is zero for all pulled arms: %v, %v", got, ok)
	}
}

// With a large bound on means, the result equals that of Deviating, and no other means within the bounds are
// nearer to the measured means.
func TestNearestBruteForce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	bounded := 0
	for range 40 {
		const k, m = 7, 2
		x, n, mean := make([][]float64, k), make([]int, k), make([]float64, k)
		for i := range x {
			x[i] = []float64{rnd.NormFloat64(), 1}
			n[i], mean[i] = 1+rnd.IntN(20), 2*rnd.NormFloat64()
		}
		distance := func(v []float64) (s float64) {
			for i := range v {
				s += float64(n[i]) * (v[i] - mean[i]) * (v[i] - mean[i])
			}
			return s
		}
		predict, delta := Deviating(x, n, mean, .2)
		free, ok := Bounds{.2, 1e3}.Nearest(x, n, mean, x)
		for i, row := range x {
			if want := predict(row) + delta[i]; !ok || math.Abs(free[i]-want) > 1e-5 {
				t.Fatalf("mean %v; want %v", free[i], want)
			}
		}
		b := Bounds{.2, 1}
		got, ok := b.Nearest(x, n, mean, x)
		if !ok {
			t.Fatal("not solved")
		}
		if distance(got) > distance(free)*(1+1e-6) {
			bounded++
		}
		least := math.Inf(1)
		for range 20000 { // the best means for a random theta
			theta, v := [2]float64{2 * rnd.NormFloat64(), 2 * rnd.NormFloat64()}, make([]float64, k)
			out := false
			for i, row := range x {
				at := theta[0]*row[0] + theta[1]
				out = out || math.Abs(at) > b.Largest+b.Deviation
				v[i] = min(max(mean[i], at-b.Deviation, -b.Largest), at+b.Deviation, b.Largest)
			}
			if !out {
				least = min(least, distance(v))
			}
		}
		if d := distance(got); d > least*(1+1e-9) || d < least*.8 {
			t.Errorf("distance %v; %v by trial", d, least)
		}
	}
	if bounded < 10 {
		t.Errorf("the bound on means matters in %d of 40 only", bounded)
	}
}

// The fit is a minimum of a convex function, because the gradient is zero. The gradient is zero if the parts of the
// residuals beyond the bound, weighted by counts, are orthogonal to the features.
func TestDeviating(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	clipped := 0
	for range 50 {
		const k, m, bound = 9, 3, .2
		x, n, mean := make([][]float64, k), make([]int, k), make([]float64, k)
		for i := range x {
			x[i] = []float64{rnd.NormFloat64(), rnd.NormFloat64(), 1}
			n[i], mean[i] = 1+rnd.IntN(20), rnd.NormFloat64()
		}
		predict, delta := Deviating(x, n, mean, bound)
		g := make([]float64, m)
		for i, row := range x {
			r := mean[i] - predict(row)
			if want := min(max(r, -bound), bound); math.Abs(delta[i]-want) > 1e-6 {
				t.Fatalf("deviation %v; want %v", delta[i], want)
			}
			if math.Abs(r) > bound {
				clipped++
			}
			floats.AddScaled(g, float64(n[i])*(r-delta[i]), row)
		}
		if floats.Norm(g, 2) > 1e-5 {
			t.Errorf("gradient %v", g)
		}
	}
	if clipped < 100 {
		t.Errorf("only %d residuals are larger than the bound", clipped)
	}
}

// The arms x = 1 and x = 2 have means 1 and 1.5, one reward each. Least squares has theta = 4/5 and residuals 0.2 and
// -0.1. Deviations of at most 1/4 allow these residuals, so means are fitted exactly. Deviations of at most 1/10 do
// not allow the residual 0.2. No theta = t satisfies both 1 - t <= 0.1 and 2 t - 1.5 <= 0.1, so the minimum of (max(0,
// |1 - t| - 0.1))^2 + (max(0, |1.5 - 2 t| - 0.1))^2 is positive. The derivative is zero for 1 - t - 0.1 = 2 (2 t -
// 1.6), that is, t = 0.82.
func TestDeviatingByHand(t *testing.T) {
	x, n, mean := [][]float64{{1}, {2}}, []int{1, 1}, []float64{1, 1.5}
	predict, delta := Deviating(x, n, mean, .25)
	if math.Abs(predict(x[0])-.8) > 1e-9 || math.Abs(delta[0]-.2) > 1e-9 || math.Abs(delta[1]+.1) > 1e-9 {
		t.Errorf("theta %v, deviations %v", predict(x[0]), delta)
	}
	predict, delta = Deviating(x, n, mean, .1)
	if math.Abs(predict(x[0])-.82) > 1e-7 || delta[0] != .1 || delta[1] != -.1 {
		t.Errorf("theta %v, deviations %v; want .82", predict(x[0]), delta)
	}
}

// The next arm minimises the largest variance of a difference. The test inverts the information matrix for every
// possible next arm. Many arms are nearly optimal, but no arm gives a smaller value.
func TestGreedyBruteForce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	const n, h, pulls = 40, 3, 25
	x := mat.NewDense(n, h, nil)
	for i := range n {
		angle := .1 * rnd.NormFloat64()
		x.SetRow(i, []float64{math.Cos(angle), math.Sin(angle), rnd.NormFloat64()})
	}
	l := new(Model)
	if err := l.Init(&explore.Problem{X: x, Sigma: 1, Question: question.Best{}}); err != nil {
		t.Fatal(err)
	}
	active := []int{1, 5, 8, 13, 21, 34}
	g, err := newGreedy(l, active)
	if err != nil {
		t.Fatal(err)
	}
	// after returns the largest variance after one more pull of arm k.
	after := func(k int) float64 {
		a := mat.NewDense(h, h, nil)
		for i, c := range g.counts {
			if i == k {
				c++
			}
			v := mat.NewVecDense(h, l.Arm(i))
			a.RankOne(a, float64(c), v, v)
		}
		var w mat.Dense
		if err := w.Inverse(a); err != nil {
			t.Fatal(err)
		}
		worst, y := 0., mat.NewVecDense(h, nil)
		for _, i := range active {
			for _, j := range active {
				y.SubVec(mat.NewVecDense(h, l.Item(i)), mat.NewVecDense(h, l.Item(j)))
				worst = max(worst, mat.Inner(y, &w, y))
			}
		}
		return worst
	}
	near := 0 // number of arms within 2 % of the best arm
	for range pulls {
		g.measure()
		k := g.best()
		got := after(k)
		for other := range n {
			v := after(other)
			if v < got*(1-1e-9) {
				t.Fatalf("arm %d leaves %v; arm %d leaves %v", k, got, other, v)
			}
			if other != k && v < 1.02*got {
				near++
			}
		}
		g.pull(k)
	}
	if near < pulls {
		t.Errorf("only %d times another arm was nearly as good: the test shows little", near)
	}
}

// An updated Belief agrees with a Tracker, which has its own tests, and with a Belief computed from all rewards at
// once. Gains equal the reductions of variances by one more reward.
func TestBelief(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, reg := range []float64{0, .3} {
		const k, m = 7, 3
		x := mat.NewDense(k, m, nil)
		for i := range k {
			for j := range m {
				x.Set(i, j, rnd.NormFloat64())
			}
		}
		b, l := NewBelief(x, reg), lsq.NewTracker(x, nil, reg)
		add := func(arm int) {
			r := rnd.NormFloat64()
			b.Add(arm, 2, r)
			l.Add(arm, 2, r)
		}
		for i := range k {
			add(i)
		}
		if !b.Solve() || !l.Solve() {
			t.Fatal("singular")
		}
		for range 700 {
			i, j, at := rnd.IntN(k), rnd.IntN(k), rnd.IntN(k)
			before := l.Squared(difference(x, i, j))
			gain := b.Gain(at, i, j)
			r := rnd.NormFloat64()
			b.Add(at, 1, r)
			l.Add(at, 1, r)
			if after := l.Squared(difference(x, i, j)); math.Abs(before-after-gain) > 1e-9 {
				t.Fatalf("gain %v; want %v", gain, before-after)
			}
			if math.Abs(b.LogDet-l.LogDet()) > 1e-8 || math.Abs(b.Mean[i]-l.Means()[i]) > 1e-9 {
				t.Fatalf("log det %v, mean %v; want %v, %v", b.LogDet, b.Mean[i], l.LogDet(), l.Means()[i])
			}
			if v := b.Row(i)[i] + b.Row(j)[j] - 2*b.Row(i)[j]; math.Abs(v-l.Squared(difference(x, i, j))) > 1e-9 {
				t.Fatalf("variance %v of a difference", v)
			}
		}
	}
}

func difference(x *mat.Dense, i, j int) []float64 {
	var y mat.VecDense
	y.SubVec(x.RowView(i), x.RowView(j))
	return y.RawVector().Data
}

// The expected values were computed by numerical integration.
func TestGradient(t *testing.T) {
	var g Gradient
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{0, 0}, []float64{0, 1}, 0.398942280401},
		{[]float64{1, 0, -1}, []float64{.5, -1, 2}, 0.290272143299},
		{[]float64{1, .9, .8, .2}, []float64{.1, .1, .5, -.7}, 0.145770999431},
	} {
		if got := math.Exp(g.Log(c.a, c.b, 1)); math.Abs(got-c.want) > 1e-11 {
			t.Errorf("%v, %v: %v; want %v", c.a, c.b, got, c.want)
		}
	}
	if got := g.Log([]float64{1, 2}, []float64{3, 3}, 1); !math.IsInf(got, -1) {
		t.Errorf("equal slopes: %v", got)
	}
}

// Gains equal the integral over a fine grid, for upper envelopes of many and of few lines.
func TestGradientBruteForce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var g Gradient
	for range 40 {
		n := 1 + rnd.IntN(12)
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			b[i] = rnd.NormFloat64()
			if a[i] = rnd.NormFloat64(); rnd.IntN(2) == 0 {
				a[i] = -b[i] * b[i] / 2 // tangents of a parabola, all on the envelope
			}
			if i > 0 && rnd.IntN(4) == 0 {
				b[i] = b[i-1]
			}
		}
		const scale, step = .7, 1e-3
		most, sum := math.Inf(-1), 0.
		for _, v := range a {
			most = max(most, v)
		}
		for z := -9.; z <= 9; z += step {
			top := math.Inf(-1)
			for i := range a {
				top = max(top, a[i]+scale*b[i]*z)
			}
			sum += (top - most) * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * step
		}
		if got := math.Exp(g.Log(a, b, scale)); math.Abs(got-sum) > 1e-6 {
			t.Errorf("%v, %v: %v; want %v", a, b, got, sum)
		}
	}
}

// Tiny gains underflow, but their logarithms do not: at 40 standard deviations the gain is about phi(40)/1600. At z =
// -25, where logLoss changes from one formula to the other, both formulas give the same value.
func TestGradientFar(t *testing.T) {
	var g Gradient
	got := g.Log([]float64{40, 0}, []float64{0, 1}, 1)
	if want := -800 - math.Log(2*math.Pi)/2 - math.Log(1600); math.Abs(got-want) > .002 {
		t.Errorf("%v; want %v", got, want)
	}
	if a, b := logLoss(-25), logLoss(-25.000000001); math.Abs(a-b) > 1e-7 {
		t.Errorf("%v and %v", a, b)
	}
}
