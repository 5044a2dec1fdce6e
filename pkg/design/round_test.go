package design

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

func total(counts []int) (n int) {
	for _, v := range counts {
		n += v
	}
	return n
}

// mixture returns a random probability vector without zeros.
func mixture(rnd *rand.Rand, l int) []float64 {
	p := make([]float64, l)
	for i := range p {
		p[i] = rnd.ExpFloat64()
	}
	floats.Scale(1/floats.Sum(p), p)
	return p
}

// Pukelsheim and Rieder (1992): the least n_i/(n p_i) is as large as any
// apportionment can make it, and at least 1 - l/n.
func TestEfficient(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for trial := range 300 {
		l := 1 + trial%9
		p := mixture(rnd, l)
		n := l + rnd.IntN(40)
		counts := efficient(p, n)
		if total(counts) != n || slices.Min(counts) < 1 {
			t.Fatalf("%v of weights %v, want %d measurements, and one of each", counts, p, n)
		}
		least := math.Inf(1)
		for i, v := range counts {
			least = min(least, float64(v)/p[i])
		}
		if least/float64(n) < 1-float64(l)/float64(n)-1e-12 {
			t.Errorf("least ratio %v with n = %d, l = %d", least/float64(n), n, l)
		}
		// Optimal: a larger least ratio r needs ceil(r p_i) measurements each.
		need := 0
		for _, v := range p {
			need += int(math.Ceil(least * (1 + 1e-9) * v))
		}
		if need <= n {
			t.Errorf("%v of weights %v: the least ratio can be larger", counts, p)
		}
	}
	// Worked by hand: (10 - 3/2) p = 4.25, 2.55, 1.7, rounded up 5, 3, 2.
	if got := efficient([]float64{.5, .3, .2}, 10); !slices.Equal(got, []int{5, 3, 2}) {
		t.Errorf("efficient: %v, want [5 3 2]", got)
	}
	// Ties by number: (4 - 3/2)/3 up to 1, 1, 1, and one more.
	if got := efficient([]float64{1. / 3, 1. / 3, 1. / 3}, 4); !slices.Equal(got, []int{2, 1, 1}) {
		t.Errorf("efficient: %v, want [2 1 1]", got)
	}
	// (3 - 3/2) p up to 2, 1, 1: one less where n_i - 1 over p_i is largest.
	if got := efficient([]float64{.8, .1, .1}, 3); !slices.Equal(got, []int{1, 1, 1}) {
		t.Errorf("efficient: %v, want [1 1 1]", got)
	}
}

func TestLargestRemainder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for trial := range 200 {
		p, n := mixture(rnd, 1+trial%9), rnd.IntN(50)
		counts := largestRemainder(p, n)
		if total(counts) != n {
			t.Fatalf("%v, want %d measurements", counts, n)
		}
		for i, v := range counts {
			if math.Abs(float64(v)-float64(n)*p[i]) >= 1 {
				t.Errorf("%d measurements for a share of %v", v, float64(n)*p[i])
			}
		}
	}
	// 4.5, 2.7, 1.8: the last two are rounded up.
	if got := largestRemainder([]float64{.5, .3, .2}, 9); !slices.Equal(got, []int{4, 3, 2}) {
		t.Errorf("largest remainder: %v, want [4 3 2]", got)
	}
}

// exactBest is the least value over all multisets of n points.
func exactBest(c Criterion, n int) float64 {
	w, best := make([]float64, c.K()), math.Inf(1)
	var place func(i, left int)
	place = func(i, left int) {
		if i == c.K()-1 {
			w[i] = float64(left)
			best = min(best, c.Value(w))
			return
		}
		for v := 0; v <= left; v++ {
			w[i] = float64(v)
			place(i+1, left-v)
		}
	}
	place(0, n)
	return best
}

func TestRoundExact(t *testing.T) {
	exact, cases := 0, 0
	for seed := range uint64(20) {
		m := 2 + int(seed)%2
		g, err := NewG(normalPoints(seed, 6, m))
		if err != nil {
			t.Fatal(err)
		}
		d, err := g.Solve(&Options{Tol: 1e-6})
		if err != nil {
			t.Fatal(err)
		}
		for n := m; n <= m+3; n++ {
			a, err := Round(g, d.Weights, n, Best)
			if err != nil {
				t.Fatal(err)
			}
			w := make([]float64, 6)
			for i, v := range a.Counts {
				w[i] = float64(v)
			}
			got, want := g.Value(w), exactBest(g, n)
			if total(a.Counts) != n || got < want*(1-1e-9) ||
				!(math.Abs(a.Ratio-float64(n)*got/d.Value) <= 1e-9*a.Ratio) {
				t.Fatalf("counts %v with ratio %v and value %v, least %v", a.Counts, a.Ratio, got,
					want)
			}
			cases++
			if got < want*(1+1e-9) {
				exact++
			}
			// A local optimum of exchanges; these instances show how far it can be.
			if n < 2*len(d.Support()) && got > 1.6*want {
				t.Errorf("seed %d, n = %d: value %v, least %v", seed, n, got, want)
			}
		}
	}
	if exact < cases/2 {
		t.Errorf("only %d of %d roundings are optimal", exact, cases)
	}
}

func TestRound(t *testing.T) {
	x := normalPoints(4, 300, 5)
	g, err := NewG(x)
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := NewPairs(x, mat.DenseCopyOf(x.Slice(0, 20, 0, 5)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []Criterion{g, pairs} {
		d, err := c.Solve(&Options{Tol: 1e-3})
		if err != nil {
			t.Fatal(err)
		}
		s := len(d.Support())
		for _, n := range []int{5, s - 1, s, 2*s - 1, 3 * s, 1000, 1_000_000_007} {
			ratios := map[Rounding]float64{}
			for _, r := range []Rounding{Efficient, LargestRemainder, AllenZhu, Best} {
				a, err := Round(c, d.Weights, n, r)
				if err != nil {
					if r == Best || r == Efficient && n >= s || r != Efficient &&
						!errors.Is(err, ErrSpan) {
						t.Errorf("n = %d, %v: %v", n, r, err)
					}
					continue
				}
				ratios[r] = a.Ratio
				w := make([]float64, c.K())
				for i, v := range a.Counts {
					w[i] = float64(v)
					if v > 0 && r != Best && d.Weights[i] == 0 {
						t.Errorf("%v measures a point of weight 0", r)
					}
				}
				if v := c.Value(w) * float64(n) / d.Value; total(a.Counts) != n ||
					!(math.Abs(v-a.Ratio) <= 1e-6*v) {
					t.Errorf("n = %d, %v: ratio %v, want %v", n, r, a.Ratio, v)
				}
				if a.Ratio < d.Lower/d.Value-1e-9 {
					t.Errorf("n = %d, %v: ratio %v is less than possible", n, r, a.Ratio)
				}
				if r == Efficient && n > s && a.Ratio > 1/(1-float64(s)/float64(n))+1e-9 {
					t.Errorf("n = %d, s = %d: ratio %v", n, s, a.Ratio)
				}
				if n > 1e9 && a.Ratio > 1+1e-6 {
					t.Errorf("ratio %v for many measurements", a.Ratio)
				}
			}
			for r, v := range ratios {
				if r != AllenZhu && n < 1000*s && ratios[Best] > v*(1+1e-9) {
					t.Errorf("n = %d: %v is better than best, %v < %v", n, r, v, ratios[Best])
				}
			}
		}
	}
}

func TestRoundDirection(t *testing.T) {
	// A design that spans two of five dimensions, enough for its direction.
	x := mat.NewDense(5, 5, nil)
	for i := range 5 {
		x.Set(i, i, 1)
	}
	c, err := NewC(x, []float64{3, 0, -1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	d, err := c.Solve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []Rounding{Best, Efficient, LargestRemainder, AllenZhu} {
		a, err := Round(c, d.Weights, 4, r)
		if err != nil || !slices.Equal(a.Counts, []int{3, 0, 1, 0, 0}) ||
			!(math.Abs(a.Ratio-1) <= 1e-9) {
			t.Errorf("%v: %v, %v", r, a, err)
		}
	}
	if _, err := Round(c, d.Weights, 1, Best); !errors.Is(err, ErrSpan) ||
		!strings.Contains(err.Error(), "at least 2") {
		t.Errorf("one measurement: %v", err)
	}
	zero, err := NewC(x, make([]float64, 5))
	if err != nil {
		t.Fatal(err)
	}
	if a, err := Round(zero, []float64{1, 1, 0, 0, 0}, 3, Best); err != nil || a.Ratio != 1 ||
		total(a.Counts) != 3 {
		t.Errorf("direction 0: %v, %v", a, err)
	}
}

type foreign struct{ Criterion }

func TestRoundErrors(t *testing.T) {
	x := normalPoints(1, 30, 4)
	g, err := NewG(x)
	if err != nil {
		t.Fatal(err)
	}
	d, err := g.Solve(nil)
	if err != nil {
		t.Fatal(err)
	}
	one := make([]float64, 30)
	one[2] = 1
	for _, c := range []struct {
		w    []float64
		n    int
		r    Rounding
		want string
	}{
		{d.Weights, 3, Best, "at least 4"},
		{d.Weights, 2, LargestRemainder, "at least 4"},
		{d.Weights, 3, AllenZhu, "at least 4"},
		{d.Weights, 4, Efficient, "round to Best"},
		{d.Weights, 0, Best, "at least 1"},
		{one, 9, Best, "give weight to points"},
	} {
		if _, err := Round(g, c.w, c.n, c.r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("n = %d, %v: error %v, want %q", c.n, c.r, err, c.want)
		}
	}
	if _, err := Round(foreign{g}, d.Weights, 50, AllenZhu); err != errForeign {
		t.Errorf("foreign criterion: error %v", err)
	}
	if a, err := Round(foreign{g}, d.Weights, 50, Best); err != nil || total(a.Counts) != 50 {
		t.Errorf("foreign criterion: %v, %v", a, err)
	}
	panics(t, panicWeights, func() { _, _ = Round(g, one[1:], 9, Best) })
	panics(t, panicRounded, func() { _, _ = Round(g, make([]float64, 30), 9, Best) })
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		w := slices.Clone(d.Weights)
		w[29] = bad
		panics(t, panicRounded, func() { _, _ = Round(g, w, 9, Best) })
	}
	panics(t, panicRounding, func() { _, _ = Round(g, d.Weights, 9, Rounding(9)) })
}

// From all measurements at one point, swaps reach 1 - 3 eps when n >= 5 m/eps^2
// (Allen-Zhu et al., 2021), and the number of measurements stays.
func TestSwapRegret(t *testing.T) {
	const eps = 0.2
	for seed := range uint64(6) {
		m := 2 + int(seed)%4
		x := normalPoints(seed, 80, m)
		g, err := NewG(x)
		if err != nil {
			t.Fatal(err)
		}
		d, err := g.Solve(nil)
		if err != nil {
			t.Fatal(err)
		}
		var on []int
		var p []float64
		for _, i := range d.Support() {
			on, p = append(on, i), append(p, d.Weights[i])
		}
		n := int(math.Ceil(5 * float64(m) / (eps * eps)))
		z, rank, err := (&rounder{c: g, on: on, p: p, n: n}).whitened()
		if err != nil || rank != m {
			t.Fatal(rank, err)
		}
		// The definition of whitening.
		info := make([]float64, m*m)
		for b, v := range p {
			addOuter(info, v*float64(n), z[b*m:][:m])
		}
		for r := range m {
			for c := range m {
				if want := map[bool]float64{true: 1}[r == c]; !(math.Abs(info[r*m+c]-want) <= 1e-9) {
					t.Fatalf("element %d, %d of the whitened matrix is %v", r, c, info[r*m+c])
				}
			}
		}
		counts := make([]int, len(on))
		counts[0] = n
		swaps := swapRegret(z, m, counts, eps, nil)
		clear(info)
		for b, v := range counts {
			addOuter(info, float64(v), z[b*m:][:m])
		}
		var eig mat.EigenSym
		eig.Factorize(mat.NewSymDense(m, info), false)
		if least := eig.Values(nil)[0]; least < 1-3*eps || swaps == 0 || total(counts) != n ||
			slices.Min(counts) < 0 {
			t.Errorf("seed %d: least eigenvalue %v after %d swaps, want %v", seed, least, swaps,
				1-3*eps)
		}
	}
}

// Worked by hand for m = 1, where A = 1: with eps = 1/5, alpha = 5, the point 0.1
// has B- = 0.01/(1 - 0.1), and B+ = 1/11 at 1 is more than 0.36/4.6 at 0.6. The
// gain, 0.0798, is more than eps/n = 0.05, and one swap reaches 1 - 3 eps. With
// n = 2, eps/n = 0.1, it is not enough.
func TestSwapRegretByHand(t *testing.T) {
	z := []float64{0.1, 1, 0.6}
	for _, c := range []struct{ before, after []int }{
		{[]int{4, 0, 0}, []int{3, 1, 0}},
		{[]int{2, 0, 0}, []int{2, 0, 0}},
	} {
		counts := slices.Clone(c.before)
		swapRegret(z, 1, counts, 0.2, nil)
		if !slices.Equal(counts, c.after) {
			t.Errorf("%v becomes %v, want %v", c.before, counts, c.after)
		}
	}
}

// With fewer than two measurements for each point of the design, Best leaves none that would be
// better elsewhere.
func TestRoundBestCannotBeImproved(t *testing.T) {
	rnd := rand.New(rand.NewPCG(28, 1))
	for trial := range 40 {
		k, h := 8+trial%5, 2+trial%3
		x := mat.NewDense(k, h, nil)
		for i := range k {
			for j := range h {
				x.Set(i, j, rnd.NormFloat64())
			}
		}
		c, err := NewPairs(x, nil)
		if err != nil {
			t.Fatal(err)
		}
		w := mixture(rnd, k)
		n := k + rnd.IntN(k)
		a, err := Round(c, w, n, Best)
		if err != nil {
			t.Fatal(err)
		}
		counts := make([]float64, k)
		for i, v := range a.Counts {
			counts[i] = float64(v)
		}
		value := c.Value(counts)
		for from := range counts {
			for to := range counts {
				if counts[from] == 0 || to == from {
					continue
				}
				counts[from]--
				counts[to]++
				if v := c.Value(counts); v < value*(1-1e-8) {
					t.Errorf("%d of %d points: %v has the value %v; a measurement of %d in place of "+
						"one of %d gives %v", n, k, a.Counts, value, to, from, v)
				}
				counts[from]++
				counts[to]--
			}
		}
	}
}
