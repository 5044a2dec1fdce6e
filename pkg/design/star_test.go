package design_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
)

// The star of a center is the XY criterion of its scaled differences, also when it goes on from
// the end of another one.
func TestStar(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	const k, n, h = 12, 300, 4
	x, z := mat.NewDense(k, h, nil), mat.NewDense(n, h, nil)
	for _, m := range []*mat.Dense{x, z} {
		for i := range m.RawMatrix().Data {
			m.RawMatrix().Data[i] = rnd.NormFloat64()
		}
	}
	star, err := design.NewStar(x, z)
	if err != nil {
		t.Fatal(err)
	}
	for step := range 6 {
		center := rnd.IntN(n)
		items := []int{center}
		for len(items) < n/(step+1) {
			if i := rnd.IntN(n); !slices.Contains(items, i) {
				items = append(items, i)
			}
		}
		slices.Sort(items)
		scale, y := make([]float64, len(items)), mat.NewDense(len(items), h, nil)
		for a, i := range items {
			scale[a] = .1 + rnd.Float64()
			floats.SubTo(y.RawRowView(a), z.RawRowView(center), z.RawRowView(i))
			floats.Scale(scale[a], y.RawRowView(a))
		}
		star.Set(center, items, scale)
		want, err := design.NewXY(x, y)
		if err != nil {
			t.Fatal(err)
		}
		d, err := star.Solve(&design.Options{Tol: 1e-3})
		if err != nil {
			t.Fatal(err)
		}
		best, err := want.Solve(&design.Options{Tol: 1e-3})
		if err != nil {
			t.Fatal(err)
		}
		if got := want.Value(d.Weights); !(math.Abs(got/d.Value-1) <= 1e-9) ||
			got > 1.002*best.Value || d.Lower > best.Value*(1+1e-9) {
			t.Errorf("step %d: value %v, said to be %v and at least %v; the best is %v", step, got,
				d.Value, d.Lower, best.Value)
		}
		for _, c := range d.Critical {
			if !slices.Contains(items, c.I) || c.I == center || c.J != -1 {
				t.Errorf("step %d: critical direction %+v", step, c)
			}
		}
	}
	// A single direction is solved as C does.
	star.Set(0, []int{0, 1}, []float64{1, 2})
	d, err := star.Solve(nil)
	if err != nil {
		t.Fatal(err)
	}
	y := make([]float64, h)
	floats.SubTo(y, z.RawRowView(0), z.RawRowView(1))
	c, err := design.C(x, y, nil)
	if err != nil || !(math.Abs(d.Value/(4*c.Value)-1) <= 1e-6) {
		t.Errorf("value %v; want four times %v, %v", d.Value, c.Value, err)
	}
}

// Apportion gives what Round gives with Efficient.
func TestApportion(t *testing.T) {
	w := []float64{.5, 0, .3, .2, 1e-3}
	x := mat.NewDense(5, 2, []float64{1, 0, 5, 5, 0, 1, 1, 1, 1, -1})
	g, err := design.NewG(x)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]int, 5)
	for _, n := range []int{4, 5, 17, 1000} {
		design.Apportion(got, w, n)
		a, err := design.Round(g, w, n, design.Efficient)
		if err != nil || !slices.Equal(got, a.Counts) {
			t.Errorf("%d measurements: %v, %v; want %v", n, got, err, a.Counts)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("three measurements of four points are accepted")
		}
	}()
	design.Apportion(got, w, 3)
}

// Which arms tell the leader, item 0, from two others, when twice as much is known of the second?
func ExampleStarCriterion() {
	x := mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	star, err := design.NewStar(x, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	star.Set(0, []int{0, 1, 2}, []float64{1, 1, .5})
	d, err := star.Solve(&design.Options{Tol: 1e-6})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f, variance %.2f\n", d.Weights, d.Value)
	// Output: [0.47 0.46 0.07], variance 4.29
}
