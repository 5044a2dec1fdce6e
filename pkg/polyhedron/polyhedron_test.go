package polyhedron

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestConflictRandom uses an independent linear program to check which sets are empty. The reported rows must be in
// conflict, and no proper subset of these rows may be in conflict.
func TestConflictRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	empty, full, unbounded := 0, 0, 0
	for range 1500 {
		d := 1 + rnd.IntN(4)
		m := 1 + rnd.IntN(3*d+2)
		a := mat.NewDense(m, d, nil)
		b := make([]float64, m)
		for k := range m {
			for j := range d {
				a.Set(k, j, rnd.NormFloat64())
			}
			b[k] = 0.5*rnd.NormFloat64() + 0.3
		}
		r := chebyshevLP(t, a, b)
		p, err := New(a, b, nil)
		switch {
		case r > 1e3-1e-3:
			unbounded++
			if err != nil {
				t.Fatalf("unbounded set rejected: %v", err)
			}
		case r > 1e-9:
			full++
			if err != nil {
				t.Fatalf("radius %g: %v", r, err)
			}
			if _, depth, _ := p.Margin(p.centre); !(math.Abs(p.radius-r) <= 1e-8*(1+r)) || depth != p.radius {
				t.Fatalf("radius %g at depth %g, lp.Simplex has %g", p.radius, depth, r)
			}
		case r < -1e-9:
			empty++
			var e *ConflictError
			if !errors.As(err, &e) || e.Err != ErrEmpty {
				t.Fatalf("radius %g: %v", r, err)
			}
			if !(math.Abs(e.Relax+r) <= 1e-8*(1-r)) {
				t.Fatalf("relax %g, lp.Simplex has %g", e.Relax, -r)
			}
			if _, err := New(subset(a, e.Rows), pick(b, e.Rows), nil); !errors.Is(err, ErrEmpty) {
				t.Fatalf("rows %v alone: %v", e.Rows, err)
			}
			for i := range e.Rows {
				rest := slices.Delete(slices.Clone(e.Rows), i, i+1)
				if len(rest) == 0 {
					t.Fatalf("one nonzero row in conflict: %v", e)
				}
				if _, err := New(subset(a, rest), pick(b, rest), nil); err != nil {
					t.Fatalf("rows %v without one of them: %v", e.Rows, err)
				}
			}
		}
	}
	if min(empty, full, unbounded) < 100 {
		t.Errorf("the sample is lopsided: %d empty, %d with interior, %d unbounded", empty, full, unbounded)
	}
}

func subset(a *mat.Dense, rows []int) *mat.Dense {
	s := mat.NewDense(len(rows), a.RawMatrix().Cols, nil)
	for i, k := range rows {
		s.SetRow(i, a.RawRowView(k))
	}
	return s
}

func pick(b []float64, rows []int) []float64 {
	var s []float64
	for _, k := range rows {
		s = append(s, b[k])
	}
	return s
}

func TestShapes(t *testing.T) {
	inf := math.Inf(1)
	p, err := AtLeast([]float64{0.4, -inf, 2}, []string{"efficacy", "", "titre"})
	if err != nil {
		t.Fatal(err)
	}
	if want := "{x in R^3 : efficacy >= 0.4, titre >= 2}"; p.String() != want {
		t.Errorf("AtLeast: %s", p)
	}
	if p, err = Box([]float64{0.4, -1}, []float64{1e6, inf}, []string{"", "b"}); err != nil {
		t.Fatal(err)
	}
	if want := "{x in R^2 : x[0] >= 0.4, x[0] <= 1e+06, b >= -1}"; p.String() != want {
		t.Errorf("names of some: %s", p)
	}
	if p, err = New(mat.NewDense(3, 2, []float64{-1, 0, 1, 1, 0, -2}), []float64{0, 3, math.Copysign(0, -1)}, []string{"", "cap", ""}); err != nil {
		t.Fatal(err)
	}
	if want := "{x in R^2 : x[0] >= 0, cap, 2 x[1] >= 0}"; p.String() != want {
		t.Errorf("names of some: %s", p)
	}
	if p, err = Box([]float64{-inf, 0}, []float64{1, 2}, nil); err != nil {
		t.Fatal(err)
	}
	if want := "{x in R^2 : x[0] <= 1, x[1] >= 0, x[1] <= 2}"; p.String() != want {
		t.Errorf("Box: %s", p)
	}
	if p, err = AtLeast([]float64{-inf, -inf}, nil); err != nil || p.Dim() != 2 || p.Rows() != 0 {
		t.Errorf("no bounds: %v, %v", p, err)
	}
	if p, err = HalfSpace([]float64{1, -1}, 0, "fair"); err != nil || p.String() != "{x in R^2 : fair}" {
		t.Errorf("HalfSpace: %v, %v", p, err)
	}
	for _, c := range []struct {
		lo, hi []float64
		want   error
	}{
		{[]float64{1}, []float64{0}, ErrEmpty},
		{[]float64{0, 1}, []float64{1, 1}, ErrNoInterior},
		{[]float64{math.NaN()}, []float64{1}, ErrNotFinite},
		{[]float64{inf}, []float64{inf}, ErrNotFinite},
		{[]float64{0}, []float64{-inf}, ErrNotFinite},
	} {
		if _, err := Box(c.lo, c.hi, nil); !errors.Is(err, c.want) {
			t.Errorf("Box(%v, %v): %v", c.lo, c.hi, err)
		}
	}
	if s := Simplex(2).String(); s != "{x in R^2 : x[0] >= 0, x[1] >= 0, x[0] + x[1] <= 1}" {
		t.Errorf("Simplex: %s", s)
	}
	if s := Ordered(3).String(); s != "{x in R^3 : x[0] <= x[1], x[1] <= x[2]}" {
		t.Errorf("Ordered: %s", s)
	}
}

func ExampleNew() {
	// Objective 3 must not be below the mean of objectives 1 and 2, and objective 1 must be at least 0.4.
	a := mat.NewDense(2, 3, []float64{0.5, 0.5, -1, -1, 0, 0})
	p, err := New(a, []float64{0, -0.4}, []string{"balance", "efficacy >= 0.4"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p)
	fmt.Println(p.Dim(), p.Rows(), p.Constraint(0))
	fmt.Println(p.Contains([]float64{0.5, 0.5, 0.7}))
	// Output:
	// {x in R^3 : balance, efficacy >= 0.4}
	// 3 2 balance
	// true
}

func ExampleAtLeast() {
	p, err := AtLeast([]float64{0.4, math.Inf(-1)}, []string{"efficacy", "comfort"})
	fmt.Println(p, err)
	// Output:
	// {x in R^2 : efficacy >= 0.4} <nil>
}

func ExampleBox() {
	p, err := Box([]float64{0, 0}, []float64{1, math.Inf(1)}, nil)
	fmt.Println(p, err)
	// Output:
	// {x in R^2 : x[0] >= 0, x[0] <= 1, x[1] >= 0} <nil>
}

func ExampleSimplex() {
	fmt.Printf("%.2f\n", Simplex(2).Project(nil, []float64{1, 0.5}))
	// Output:
	// [0.75 0.25]
}

func ExampleOrdered() {
	// The second and third coordinates are in the wrong order and are pooled.
	fmt.Printf("%.1f\n", Ordered(4).Project(nil, []float64{1, 3, 2, 4}))
	// Output:
	// [1.0 2.5 2.5 4.0]
}

// The error names the constraints in conflict, and the least distance that resolves the conflict.
func TestConflictErrorNames(t *testing.T) {
	for want, c := range map[string]struct{ a, b []float64 }{
		`"r0" and "r1" contradict one another; drop one of them, or relax b so that each face moves outwards by more than 0.5`: {
			[]float64{1, -1}, []float64{0, -1}},
		`"r0" and "r1" leave a set with an empty interior`:                    {[]float64{1, -1}, []float64{0, 0}},
		`"r0" cannot be satisfied; drop the constraint, or correct its bound`: {[]float64{0}, []float64{-1}},
	} {
		_, err := New(mat.NewDense(len(c.a), 1, c.a), c.b, []string{"r0", "r1"}[:len(c.a)])
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}
