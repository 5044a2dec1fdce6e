package pareto

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// clouds are the laws of points that tests and benchmarks draw.
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
	// a few ties, a large front, and points just below it
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
	{"zero first", func(rnd *rand.Rand, p []float64) { // of either sign, which makes no difference
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

// sphere draws from the positive part of the unit sphere, where all points are optimal.
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

// panicValue returns what f panics with.
func panicValue(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}
