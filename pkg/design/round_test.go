package design

import (
	"math"
	"math/rand/v2"
	"slices"
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

// efficient finds counts n_i with the largest possible least ratio n_i/(n p_i). For l points, this least ratio is at
// least 1 - l/n (Pukelsheim and Rieder, 1992).
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
		// The apportionment is optimal: a larger least ratio r = n_i/p_i would need ceil(r p_i) measurements of each
		// point, more than n in total.
		need := 0
		for _, v := range p {
			need += int(math.Ceil(least * (1 + 1e-9) * v))
		}
		if need <= n {
			t.Errorf("%v of weights %v: the least ratio can be larger", counts, p)
		}
	}
	// For n measurements at l points with weights p, efficient first rounds the numbers (n - l/2) p up. Here, (10 -
	// 3/2) p = 4.25, 2.55, 1.7 is rounded up to 5, 3, 2.
	if got := efficient([]float64{.5, .3, .2}, 10); !slices.Equal(got, []int{5, 3, 2}) {
		t.Errorf("efficient: %v, want [5 3 2]", got)
	}
	// If all points are tied, the first point gets the most measurements. The number (4 - 3/2)/3 is rounded up to 1
	// for each point, and the first point gets one more.
	if got := efficient([]float64{1. / 3, 1. / 3, 1. / 3}, 4); !slices.Equal(got, []int{2, 1, 1}) {
		t.Errorf("efficient: %v, want [2 1 1]", got)
	}
	// The numbers (3 - 3/2) p are rounded up to the counts 2, 1, 1. The point with the largest (count - 1)/p then
	// loses one measurement.
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
	// Of the numbers 9 p = 4.5, 2.7, 1.8, the last two have the largest remainders and are rounded up.
	if got := largestRemainder([]float64{.5, .3, .2}, 9); !slices.Equal(got, []int{4, 3, 2}) {
		t.Errorf("largest remainder: %v, want [4 3 2]", got)
	}
}

// exactBest returns the least value over all multisets of n points.
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
		floats.Scale(3, d.Weights) // weights need not sum to 1
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
			if total(a.Counts) != n || got < want*(1-1e-9) || !(math.Abs(a.Ratio-float64(n)*got/d.Value) <= 1e-9*a.Ratio) {
				t.Fatalf("counts %v with ratio %v and value %v, least %v", a.Counts, a.Ratio, got, want)
			}
			cases++
			if got < want*(1+1e-9) {
				exact++
			}
			// Exchanges end in a local optimum. These instances show how far a local optimum can be
			// from the best rounding.
			if n < 2*len(d.Support()) && got > 1.6*want {
				t.Errorf("seed %d, n = %d: value %v, least %v", seed, n, got, want)
			}
		}
	}
	if exact < cases/2 {
		t.Errorf("only %d of %d roundings are optimal", exact, cases)
	}
}

// Initially, all n measurements are at one point. If n >= 5 m/eps^2 in m dimensions, swaps reach a least eigenvalue of
// at least 1 - 3 eps (Allen-Zhu et al., 2021). The number of measurements does not change.
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
		// Check the definition of whitening.
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
		if least := eig.Values(nil)[0]; least < 1-3*eps || swaps == 0 || total(counts) != n || slices.Min(counts) < 0 {
			t.Errorf("seed %d: least eigenvalue %v after %d swaps, want %v", seed, least, swaps, 1-3*eps)
		}
	}
}

// The comment of swapRegret defines A, alpha, B- and B+. For m = 1 and eps = 1/5, A is 1 and alpha is 5. The point 0.1
// has B- = 0.01/(1 - 0.1). The largest B+ is 1/11, at the point 1; at the point 0.6, B+ is 0.36/4.6. For n = 4
// measurements, the gain B+ - B- = 0.0798 is more than eps/n = 0.05. One swap reaches a least eigenvalue of 1 - 3 eps.
// For n = 2, eps/n is 0.1, and the gain is too small.
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
