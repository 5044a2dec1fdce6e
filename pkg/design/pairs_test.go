package design

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// For the canonical basis, the variance of a difference is 1/w_i + 1/w_j. The largest variance is
// at least 2m, and equals 2m only for the uniform design.
func TestPairsCanonicalBasis(t *testing.T) {
	for _, m := range []int{3, 7, 20} {
		x := mat.NewDense(m, m, nil)
		for i := range m {
			x.Set(i, i, 1)
		}
		c, err := NewPairs(x, nil)
		if err != nil {
			t.Fatal(err)
		}
		c.last = proportions(rand.New(rand.NewPCG(1, 9)), m) // otherwise, Solve would start at the solution
		d, err := c.Solve(&Options{Tol: 1e-8})
		if err != nil {
			t.Fatal(err)
		}
		if want := 2 * float64(m); !(math.Abs(d.Value-want) <= 2e-8*want) {
			t.Errorf("m = %d: value %v, want %v", m, d.Value, want)
		}
		// A shift of weight away from the uniform design increases the largest variance by about m^2 times the shift.
		if w := 1 / float64(m); !(math.Abs(floats.Max(d.Weights)-w) <= 1e-3*w) ||
			!(math.Abs(floats.Min(d.Weights)-w) <= 1e-3*w) {
			t.Errorf("m = %d: weights %v, want %v", m, d.Weights, w)
		}
	}
}

func TestPairsEqualsXY(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 9))
	for _, m := range []int{2, 4, 6} {
		x, z := sphere(rnd, 15, m), sphere(rnd, 12, m)
		pairs, err := NewPairs(x, z)
		if err != nil {
			t.Fatal(err)
		}
		xy, err := NewXY(x, differences(z))
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			w := proportions(rnd, 15)
			if a, b := pairs.Value(w), xy.Value(w); !(math.Abs(a-b) <= 1e-9*a) {
				t.Errorf("m = %d: value %v of pairs, %v of differences", m, a, b)
			}
		}
		few := make([]float64, 15) // a singular design
		few[0], few[1] = 0.5, 0.5
		if a, b := pairs.Value(few), xy.Value(few); a != b && !(math.Abs(a-b) <= 1e-9*a) {
			t.Errorf("m = %d: value %v of pairs, %v of differences for two points", m, a, b)
		}
		a, err := pairs.Solve(&Options{Tol: 1e-7})
		if err != nil {
			t.Fatal(err)
		}
		b, err := xy.Solve(&Options{Tol: 1e-7})
		if err != nil {
			t.Fatal(err)
		}
		if a.Lower > b.Value || b.Lower > a.Value {
			t.Errorf("m = %d: brackets [%v, %v] and [%v, %v]", m, a.Lower, a.Value, b.Lower, b.Value)
		}
	}
}

// All items lie in a plane, so the best design needs no points outside this plane.
func TestPairsSingularDesign(t *testing.T) {
	c, s := math.Cos(0.1), math.Sin(0.1)
	x := mat.NewDense(3, 2, []float64{1, 0, 0, 1, c, s})
	z := mat.NewDense(2, 2, []float64{1, 0, c, s})
	d, err := Pairs(x, z, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkDesign(t, "two items", d, DefaultTol)
	if want := math.Pow(1-c+s, 2); d.Value < want*(1-1e-9) || d.Lower > want*(1+1e-9) {
		t.Errorf("bracket [%v, %v] misses %v", d.Lower, d.Value, want)
	}
	// The three items lie on a line, and the points span a third dimension.
	x = mat.NewDense(4, 3, []float64{1, 0, 0, 0, 1, 0, c, s, 0, 0, 0, 1})
	z = mat.NewDense(3, 3, []float64{1, 0, 0, c, s, 0, (1 + c) / 2, s / 2, 0})
	for _, tol := range []float64{1e-2, 1e-6} {
		d, err = Pairs(x, z, &Options{Tol: tol})
		if err != nil {
			t.Fatal(err)
		}
		checkDesign(t, "three items", d, tol)
		if want := math.Pow(1-c+s, 2); d.Value < want*(1-1e-9) || d.Lower > want*(1+1e-9) {
			t.Errorf("bracket [%v, %v] misses %v", d.Lower, d.Value, want)
		}
	}
}

// bruteDiameter examines all pairs.
func bruteDiameter(p []float64, n, m int) (squared float64) {
	for i := range n {
		for j := range i {
			squared = max(squared, squaredDistance(p[i*m:][:m], p[j*m:][:m]))
		}
	}
	return squared
}

// clouds returns point sets that are easy or hard to prune.
func clouds(rnd *rand.Rand, n, m int) map[string][]float64 {
	c := map[string][]float64{}
	gauss := make([]float64, n*m)
	for i := range gauss {
		gauss[i] = rnd.NormFloat64()
	}
	c["gauss"] = gauss
	c["sphere"] = sphere(rnd, n, m).RawMatrix().Data
	far := make([]float64, n*m) // far from the origin
	for i := range far {
		far[i] = 1e3 + gauss[i]
	}
	c["shifted"] = far
	same := make([]float64, n*m)
	for i := range same {
		same[i] = 2.5
	}
	c["one point"] = same
	lattice := make([]float64, n*m) // many ties and duplicates
	for i := range lattice {
		lattice[i] = float64(rnd.IntN(2))
	}
	c["lattice"] = lattice
	line := make([]float64, n*m)
	for i := range n {
		for j := range m {
			line[i*m+j] = gauss[i*m]
		}
	}
	c["line"] = line
	return c
}

func TestDiameter(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	var f far // reused to test sets of different sizes
	for _, n := range []int{1, 2, 3, 63, 64, 65, 130, 301} {
		for _, m := range []int{1, 2, 5, 17} {
			for name, p := range clouds(rnd, n, m) {
				want := bruteDiameter(p, n, m)
				f.load(p, n, m)
				got, i, j := f.farthest()
				what := fmt.Sprintf("%s, n = %d, m = %d", name, n, m)
				if !(math.Abs(got-want) <= 1e-12*want) {
					t.Fatalf("%s: squared diameter %v, want %v", what, got, want)
				}
				if i > j || i == j && want > 0 {
					t.Fatalf("%s: pair %d, %d", what, i, j)
				}
				if d := squaredDistance(p[i*m:][:m], p[j*m:][:m]); !(math.Abs(d-want) <= 1e-9*want) {
					t.Fatalf("%s: pair %d, %d is %v apart, want %v", what, i, j, d, want)
				}
			}
		}
	}
}

func TestPartners(t *testing.T) {
	const share = 0.8
	rnd := rand.New(rand.NewPCG(2, 1))
	var f far
	for _, n := range []int{1, 2, 40, 200} {
		for name, p := range clouds(rnd, n, 3) {
			f.load(p, n, 3)
			most := f.partners(share)
			if want := bruteDiameter(p, n, 3); !(math.Abs(most-want) <= 1e-12*want) {
				t.Fatalf("%s, n = %d: squared diameter %v, want %v", name, n, most, want)
			}
			for a, b := range f.partner {
				i := f.order[a]
				want := 0.
				for j := range n {
					want = max(want, squaredDistance(p[i*3:][:3], p[j*3:][:3]))
				}
				switch {
				case b < 0 && want > share*most*(1+1e-9) && most > 0:
					t.Fatalf("%s, n = %d: point %d has no partner, but one %v away", name, n, i, want)
				case b >= 0:
					if d := squaredDistance(p[i*3:][:3], p[f.order[b]*3:][:3]); d < want*(1-1e-9) {
						t.Fatalf("%s, n = %d: partner of %d is %v away, the farthest %v", name, n, i, d, want)
					}
				}
			}
		}
	}
}

// elfving returns an example of c-optimal design. The points are e_1, e_2 and a point at an angle of 0.1 to e_1. The
// direction is a multiple of the difference between e_1 and the third point.
func elfving() (x, y *mat.Dense, value float64) {
	c, s := math.Cos(0.1), math.Sin(0.1)
	x = mat.NewDense(3, 2, []float64{1, 0, 0, 1, c, s})
	y = mat.NewDense(1, 2, []float64{(1 - c) / (2 * (1 - c)), -s / (2 * (1 - c))})
	// The value is the squared least 1-norm of the coefficients of y (Elfving, 1952), which is attained with e_1 and
	// e_2 alone.
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
	// XY finds the same design if there is also a short direction.
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

// XY solves a problem with more directions than the solver uses at the start.
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
