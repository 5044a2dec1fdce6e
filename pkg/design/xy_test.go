package design

import (
	"math"
	"math/rand/v2"
	"testing"

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
