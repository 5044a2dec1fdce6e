package simplex

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// A program is: minimise c' × x subject to A × x = b and x >= 0. The field columns contains the columns of A.
type program struct {
	columns [][]float64
	b, c    []float64
}

// slacks returns a program for this problem: maximise gain' × x subject
// to A × x <= b and x >= 0. The last columns of the program are slacks.
func slacks(columns [][]float64, gain, b []float64) program {
	p := program{columns: columns, b: b, c: make([]float64, len(columns)+len(b))}
	floats.ScaleTo(p.c[:len(gain)], -1, gain)
	for r := range b {
		e := make([]float64, len(b))
		e[r] = 1
		p.columns = append(p.columns, e)
	}
	return p
}

// basis returns the basis of slacks.
func (p program) basis() *Basis {
	m := len(p.b)
	last, one := make([]int, m), make([]float64, m)
	for r := range m {
		last[r], one[r] = len(p.columns)-m+r, 1
	}
	return New(p.b, last, one, func(dst []float64, id int) { copy(dst, p.columns[id]) })
}

// solve returns the optimum of the program with the first n columns and the slacks. The entering column follows the
// rule that the basis requests.
func (p program) solve(t *testing.T, s *Basis, n int) float64 {
	t.Helper()
	y := make([]float64, len(p.b))
	for {
		s.Refresh(10)
		s.Prices(y, func(id int) float64 { return p.c[id] })
		enter, gain := -1, 1e-11
		for id, a := range p.columns {
			if slack := id >= len(p.columns)-len(p.b); id >= n && !slack {
				continue
			}
			if g := floats.Dot(y, a) - p.c[id]; g > gain && (enter < 0 || !s.Bland()) {
				enter, gain = id, g
			}
		}
		if enter < 0 {
			break
		}
		if !s.Enter(enter) {
			t.Fatal("unbounded")
		}
		if s.Pivots > 1000 {
			t.Fatal("no end")
		}
	}
	value := 0.
	for r, id := range s.Columns {
		value += p.c[id] * s.X[r]
	}
	return value
}

// random returns a bounded program; if sparse, about half of the elements are 0.
func random(rnd *rand.Rand, m, n int, sparse bool) program {
	columns, gain, b := make([][]float64, n), make([]float64, n), make([]float64, m)
	for j := range columns {
		columns[j] = make([]float64, m)
		for r := range m {
			if !sparse || rnd.IntN(2) == 0 {
				columns[j][r] = rnd.Float64()
			}
		}
		columns[j][rnd.IntN(m)] += .1 // so that the variable is bounded
		gain[j] = rnd.Float64()
	}
	for r := range b {
		b[r] = .1 + rnd.Float64()
	}
	return slacks(columns, gain, b)
}

// The optimum equals that of gonum's simplex method, even if half of the columns are added after a first solution, and
// the second solution starts from the basis of the first. A clone does not change when its original changes.
func TestAgainstGonum(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for trial := range 300 {
		m, n := 1+rnd.IntN(12), 1+rnd.IntN(40)
		p := random(rnd, m, n, trial%2 == 0)
		a := mat.NewDense(m, n+m, nil)
		for j, c := range p.columns {
			a.SetCol(j, c)
		}
		want, _, err := lp.Simplex(p.c, a, p.b, 1e-12, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, perturbed := range []bool{false, true} {
			s := p.basis()
			s.Perturbed = perturbed
			half := p.solve(t, s, n/2)
			clone := s.Clone(s.column)
			if got := p.solve(t, s, n); !(math.Abs(got-want) <= 1e-9*(1-want)) || half < got-1e-9 {
				t.Errorf("trial %d: optimum %v with half of the columns, then %v; want %v", trial, half, got, want)
			}
			if got := p.solve(t, clone, n/2); got != half {
				t.Errorf("trial %d: a copy of the basis changed with it: %v, formerly %v", trial, got, half)
			}
		}
	}
}

// Beale's example cycles if the column with the largest gain enters and the first of the tied rows leaves. Under
// Bland's rule, which a stalled basis requests, the run must end.
func TestBland(t *testing.T) {
	p := program{
		columns: [][]float64{{1. / 4, 1. / 2, 0}, {-60, -90, 0}, {-1. / 25, -1. / 50, 1}, {9, 3, 0},
			{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		b: []float64{0, 0, 1},
		// the costs; the optimum is -1/20 (Beale, 1955)
		c: []float64{-3. / 4, 150, -1. / 50, 6, 0, 0, 0},
	}
	s := p.basis()
	y := make([]float64, 3)
	for s.Pivots < 100 {
		s.stalled = stalledLimit
		s.Prices(y, func(id int) float64 { return p.c[id] })
		enter := -1
		for id, a := range p.columns {
			if floats.Dot(y, a)-p.c[id] > 1e-11 {
				enter = id
				break
			}
		}
		if enter < 0 {
			break
		}
		if !s.Enter(enter) {
			t.Fatal("unbounded")
		}
	}
	value := 0.
	for r, id := range s.Columns {
		value += p.c[id] * s.X[r]
	}
	if !(math.Abs(value+1./20) <= 1e-12) || s.Pivots >= 100 {
		t.Errorf("value %v after %d pivots, want -1/20", value, s.Pivots)
	}
}

// x1 - x2 <= 1 lets both variables grow without bound.
func TestUnbounded(t *testing.T) {
	p := slacks([][]float64{{1}, {-1}}, []float64{0, 1}, []float64{1})
	for _, perturbed := range []bool{false, true} {
		s := p.basis()
		s.Perturbed = perturbed
		if s.Enter(1) || s.Pivots != 0 {
			t.Error("a column without a positive element has entered")
		}
	}
}

func TestRefresh(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 1))
	for trial := range 20 {
		p := random(rnd, 8, 40, false)
		for _, perturbed := range []bool{false, true} {
			s := p.basis()
			s.Perturbed = perturbed
			p.solve(t, s, 40)
			x := append([]float64(nil), s.X...)
			for r := range s.inverse {
				s.inverse[r] = math.NaN()
			}
			if !s.Refresh(0) || !floats.EqualApprox(s.X, x, 1e-9) {
				t.Errorf("trial %d: values %v, formerly %v", trial, s.X, x)
			}
		}
	}
	// A singular basis is reported and not changed.
	p := slacks([][]float64{{1, 1}, {1, 1}}, []float64{1, 1}, []float64{1, 1})
	s := p.basis()
	s.Columns[0], s.Columns[1] = 0, 1
	if was := fmt.Sprint(s.inverse, s.X); s.Refresh(0) || fmt.Sprint(s.inverse, s.X) != was {
		t.Errorf("a singular basis is accepted, or changed: %v", s)
	}
}
