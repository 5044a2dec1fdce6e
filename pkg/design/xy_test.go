package design

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// elfving is the c-optimal example: a basis, a point at the angle 0.1 to its
// first vector, and the direction between these two.
func elfving() (x, y *mat.Dense, value float64) {
	c, s := math.Cos(0.1), math.Sin(0.1)
	x = mat.NewDense(3, 2, []float64{1, 0, 0, 1, c, s})
	y = mat.NewDense(1, 2, []float64{(1 - c) / (2 * (1 - c)), -s / (2 * (1 - c))})
	// y = u_1 e_1 + u_2 e_2 has the least |u_1| + |u_2| (Elfving, 1952).
	value = math.Pow((1-c+s)/(2*(1-c)), 2)
	return x, y, value
}

func TestXYSingleDirection(t *testing.T) {
	x, y, want := elfving()
	if !(math.Abs(want-110.0750) <= 5e-5) {
		t.Fatalf("value %v by hand, want 110.0750", want)
	}
	d, err := XY(x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkDesign(t, "Elfving", d, 1e-2)
	if d.Value < want*(1-1e-9) || d.Lower > want*(1+1e-9) {
		t.Errorf("bracket [%v, %v], want %v in it", d.Lower, d.Value, want)
	}
	// The saddle finds the same where the direction hides among short ones.
	both := mat.NewDense(2, 2, nil)
	both.SetRow(0, []float64{0.1, 0.1})
	both.SetRow(1, y.RawRowView(0))
	d, err = XY(x, both, &Options{Tol: 1e-8})
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(d.Value-want) <= 1e-7*want) {
		t.Errorf("value %v, want %v", d.Value, want)
	}
	if len(d.Critical) != 1 || d.Critical[0] != (Direction{I: 1, J: -1, Weight: 1}) {
		t.Errorf("critical directions %v, want number 1 alone", d.Critical)
	}
}

// The value does not depend on the basis of the features, nor on how many there
// are; it scales with the squares of y and 1/x.
func TestXYInvariance(t *testing.T) {
	rnd := rand.New(rand.NewPCG(10, 4))
	x, y := sphere(rnd, 25, 4), sphere(rnd, 9, 4)
	o := &Options{Tol: 1e-8}
	want, err := XY(x, y, o)
	if err != nil {
		t.Fatal(err)
	}
	mapped := func(a *mat.Dense, by mat.Matrix) *mat.Dense {
		var b mat.Dense
		b.Mul(a, by)
		return &b
	}
	scaled := func(a *mat.Dense, c float64) *mat.Dense {
		var b mat.Dense
		b.Scale(c, a)
		return &b
	}
	regular := mat.NewDense(4, 4, []float64{1, 2, 0, 0, 0, 1e3, 1, 0, 5, 0, 1, 0, 0, 1, 0, 1e-3})
	embed := sphere(rnd, 4, 7)
	for _, c := range []struct {
		name   string
		x, y   *mat.Dense
		factor float64
	}{
		{"regular map", mapped(x, regular), mapped(y, regular), 1},
		{"embedding", mapped(x, embed), mapped(y, embed), 1},
		{"longer points", scaled(x, 10), y, 0.01},
		{"longer directions", x, scaled(y, 10), 100},
		{"both tiny", scaled(x, 1e-9), scaled(y, 1e-9), 1},
	} {
		d, err := XY(c.x, c.y, o)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if v := want.Value * c.factor; !(math.Abs(d.Value-v) <= 1e-7*v) {
			t.Errorf("%s: value %v, want %v", c.name, d.Value, v)
		}
		criterion, err := NewXY(c.x, c.y)
		if err != nil {
			t.Fatal(err)
		}
		if v, at := want.Value*c.factor, criterion.Value(want.Weights); !(math.Abs(at-v) <= 1e-7*v) {
			t.Errorf("%s: value %v at the same weights, want %v", c.name, at, v)
		}
	}
	// A direction divided by its gap counts with the square.
	half := mat.DenseCopyOf(y)
	floats.Scale(3, half.RawRowView(2))
	d, err := XY(x, half, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Critical) == 0 || d.Value <= want.Value {
		t.Errorf("value %v after one direction grew, %v before", d.Value, want.Value)
	}
}

// More directions than the solver takes at the start.
func TestXYGeneratesDirections(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 4))
	x, y := sphere(rnd, 40, 4), sphere(rnd, 5*allDirections, 4)
	d, err := XY(x, y, &Options{Tol: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	checkDesign(t, "many directions", d, 1e-6)
	if v := plainValue(x, y, d.Weights); !(math.Abs(v-d.Value) <= 1e-9*v) {
		t.Errorf("value %v, from the definition %v", d.Value, v)
	}
	lower, upper := slowly(x, y, 100)
	if d.Lower > upper || d.Value < lower {
		t.Errorf("bracket [%v, %v] misses [%v, %v]", d.Lower, d.Value, lower, upper)
	}
}

func TestXYZeroDirections(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0, 0})
	d, err := XY(x, mat.NewDense(2, 2, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	if d.Value != 0 || d.Lower != 0 || !(math.Abs(floats.Sum(d.Weights)-1) <= 1e-15) {
		t.Errorf("zero directions: %+v", d)
	}
	// Zero rows keep their numbers.
	y := mat.NewDense(4, 2, []float64{0, 0, 1, 0, 0, 0, 0, 1})
	d, err = XY(x, y, &Options{Tol: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(d.Value-2) <= 1e-8) || !(math.Abs(d.Weights[0]-0.5) <= 1e-4) || d.Weights[2] != 0 {
		t.Errorf("two basis directions: value %v at %v, want 2 at 1/2, 1/2, 0", d.Value, d.Weights)
	}
	for _, dir := range d.Critical {
		if dir.I != 1 && dir.I != 3 || dir.J != -1 {
			t.Errorf("critical direction %+v, want 1 or 3", dir)
		}
	}
	// Zero points and zero directions.
	if d, err = XY(mat.NewDense(2, 2, nil), mat.NewDense(1, 2, nil), nil); err != nil ||
		d.Value != 0 {
		t.Errorf("only zeros: %+v, %v", d, err)
	}
}

// A regular design is not needed for directions within a subspace.
func TestXYSingularDesign(t *testing.T) {
	c, s := math.Cos(0.1), math.Sin(0.1)
	x := mat.NewDense(4, 3, []float64{1, 0, 0, 0, 1, 0, c, s, 0, 0, 0, 1})
	y := mat.NewDense(2, 3, []float64{1 - c, -s, 0, 0.01, -0.05, 0})
	criterion, err := NewXY(x, y)
	if err != nil {
		t.Fatal(err)
	}
	want := math.Pow(1-c+s, 2)
	for _, tol := range []float64{1e-2, 1e-5, 1e-8} {
		d, err := criterion.Solve(&Options{Tol: tol})
		if err != nil {
			t.Fatal(err)
		}
		checkDesign(t, "singular", d, tol)
		if d.Weights[3] != 0 {
			t.Errorf("tolerance %g: weight %v on a point that is of no use", tol, d.Weights[3])
		}
		if d.Value < want*(1-1e-9) || d.Lower > want*(1+1e-9) {
			t.Errorf("tolerance %g: bracket [%v, %v] misses %v", tol, d.Lower, d.Value, want)
		}
	}
	if v := criterion.Value([]float64{1 - c, s, 0, 0}); !(math.Abs(v-want/(1-c+s)) <= 1e-9*v) {
		t.Errorf("value %v at the best weights, want %v", v, want/(1-c+s))
	}
	if v := criterion.Value([]float64{1, 0, 0, 1}); !math.IsInf(v, 1) {
		t.Errorf("value %v without the second dimension, want +Inf", v)
	}
}

func TestXYErrors(t *testing.T) {
	x := mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 1, 1, 0})
	_, err := NewXY(x, mat.NewDense(3, 3, []float64{1, 1, 0, 0, 0, 0, 3, 0, 4}))
	var span *SpanError
	if !errors.As(err, &span) || span.I != 2 || span.J != -1 || !(span.Outside > 0.1) ||
		!errors.Is(err, ErrSpan) {
		t.Errorf("error %v, want a SpanError of direction 2, the zero one counted", err)
	}
	for want, of := range map[string]func() error{
		"design: direction 2 is not identifiable: 80 % of it lies outside the span of the points; add points that cover it": func() error { return err },
		"design: the difference of items 0 and 2 is not identifiable: 71 % of it lies outside the span of the points; add points that cover it": func() error {
			_, err := NewPairs(x, mat.NewDense(3, 3, []float64{1, 0, 2, 0, 1, 2, 1, 1, 3}))
			return err
		},
		"design: the number in row 0, column 1 of the directions is NaN; remove the row or fill it in": func() error {
			_, err := NewXY(x, mat.NewDense(1, 3, []float64{1, math.NaN(), 0}))
			return err
		},
		"design: the number in row 1, column 2 of the items is -Inf; remove the row or fill it in": func() error {
			_, err := NewPairs(x, mat.NewDense(2, 3, []float64{1, 0, 0, 0, 0, math.Inf(-1)}))
			return err
		},
		"design: the number in row 0, column 1 of the points is +Inf; remove the row or fill it in": func() error {
			_, err := NewXY(mat.NewDense(1, 3, []float64{1, math.Inf(1), 0}), x)
			return err
		},
		"the design may need 2.5 % more pulls than the best one: " + ErrGap.Error(): func() error {
			return (&Design{Value: 4.1, Lower: 4}).Warning(ErrGap)
		},
		"design: Options.Method is mirror descent, which is for G-optimal designs (NewG); take Certified or FrankWolfePaper": func() error {
			return noMirror(&Options{Method: MirrorDescent})
		},
	} {
		if err := of(); err == nil || err.Error() != want {
			t.Errorf("%v; want %s", err, want)
		}
	}
	for method, name := range map[Method]string{Certified: "certified", FrankWolfePaper: "Frank-Wolfe (paper)", MirrorDescent: "mirror descent"} {
		if method.String() != name {
			t.Errorf("method %d is called %v", method, method)
		}
	}
	if gap := (&Design{}).Gap(); gap != 0 {
		t.Errorf("a gap of %v where there is nothing to estimate", gap)
	}
	if gap := (&Design{Value: 3, Lower: 2}).Gap(); gap != .5 {
		t.Errorf("a gap of %v from 2 to 3", gap)
	}
	good, err := NewXY(x, x)
	if err != nil {
		t.Fatal(err)
	}
	if good.K() != 3 || good.Rank() != 2 {
		t.Errorf("K = %d, rank %d, want 3, 2", good.K(), good.Rank())
	}
	panics(t, panicFeatures, func() { _, _ = NewXY(x, mat.NewDense(1, 2, nil)) })
	panics(t, panicWeights, func() { good.Value([]float64{1}) })
	panics(t, panicWeights, func() { _, _ = good.Solve(&Options{Start: []float64{1}}) })
}

func panics(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if r := recover(); r != want {
			t.Errorf("panic %v, want %q", r, want)
		}
	}()
	f()
}

func BenchmarkXYValue(b *testing.B) {
	rnd := rand.New(rand.NewPCG(12, 4))
	criterion, err := NewXY(sphere(rnd, 5000, 10), sphere(rnd, 200, 10))
	if err != nil {
		b.Fatal(err)
	}
	w := make([]float64, 5000)
	for i := range 50 {
		w[100*i] = 0.02
	}
	b.ReportAllocs()
	for b.Loop() {
		criterion.Value(w)
	}
}
