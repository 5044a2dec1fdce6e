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

func TestErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name string
		d    int
		a, b []float64
		want error
		text []string // parts of the message
	}{
		{"NaN in A", 2, []float64{1, 0, 0, nan}, []float64{1, 1}, ErrNotFinite,
			[]string{"row 1, column 1"}},
		{"Inf in A", 2, []float64{1, -inf}, []float64{1}, ErrNotFinite,
			[]string{"row 0, column 1"}},
		{"NaN in b", 1, []float64{1, 1}, []float64{1, nan}, ErrNotFinite, []string{"row 1"}},
		{"Inf in b", 1, []float64{1}, []float64{inf}, ErrNotFinite, []string{"row 0"}},
		{"b out of scale", 1, []float64{1e-200}, []float64{1e200}, ErrNotFinite,
			[]string{"row 0", "overflows"}},
		{"zero row", 2, []float64{1, 0, 0, 0}, []float64{1, -1}, ErrEmpty,
			[]string{`"0 <= -1"`, "never"}},
		{"interval reversed", 1, []float64{1, -1}, []float64{0.4, -0.6}, ErrEmpty,
			[]string{`"x[0] <= 0.4"`, `"x[0] >= 0.6"`, "more than 0.1"}},
		{"point", 1, []float64{1, -1}, []float64{0, 0}, ErrNoInterior,
			[]string{`"x[0] <= 0"`, `"x[0] >= 0"`}},
		{"point away from zero", 1, []float64{3, -7}, []float64{0.3, -0.7}, ErrNoInterior, nil},
		{"thinner than rounding", 2, []float64{1, 0, -1, 0, 0, 1, 0, -1},
			[]float64{1, -1 + 1e-14, 1, 0}, ErrNoInterior, []string{`"x[0] <= 1"`, `"x[0] >= 1"`}},
		{"ray", 2, []float64{1, 0, -1, 0, 0, -1}, []float64{0, 0, 0}, ErrNoInterior, nil},
		{"line", 2, []float64{1, -1, -2, 2}, []float64{1, -2}, ErrNoInterior, nil},
		{"oblique triangle inside out", 2, []float64{1, 1, -1, 0, 0, -1}, []float64{-1, 0, 0},
			ErrEmpty, []string{`: "x[0] + x[1] <= -1", "x[0] >= 0" and "x[1] >= 0" contradict one another; drop one of them, or relax b`,
				"more than 0.292893"}},
		{"digits", 1, []float64{1, -1}, []float64{1234.5678, -1e-7 - 2000000}, ErrEmpty, []string{`"x[0] <= 1234.57" and "x[0] >= 2e+06"`}},
		{"apex", 3, []float64{1, 1, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1}, []float64{0, 0, 0, 0},
			ErrNoInterior, []string{`: "x[0] + x[1] + x[2] <= 0", "x[0] >= 0", "x[1] >= 0" and "x[2] >= 0" leave a set without thickness`}},
	} {
		p, err := New(mat.NewDense(len(c.b), c.d, c.a), c.b, nil)
		if p != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, %v; want %v", c.name, p, err, c.want)
			continue
		}
		for _, s := range c.text {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("%s: message %q does not say %s", c.name, err, s)
			}
		}
	}
}

func TestConflictValues(t *testing.T) {
	// x <= 1, x >= 1.5, y >= 0, y <= 9, x + y <= 1: the first two conflict by half a unit; so do
	// the second, the third and the last, by less: at distance h the sum may reach 1 + sqrt(2) h
	// and its parts 1.5 - h and -h, so that h = 0.5 / (2 + sqrt(2)) = 0.146 is enough. The conflict
	// that is reported is the worst.
	a := mat.NewDense(5, 2, []float64{1, 0, -2, 0, 0, -1, 0, 1, 1, 1})
	b := []float64{1, -3, 0, 9, 1}
	_, err := New(a, b, []string{"cap", "floor", "", "", "budget"})
	var e *ConflictError
	if !errors.As(err, &e) {
		t.Fatalf("got %v", err)
	}
	if !slices.Equal(e.Rows, []int{0, 1}) || !slices.Equal(e.Names, []string{"cap", "floor"}) ||
		!(math.Abs(e.Relax-0.25) <= 1e-12) {
		t.Errorf("got %+v", e)
	}
	if _, err := New(a, inflate(a, b, 0.2499), nil); !errors.Is(err, ErrEmpty) {
		t.Errorf("inflated too little: %v", err)
	}
	if _, err := New(a, inflate(a, b, 0.25), nil); !errors.Is(err, ErrNoInterior) {
		t.Errorf("inflated by Relax: %v", err)
	}
	p, err := New(a, inflate(a, b, 0.2501), nil)
	if err != nil {
		t.Fatalf("inflated enough: %v", err)
	}
	if _, r := p.Chebyshev(); !(math.Abs(r-1e-4) <= 1e-12) {
		t.Errorf("radius %g", r)
	}
}

// TestConflictRandom checks against an independent LP which sets are empty, and that the
// reported rows alone are in conflict while no smaller set of them is.
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
				t.Fatalf("unbounded set refused: %v", err)
			}
		case r > 1e-9:
			full++
			if err != nil {
				t.Fatalf("radius %g: %v", r, err)
			}
			c, got := p.Chebyshev()
			if !(math.Abs(got-r) <= 1e-8*(1+r)) || p.Depth(c) != got {
				t.Fatalf("radius %g at depth %g, lp.Simplex has %g", got, p.Depth(c), r)
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
		t.Errorf("the sample is lopsided: %d empty, %d with interior, %d unbounded", empty, full,
			unbounded)
	}
}

// TestConflictIntegers has rows of small integers, where most sets are degenerate: many rows
// through a point, sets without thickness. lp.Simplex may cycle on them, hence other checks: a set
// that is accepted has a ball; rows that are refused conflict on their own, and none of them alone
// is to blame.
func TestConflictIntegers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	count := map[error]int{}
	for range 4000 {
		d := 1 + rnd.IntN(4)
		m := 1 + rnd.IntN(4*d)
		a, b := mat.NewDense(m, d, nil), make([]float64, m)
		for k := range m {
			a.Set(k, rnd.IntN(d), 1) // no zero rows
			for j := range d {
				if rnd.IntN(2) == 0 {
					a.Set(k, j, float64(rnd.IntN(5)-2))
				}
			}
			if mat.Norm(a.RowView(k), 1) == 0 {
				a.Set(k, 0, -1)
			}
			b[k] = float64(rnd.IntN(5) - 1)
		}
		p, err := New(a, b, nil)
		if err == nil {
			count[nil]++
			if c, r := p.Chebyshev(); !(p.Depth(c) > 1e-3 && r > 1e-3) {
				t.Fatalf("%v: depth %g, radius %g", p, p.Depth(c), r)
			}
			continue
		}
		var e *ConflictError
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		count[e.Err]++
		if (e.Err == ErrEmpty) != (e.Relax > 1e-3) {
			t.Fatalf("%+v", e)
		}
		if _, err := New(subset(a, e.Rows), pick(b, e.Rows), nil); !errors.Is(err, e.Err) {
			t.Fatalf("rows %v alone: %v", e.Rows, err)
		}
		for i := range e.Rows {
			rest := slices.Delete(slices.Clone(e.Rows), i, i+1)
			if _, err := New(subset(a, rest), pick(b, rest), nil); err != nil {
				t.Fatalf("rows %v without one of them: %v", e.Rows, err)
			}
		}
		if _, err := New(a, inflate(a, b, e.Relax+1e-6), nil); err != nil {
			t.Fatalf("inflated: %v", err)
		}
	}
	for _, err := range []error{nil, ErrEmpty, ErrNoInterior} {
		if count[err] < 100 {
			t.Errorf("only %d cases of %v", count[err], err)
		}
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

func TestChebyshevKnown(t *testing.T) {
	box, err := Box([]float64{0, 1, -2}, []float64{4, 1.5, 8}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Thin and long: | y | <= 1e-6 x and x <= 1, whose largest disc touches all three sides.
	const s = 1e-6
	n := math.Hypot(s, 1)
	for _, c := range []struct {
		name string
		p    *Polyhedron
		r    float64
	}{
		{"box", box, 0.25},
		{"triangle", Simplex(2), 1 / (2 + math.Sqrt2)},
		{"simplex", Simplex(7), 1 / (7 + math.Sqrt(7))},
		{"needle", mustNew(t, 2, []float64{-s, 1, -s, -1, 1, 0}, []float64{0, 0, 1}), s / (n + s)},
		{"tiny units", mustNew(t, 1, []float64{1, -1}, []float64{3e-150, -1e-150}), 1e-150},
		{"huge units", mustNew(t, 1, []float64{1, -1}, []float64{3e150, -1e150}), 1e150},
		{"whole", Whole(3), math.Inf(1)},
		{"cone", Ordered(5), math.Inf(1)},
		{"orthant", mustNew(t, 2, []float64{-1, 0, 0, -1}, []float64{-5, 1e6}), math.Inf(1)},
		{"slab", mustNew(t, 3, []float64{0, 1, 0, 0, -1, 0}, []float64{3, 1}), 2},
	} {
		x, r := c.p.Chebyshev()
		// The documented accuracy: 1e-12 of the largest distance of a face to the origin.
		var size float64
		for _, b := range c.p.unit.B {
			size = max(size, math.Abs(b))
		}
		if r != c.r && !(math.Abs(r-c.r) <= 1e-12*size) {
			t.Errorf("%s: radius %g, want %g", c.name, r, c.r)
		}
		if depth := c.p.Depth(x); depth < min(1, c.r-1e-12*size) {
			t.Errorf("%s: depth of the centre %g", c.name, depth)
		}
	}
}

func TestPreprocessing(t *testing.T) {
	// Row 1 is zero, row 3 repeats row 0 in other units, row 4 is redundant.
	a := []float64{1, 1, 0, 0, -1, 0, 4, 4, 1, 2}
	b := []float64{1, 0, 0, 4, 100}
	p := mustNew(t, 2, a, b)
	if p.Rows() != 5 || p.Dim() != 2 || p.unit.M != 3 {
		t.Fatalf("%d rows, %d dimensions, %d rows kept", p.Rows(), p.Dim(), p.unit.M)
	}
	a[0], b[0] = 9, 9 // arguments are copied
	c := p.Constraint(0)
	c.A[0] = 7
	if c := p.Constraint(0); c.A[0] != 1 || c.B != 1 {
		t.Errorf("constraint 0 is %+v", c)
	}
	if k, distance, amount := p.Violation([]float64{2, 1}); k != 0 ||
		!(math.Abs(distance-math.Sqrt2) <= 1e-15) || amount != 2 {
		t.Errorf("violation %d %g %g", k, distance, amount)
	}
	if k, distance, amount := p.Violation([]float64{0, 0}); k != -1 || distance != 0 ||
		amount != 0 {
		t.Errorf("violation of a point inside: %d %g %g", k, distance, amount)
	}
	// Indices are those of the rows as given.
	if k, _, _ := p.Violation([]float64{-1, 0}); k != 2 {
		t.Errorf("violated row %d, want 2", k)
	}
	for _, q := range []struct {
		x      []float64
		inside bool
		eta    float64
		row    int
	}{{[]float64{.25, -3}, true, .25, 2}, {[]float64{-.5, -3}, false, .5, 2},
		{[]float64{1, -.5}, true, .25 * math.Sqrt2, 0}} {
		inside, eta, k := p.Margin(q.x)
		if inside != q.inside || !(math.Abs(eta-q.eta) <= 1e-15) || k != q.row {
			t.Errorf("margin of %v: %v %g %d, not %+v", q.x, inside, eta, k, q)
		}
	}
	if want := "{x in R^2 : x[0] + x[1] <= 1, 0 <= 0, x[0] >= 0, 4 x[0] + 4 x[1] <= 4, " +
		"x[0] + 2 x[1] <= 100}"; p.String() != want {
		t.Errorf("String: %s", p)
	}
	if Whole(3).String() != "R^3" || Ordered(1).Rows() != 0 {
		t.Error("whole space")
	}
	if s := mustNew(t, 3, []float64{-1, 0.5, -2},
		[]float64{0}).Constraint(0).String(); s != "-x[0] + 0.5 x[1] - 2 x[2] <= 0" {
		t.Errorf("inequality: %s", s)
	}
	if s := mustNew(t, 2, []float64{-1, -3},
		[]float64{0}).Constraint(0).String(); s != "x[0] + 3 x[1] >= 0" {
		t.Errorf("inequality: %s", s)
	}
}

func TestScale(t *testing.T) {
	// The distances do not depend on the scale of a row, however extreme.
	for _, s := range []float64{5e-320, 1e-300, 1e-9, 1, 1e9, 1e300} {
		p := mustNew(t, 2, []float64{s, s, -s, 0}, []float64{s, 0})
		in, eta, k := p.Margin([]float64{1, 1})
		if in || k != 0 || !(math.Abs(eta-math.Sqrt2/2) <= 1e-15) {
			t.Errorf("scale %g: %v %g %d", s, in, eta, k)
		}
	}
	// Membership is decided on the row as the user wrote it.
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		a := normals(rnd, 3, 10)
		x := normals(rnd, 3, 10)
		b := dot(a, x) // on the boundary
		p, err := HalfSpace(a, b, "")
		if err != nil {
			t.Fatal(err)
		}
		if in, eta, _ := p.Margin(x); !in || eta != 0 || !p.Contains(x) {
			t.Fatalf("a point on the boundary: %v %g", in, eta)
		}
		if p, err = HalfSpace(a, math.Nextafter(b, math.Inf(-1)), ""); err != nil {
			t.Fatal(err)
		}
		if in, eta, _ := p.Margin(x); in || !(eta > 0) || p.Contains(x) {
			t.Fatalf("a point just outside: %v %g", in, eta)
		}
	}
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
	if p, err = HalfSpace([]float64{1, -1}, 0, "fair"); err != nil ||
		p.String() != "{x in R^2 : fair}" {
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

func TestPanics(t *testing.T) {
	square := Simplex(2)
	one := mat.NewDense(1, 1, []float64{1})
	for i, c := range []struct {
		want string
		f    func()
	}{
		{panicNoRows, func() { New(nil, nil, nil) }},
		{panicNoRows, func() { New(&mat.Dense{}, nil, nil) }},
		{panicShape, func() { New(one, nil, nil) }},
		{panicShape, func() { New(one, []float64{1}, []string{}) }},
		{panicShape, func() { New(one, []float64{1}, []string{"a", "b"}) }},
		{panicShape, func() { New(one, []float64{1, 2}, nil) }},
		{panicShape, func() { Box([]float64{1}, []float64{2, 3}, nil) }},
		{panicShape, func() { Box([]float64{1, 2}, []float64{3, 4}, []string{"a"}) }},
		{panicShape, func() { Box([]float64{1}, nil, nil) }},
		{panicShape, func() { AtLeast([]float64{1}, []string{"a", "b"}) }},
		{panicDim, func() { AtLeast(nil, nil) }},
		{panicDim, func() { HalfSpace(nil, 1, "") }},
		{panicDim, func() { Whole(0) }},
		{panicDim, func() { Simplex(0) }},
		{panicDim, func() { Ordered(0) }},
		{panicIndex, func() { square.Constraint(3) }},
		{panicIndex, func() { square.Constraint(-1) }},
		{panicShape, func() { square.Contains([]float64{1}) }},
		{panicShape, func() { square.Margin(make([]float64, 3)) }},
		{panicShape, func() { Whole(2).Margin(make([]float64, 3)) }},
		{panicShape, func() { square.Project(make([]float64, 3), make([]float64, 2)) }},
		{panicShape, func() { square.ProjectWeighted(nil, make([]float64, 2), []float64{1}) }},
		{panicWeight, func() { square.ProjectWeighted(nil, make([]float64, 2), []float64{1, 0}) }},
		{panicWeight, func() {
			square.ProjectWeighted(nil, make([]float64, 2),
				[]float64{1, math.NaN()})
		}},
		{panicWeight, func() {
			square.ProjectWeighted(nil, make([]float64, 2),
				[]float64{1, math.Inf(1)})
		}},
	} {
		func() {
			defer func() {
				if got := recover(); got != c.want {
					t.Errorf("case %d: panic value %v, want %v", i, got, c.want)
				}
			}()
			c.f()
		}()
	}
}

func ExampleNew() {
	// The third objective must not be below the mean of the first two, and the first reaches 0.4.
	a := mat.NewDense(2, 3, []float64{
		0.5, 0.5, -1,
		-1, 0, 0,
	})
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

func ExampleConflictError() {
	_, err := Box([]float64{0.6, 0}, []float64{0.4, 1}, []string{"efficacy", "safety"})
	fmt.Println(err)
	var conflict *ConflictError
	if errors.As(err, &conflict) {
		fmt.Printf("rows %v, relax by %.2f\n", conflict.Rows, conflict.Relax)
	}
	// Output:
	// polyhedron: no point satisfies all constraints: "efficacy >= 0.6" and "efficacy <= 0.4" contradict one another; drop one of them, or relax b so that each face moves outwards by more than 0.1
	// rows [0 1], relax by 0.10
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

func ExampleHalfSpace() {
	p, err := HalfSpace([]float64{3, 4}, 10, "cost <= 10")
	fmt.Println(p, err)
	fmt.Println(p.Depth([]float64{0, 0}))
	// Output:
	// {x in R^2 : cost <= 10} <nil>
	// 2
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

func ExampleWhole() {
	p := Whole(2)
	inside, eta, constraint := p.Margin([]float64{7, -3})
	fmt.Println(p, inside, eta, constraint)
	// Output:
	// R^2 true +Inf -1
}

func ExamplePolyhedron_Chebyshev() {
	p, err := Box([]float64{0, 0}, []float64{2, 2}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	centre, radius := p.Chebyshev()
	fmt.Printf("%.1f %.1f\n", centre, radius)
	// Output:
	// [1.0 1.0] 1.0
}

// inflate returns the bounds that move every face outwards by the distance h.
func inflate(a *mat.Dense, b []float64, h float64) []float64 {
	dst := slices.Clone(b)
	for k := range dst {
		dst[k] += h * mat.Norm(a.RowView(k), 2)
	}
	return dst
}

// Whoever asks for a bound that cannot be kept is told which infinity means that there is none.
func TestInfiniteBounds(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		lo, hi []float64
		want   string
	}{
		{[]float64{0, inf}, nil, `bound 1 asks for "b >= +Inf"; use -Inf for no bound`},
		{[]float64{0, 0}, []float64{1, -inf}, `bound 1 asks for "b <= -Inf"; use +Inf for no bound`},
	} {
		var err error
		if c.hi == nil {
			_, err = AtLeast(c.lo, []string{"a", "b"})
		} else {
			_, err = Box(c.lo, c.hi, []string{"a", "b"})
		}
		if !errors.Is(err, ErrNotFinite) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want %q", err, c.want)
		}
	}
}
