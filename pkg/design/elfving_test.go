package design

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"
)

// leastNorm returns the least 1-norm of all u with sum u_i x_i = c. It tries all bases, because a linear program has a
// basic optimal solution.
func leastNorm(x *mat.Dense, c []float64) float64 {
	k, m := x.Dims()
	best := math.Inf(1)
	b, u := mat.NewDense(m, m, nil), mat.NewVecDense(m, nil)
	for _, on := range combin.Combinations(k, m) {
		for col, i := range on {
			b.SetCol(col, x.RawRowView(i))
		}
		if mat.Cond(b, 1) < 1e12 && u.SolveVec(b, mat.NewVecDense(m, c)) == nil {
			best = min(best, mat.Norm(u, 1))
		}
	}
	return best
}

// checkElfving checks that u is feasible for c and has the given norm.
func checkElfving(t *testing.T, x *mat.Dense, c, u []float64, norm float64) {
	t.Helper()
	k, m := x.Dims()
	got := mat.NewVecDense(m, nil)
	got.MulVec(x.T(), mat.NewVecDense(k, u))
	for j, v := range c {
		if !(math.Abs(got.AtVec(j)-v) <= 1e-9*(1+math.Abs(v))) {
			t.Errorf("feature %d of sum u_i x_i is %v, want %v", j, got.AtVec(j), v)
		}
	}
	if !(math.Abs(floats.Norm(u, 1)-norm) <= 1e-12*norm) {
		t.Errorf("norm %v, want that of u, %v", norm, floats.Norm(u, 1))
	}
}

func TestElfvingBruteForce(t *testing.T) {
	for seed := range uint64(30) {
		m := 1 + int(seed)%4
		x := normalPoints(seed, m+int(seed)%6, m)
		c := normalPoints(seed+1000, 1, m).RawRowView(0)
		u, norm, err := Elfving(x, c)
		if err != nil {
			t.Fatal(err)
		}
		checkElfving(t, x, c, u, norm)
		if want := leastNorm(x, c); !(math.Abs(norm-want) <= 1e-10*want) {
			t.Errorf("seed %d: norm %v, want %v", seed, norm, want)
		}
	}
}

// For arms e1, e2 and an arm x3 at an angle a to e1, the value for the direction (e1 - x3)/(2 (1 - cos a)) is ((1 -
// cos a + sin a)/(2 (1 - cos a)))^2, which is 110.0750 for a = 0.1.
func TestCGolden(t *testing.T) {
	const a = 0.1
	x := mat.NewDense(3, 2, []float64{1, 0, 0, 1, math.Cos(a), math.Sin(a)})
	f := 1 / (2 * (1 - math.Cos(a)))
	direction := []float64{f * (1 - math.Cos(a)), -f * math.Sin(a)}
	want := math.Pow(f*(1-math.Cos(a)+math.Sin(a)), 2)
	if !(math.Abs(want-110.0750) <= 1e-4) {
		t.Fatalf("the formula gives %v, want 110.0750", want)
	}
	d, err := C(x, direction, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(d.Value-want) <= 1e-9*want) || !(math.Abs(d.Lower-want) <= 1e-9*want) {
		t.Errorf("bracket [%v, %v], want %v", d.Lower, d.Value, want)
	}
	c, err := NewC(x, direction)
	if err != nil {
		t.Fatal(err)
	}
	if v := c.Value(d.Weights); !(math.Abs(v-want) <= 1e-7*want) {
		t.Errorf("Value is %v, want %v", v, want)
	}
}

func TestCRandom(t *testing.T) {
	for seed := range uint64(20) {
		m := 1 + int(seed)
		x := normalPoints(seed, 2+37*int(seed), m)
		var short mat.Dense // points with m + 2 features that span m dimensions
		short.Mul(x, normalPoints(seed+50, m, m+2))
		y := mat.NewDense(1, m+2, nil)
		y.Mul(normalPoints(seed+99, 1, m), normalPoints(seed+50, m, m+2))
		if k, _ := x.Dims(); k < m {
			continue
		}
		c, err := NewC(&short, y.RawRowView(0))
		if err != nil {
			t.Fatal(err)
		}
		d, err := c.Solve(nil)
		if err != nil {
			t.Fatal(err)
		}
		v := c.Value(d.Weights)
		if !(d.Gap() < 1e-9) || !(math.Abs(v-d.Value) <= 1e-6*v) || !(math.Abs(floats.Sum(d.Weights)-1) <= 1e-12) {
			t.Errorf("seed %d: bracket [%v, %v], Value %v", seed, d.Lower, d.Value, v)
		}
		if n := len(d.Support()); n > m {
			t.Errorf("%d supporting points for rank %d", n, m)
		}
		last := Bracket{Value: math.Inf(1)}
		_, _ = c.Solve(&Options{Watch: func(b Bracket) bool {
			if b.Lower > b.Value*(1+1e-12) || b.Value > last.Value*(1+1e-12) || b.Lower < last.Lower {
				t.Errorf("bracket %v after %v", b, last)
			}
			last = b
			return true
		}})
		if m > 3 {
			e, err := c.Solve(&Options{MaxIterations: 1})
			if !errors.Is(err, ErrGap) || e.Iterations != 1 || e.Lower > d.Value || e.Value < d.Value*(1-1e-9) {
				t.Errorf("one pivot: error %v, bracket [%v, %v], optimum %v", err, e.Lower, e.Value, d.Value)
			}
		}
		if e, _ := c.Solve(&Options{Method: FrankWolfePaper}); e.Value < d.Value*(1-1e-9) ||
			!(math.Abs(e.Lower-d.Value) <= 1e-6*d.Value) {
			t.Errorf("Frank-Wolfe: bracket [%v, %v], optimum %v", e.Lower, e.Value, d.Value)
		}
	}
}
