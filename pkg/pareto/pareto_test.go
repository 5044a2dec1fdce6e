package pareto

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// clouds are the distributions of points in tests and benchmarks.
var clouds = []struct {
	name string
	draw func(rnd *rand.Rand, p []float64)
}{
	{"uniform", uniform},
	{"sphere", sphere},
	{"lattice", func(rnd *rand.Rand, p []float64) { // ties and copies
		for c := range p {
			p[c] = float64(rnd.IntN(4)) - 1
		}
	}},
	{"lattice front", func(rnd *rand.Rand, p []float64) { // all optimal, with ties and copies
		clear(p)
		for range 12 {
			p[rnd.IntN(len(p))]++
		}
	}},
	// There are a few ties, a large front, and points just below the front.
	{"near front", func(rnd *rand.Rand, p []float64) {
		sphere(rnd, p)
		for c := range p {
			p[c] = math.Round(p[c] * 64)
		}
	}},
	{"signed zeros", func(rnd *rand.Rand, p []float64) {
		for c := range p {
			p[c] = math.Copysign(float64(rnd.IntN(2)), rnd.Float64()-.5)
		}
	}},
	{"wide", func(rnd *rand.Rand, p []float64) { // differences and sums overflow
		for c := range p {
			p[c] = math.Copysign(math.Exp(rnd.Float64()*1400-700), rnd.Float64()-.5)
			if rnd.IntN(8) == 0 {
				p[c] = math.Copysign(math.MaxFloat64, p[c])
			}
		}
	}},
	{"offset", func(rnd *rand.Rand, p []float64) { // leading bits agree, except for an outlier
		for c := range p {
			p[c] = 1e6 + rnd.Float64()*1e-6
			if rnd.IntN(100) == 0 {
				p[c] = -1
			}
		}
	}},
	{"zero first", func(rnd *rand.Rand, p []float64) { // zeros of both signs are equal
		uniform(rnd, p)
		p[0] = math.Copysign(0, rnd.Float64()-.5)
	}},
	{"zeros", func(rnd *rand.Rand, p []float64) {
		for c := range p {
			p[c] = math.Copysign(0, rnd.Float64()-.5)
		}
	}},
}

func uniform(rnd *rand.Rand, p []float64) {
	for c := range p {
		p[c] = rnd.Float64()
	}
}

// sphere draws a point from the positive part of the unit sphere, where all points are optimal.
func sphere(rnd *rand.Rand, p []float64) {
	s := 0.
	for c := range p {
		p[c] = math.Abs(rnd.NormFloat64())
		s += p[c] * p[c]
	}
	for c := range p {
		p[c] /= math.Sqrt(s)
	}
}

func cloud(rnd *rand.Rand, draw func(*rand.Rand, []float64), n, d int) *mat.Dense {
	mu := mat.NewDense(n, d, nil)
	for i := range n {
		draw(rnd, mu.RawRowView(i))
	}
	return mu
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// upTo returns 0, ..., n-1.
func upTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// panicValue returns the value with which f panics.
func panicValue(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func TestRelations(t *testing.T) {
	for _, c := range []struct {
		a, b                 []float64
		weak, pareto, strict bool
		excess               float64 // by hand
	}{
		{[]float64{1, 1}, []float64{1, 1}, true, false, false, 0},
		{[]float64{1, 2}, []float64{1, 1}, true, true, false, 1},
		{[]float64{3, 2}, []float64{1, 1}, true, true, true, 2},
		{[]float64{1, 0}, []float64{0, 1}, false, false, false, 1},
		{[]float64{0, 0}, []float64{.5, .25}, false, false, false, -.25},
		{[]float64{0, 0}, []float64{0, 1}, false, false, false, 0},
		{[]float64{0}, []float64{math.Copysign(0, -1)}, true, false, false, 0},
		{[]float64{1, 5}, []float64{math.NaN(), 1}, false, false, false, math.NaN()},
		{[]float64{5, math.NaN()}, []float64{1, 1}, false, false, false, math.NaN()},
	} {
		if got := covers(c.a, c.b); got != c.weak {
			t.Errorf("covers(%v, %v) = %v", c.a, c.b, got)
		}
		if got := Dominates(c.a, c.b); got != c.pareto {
			t.Errorf("Dominates(%v, %v) = %v", c.a, c.b, got)
		}
		if got := Deficit(c.b, c.a) > 0; got != c.strict {
			t.Errorf("Deficit(%v, %v) > 0 is %v", c.b, c.a, got)
		}
		same := func(x, y float64) bool { return x == y || x != x && y != y }
		if got := Excess(c.a, c.b); !same(got, c.excess) {
			t.Errorf("Excess(%v, %v) = %v; want %v", c.a, c.b, got, c.excess)
		}
		if got := Deficit(c.a, c.b); !same(got, -c.excess) {
			t.Errorf("Deficit(%v, %v) = %v; want %v", c.a, c.b, got, -c.excess)
		}
	}
}

// The sign of M (Excess) determines weak dominance, and weak dominance in both directions determines dominance.
func TestAmountsAndRelations(t *testing.T) {
	rnd := newRand(1)
	for _, law := range clouds {
		for range 500 {
			mu := cloud(rnd, law.draw, 2, 1+rnd.IntN(4))
			a, b := mu.RawRowView(0), mu.RawRowView(1)
			if (Excess(a, b) <= 0) != covers(b, a) {
				t.Fatalf("%s: a = %v, b = %v: m = %v, M = %v", law.name, a, b, Deficit(a, b), Excess(a, b))
			}
			if Dominates(a, b) != (covers(a, b) && !covers(b, a)) {
				t.Fatalf("%s: Dominates(%v, %v)", law.name, a, b)
			}
		}
	}
}

// setOracle computes the Pareto set by its definition.
func setOracle(mu *mat.Dense, subset []int) []int {
	var set []int
	for _, i := range subset {
		if !slices.ContainsFunc(subset, func(j int) bool { return Dominates(mu.RawRowView(j), mu.RawRowView(i)) }) {
			set = append(set, i)
		}
	}
	slices.Sort(set)
	return set
}

// Sets are compared with a direct implementation of the definition.
func TestSet(t *testing.T) {
	rnd := newRand(2)
	for _, law := range clouds {
		for d := 1; d <= 6; d++ {
			for _, n := range []int{1, 2, 3, 5, 17, maxPairwise, maxPairwise + 1, 130, 600} {
				reps := 30
				if n > maxPairwise {
					reps = 3
				}
				for range reps {
					mu := cloud(rnd, law.draw, n, d)
					want := setOracle(mu, upTo(n))
					if got := Set(mu); !slices.Equal(got, want) {
						t.Fatalf("%s: d = %d, n = %d: %v; want %v\n%v", law.name, d, n, got, want, mat.Formatted(mu))
					}
				}
			}
		}
	}
}

func TestSetOf(t *testing.T) {
	rnd := newRand(5)
	for _, law := range clouds {
		for _, n := range []int{7, 40, 300} {
			for d := 1; d <= 5; d++ {
				mu := cloud(rnd, law.draw, n, d)
				subset := rnd.Perm(n)[:1+rnd.IntN(n)]
				before := slices.Clone(subset)
				want := setOracle(mu, subset)
				if got := SetOf(mu, subset); !slices.Equal(got, want) {
					t.Fatalf("%s: SetOf: %v; want %v", law.name, got, want)
				}
				got := AppendSetOf([]int{-7}, mu.RawMatrix().Data, d, subset)
				if got[0] != -7 || !slices.Equal(got[1:], want) {
					t.Fatalf("%s: AppendSetOf: %v; want -7 and %v", law.name, got, want)
				}
				got = AppendSet([]int{-7}, mu.RawMatrix().Data, d)
				if got[0] != -7 || !slices.Equal(got[1:], Set(mu)) {
					t.Fatalf("%s: AppendSet: %v; want -7 and %v", law.name, got, Set(mu))
				}
				if !slices.Equal(subset, before) {
					t.Fatal("subset was changed")
				}
			}
		}
	}
}

func FuzzSet(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8}, uint8(2))
	f.Add([]byte{7, 0, 7, 0, 0, 7, 0, 7, 7, 7, 7, 7}, uint8(4))
	f.Fuzz(func(t *testing.T, b []byte, dim uint8) {
		d := 1 + int(dim)%6
		n := len(b) / d
		if n == 0 || n > 300 {
			return
		}
		mu := mat.NewDense(n, d, nil)
		for i := range n {
			for c := range d {
				mu.Set(i, c, float64(int8(b[i*d+c])>>4))
			}
		}
		want := setOracle(mu, upTo(n))
		if got := Set(mu); !slices.Equal(got, want) {
			t.Fatalf("%v; want %v", got, want)
		}
		gap, margin := gapsOracle(mu, upTo(n))
		got, gotMargin := make([]float64, n), make([]float64, n)
		AppendSetGapsOf(nil, got, gotMargin, mu.RawMatrix().Data, d, upTo(n))
		if !slices.Equal(got, gap) || !slices.Equal(gotMargin, margin) {
			t.Fatalf("gaps %v, margins %v; want %v, %v", got, gotMargin, gap, margin)
		}
	})
}
