package design

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// For the canonical basis the variance of a difference is 1/w_i + 1/w_j, at best
// 2m, at the uniform design only.
func TestPairsCanonicalBasis(t *testing.T) {
	for _, m := range []int{3, 7, 20} {
		x := mat.NewDense(m, m, nil)
		for i := range m {
			x.Set(i, i, 1)
		}
		d, err := Pairs(x, nil,
			&Options{Tol: 1e-8, Start: proportions(rand.New(rand.NewPCG(1, 9)), m)})
		if err != nil {
			t.Fatal(err)
		}
		if want := 2 * float64(m); !(math.Abs(d.Value-want) <= 2e-8*want) {
			t.Errorf("m = %d: value %v, want %v", m, d.Value, want)
		}
		// The largest variance grows by m^2 times a shift of weights.
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
		few := make([]float64, 15) // singular
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
			t.Errorf("m = %d: brackets [%v, %v] and [%v, %v]", m, a.Lower, a.Value, b.Lower,
				b.Value)
		}
	}
}

// The best design for e_1 - x' needs no third dimension.
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
	// Three items on a line of a space with one more dimension.
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
