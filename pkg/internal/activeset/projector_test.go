package activeset

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// random returns a system of m random rows that the origin satisfies.
func random(rnd *rand.Rand, m, d int) *System {
	s := &System{M: m, D: d, A: make([]float64, m*d), B: make([]float64, m)}
	for k := range m {
		row := s.Row(k)
		for j := range row {
			row[j] = rnd.NormFloat64()
		}
		floats.Scale(1/floats.Norm(row, 2), row)
		s.B[k] = rnd.Float64()
	}
	return s
}

func normals(rnd *rand.Rand, d int, size float64) []float64 {
	x := make([]float64, d)
	for j := range x {
		x[j] = size * rnd.NormFloat64()
	}
	return x
}

// The Karush-Kuhn-Tucker conditions hold at the projection.
func TestProject(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	var w Projector
	dropped := 0
	for trial := range 2000 {
		d := 1 + rnd.IntN(8)
		s := random(rnd, 1+rnd.IntN(4*d), d)
		x0 := normals(rnd, d, 5)
		if got := w.Project(s, x0, -1); got != Solved {
			t.Fatalf("trial %d: outcome %d", trial, got)
		}
		x := append([]float64(nil), x0...)
		for j, k := range w.Active {
			if w.U[j] < 0 {
				t.Errorf("trial %d: multiplier %v", trial, w.U[j])
			}
			floats.AddScaled(x, -w.U[j], s.Row(k))
			if v := floats.Dot(s.Row(k), w.X) - s.B[k]; !(math.Abs(v) <= 1e-12) {
				t.Errorf("trial %d: row %d is active, at %v of its boundary", trial, k, v)
			}
		}
		if floats.Distance(x, w.X, 2) > 1e-11 || !(math.Abs(floats.Distance(x0, w.X, 2)-w.Dist) <= 1e-11) {
			t.Errorf("trial %d: %v at %v; by the multipliers %v", trial, w.X, w.Dist, x)
		}
		worst, first := 0., -1
		for k, b := range s.B {
			if v := floats.Dot(s.Row(k), w.X) - b; v > 1e-12 {
				t.Errorf("trial %d: row %d is violated by %v", trial, k, v)
			}
			if v := floats.Dot(s.Row(k), x0) - b; v > worst {
				worst, first = v, k
			}
		}
		// The most violated row enters first; if it is not active at the end, the method dropped it.
		active := first < 0
		for _, k := range w.Active {
			active = active || k == first
		}
		if !active {
			dropped++
		}
	}
	if dropped < 20 {
		t.Errorf("%d rows dropped; the test is too easy", dropped)
	}
}

func TestInfeasible(t *testing.T) {
	var w Projector
	s := &System{M: 2, D: 2, A: []float64{1, 0, -1, 0}, B: []float64{-1, -1}} // x <= -1, x >= 1
	if got := w.Project(s, []float64{0, 3}, -1); got != Infeasible {
		t.Errorf("outcome %d", got)
	}
}

// A violation is considered rounding if it is small relative to the numbers from which b was computed.
func TestSize(t *testing.T) {
	var w Projector
	s := &System{M: 1, D: 1, A: []float64{1}, B: []float64{-1e-10}} // x <= -1e-10
	if w.Project(s, []float64{0}, -1); w.X[0] != -1e-10 {
		t.Errorf("x = %v", w.X)
	}
	s.Size = []float64{1e5}
	if w.Project(s, []float64{0}, -1); w.X[0] != 0 || len(w.Active) != 0 {
		t.Errorf("x = %v, active %v; 1e-10 is the rounding of numbers of 1e5", w.X, w.Active)
	}
}

// Hildreth's method agrees with the active-set method.
func TestHildreth(t *testing.T) {
	rnd := rand.New(rand.NewPCG(33, 34))
	var w, h Projector
	for range 200 {
		d := 1 + rnd.IntN(3)
		s := random(rnd, 1+rnd.IntN(5), d)
		x := normals(rnd, d, 3)
		w.Project(s, x, -1)
		h.Hildreth(s, x)
		if !floats.EqualApprox(w.X, h.X, 1e-6) || !(math.Abs(w.Dist-h.Dist) <= 1e-6) {
			t.Fatalf("active sets %v at %g, Hildreth %v at %g", w.X, w.Dist, h.X, h.Dist)
		}
	}
}
