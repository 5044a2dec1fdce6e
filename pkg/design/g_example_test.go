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

// parabola returns the features 1, t, t^2 of 21 doses between -1 and 1.
func parabola() *mat.Dense {
	x := mat.NewDense(21, 3, nil)
	for i := range 21 {
		t := float64(i-10) / 10
		x.SetRow(i, []float64{1, t, t * t})
	}
	return x
}

// The best design for a parabola measures both ends and the middle equally often.
func ExampleG() {
	d, err := design.G(parabola(), &design.Options{Tol: 1e-6})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range d.Support() {
		fmt.Printf("dose %+.1f: weight %.3f\n", float64(i-10)/10, d.Weights[i])
	}
	fmt.Printf("largest variance %.3f, of at least %g\n", d.Value, d.Lower)
	// Output:
	// dose -1.0: weight 0.333
	// dose +0.0: weight 0.333
	// dose +1.0: weight 0.333
	// largest variance 3.000, of at least 3
}

// Estimate the slope of the parabola a + bt + ct^2 at its end t = 1, which is b + 2c, with as few measurements as
// possible.
func ExampleC() {
	d, err := design.C(parabola(), []float64{0, 1, 2}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range d.Support() {
		fmt.Printf("dose %+.1f: weight %.3f\n", float64(i-10)/10, d.Weights[i])
	}
	fmt.Printf("variance %.2f\n", d.Value)
	// Output:
	// dose -1.0: weight 0.125
	// dose +0.0: weight 0.500
	// dose +1.0: weight 0.375
	// variance 16.00
}

// The slope is a combination of three measured means.
func ExampleElfving() {
	x := parabola()
	u, norm, err := design.Elfving(x, []float64{0, 1, 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, v := range u {
		if v != 0 {
			fmt.Printf("%+.1f at %+.0f\n", v, x.At(i, 1))
		}
	}
	fmt.Printf("standard deviation %.1f, gauge %.2f\n", norm, 1/norm)
	// Output:
	// +0.5 at -1
	// -2.0 at +0
	// +1.5 at +1
	// standard deviation 4.0, gauge 0.25
}

// The row player receives the payoff. Choosing the first row a third of the time guarantees a mean payoff of 3.
func ExampleGame() {
	row, col, value := design.Game(mat.NewDense(2, 2, []float64{
		5, 1,
		2, 4,
	}))
	fmt.Printf("%.2f %.2f %.2f\n", row, col, value)
	// Output:
	// [0.33 0.67] [0.50 0.50] 3.00
}

// Round the proportions of a design to 9, 10 and 100,000 measurements, and print the cost of rounding.
func ExampleRound() {
	c, err := design.NewG(parabola())
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := c.Solve(&design.Options{Tol: 1e-6})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range []int{9, 10, 100_000} {
		a, err := design.Round(c, d.Weights, n, design.Efficient)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d %d %d: %.3f\n", a.Counts[0], a.Counts[10], a.Counts[20], a.Ratio)
	}
	_, err = design.Round(c, d.Weights, 2, design.Best)
	fmt.Println(err)
	// Output:
	// 3 3 3: 1.000
	// 4 3 3: 1.111
	// 33334 33333 33333: 1.000
	// design: 2 measurements for a design of 3 dimensions; expected at least 3: not identifiable
}

// Two arms are similar, and the third arm distinguishes them. The design measures almost exclusively the third arm,
// although the third arm is certainly not the best arm (Soare, Lazaric and Munos, 2014).
func ExamplePairs() {
	x := mat.NewDense(3, 2, []float64{
		1, 0,
		math.Cos(0.1), math.Sin(0.1),
		0, 1,
	})
	d, err := design.Pairs(x, mat.DenseCopyOf(x.Slice(0, 2, 0, 2)), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("weights %.2f, variance %.4f, certified to %.0f %%\n", d.Weights, d.Value, 100*d.Gap())
	// Output:
	// weights [0.05 0.00 0.95], variance 0.0110, certified to 0 %
}

// The first direction is twice as long as the second.
func ExampleXY() {
	x := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	y := mat.NewDense(2, 2, []float64{2, 0, 0, 1})
	d, err := design.XY(x, y, &design.Options{Tol: 1e-9})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("weights %.3f, variance %.3f\n", d.Weights, d.Value)
	for _, c := range d.Critical {
		fmt.Printf("direction %d has a share of %.3f\n", c.I, c.Weight)
	}
	// Output:
	// weights [0.800 0.200], variance 5.000
	// direction 0 has a share of 0.800
	// direction 1 has a share of 0.200
}

// The star criterion of a center equals the XY criterion of the scaled differences from the center, even when Solve
// starts from the state of another star.
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
	// For a single direction, the value is the square of the scale times the value of the design that C returns.
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

// Apportion agrees with Round with the method Efficient, even for ties and for weights that do not sum to 1.
func TestApportion(t *testing.T) {
	w := []float64{2, 0, 1, 1, 3}
	x := mat.NewDense(5, 2, []float64{1, 0, 5, 5, 0, 1, 1, 1, 1, -1})
	g, err := design.NewG(x)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]int, 5)
	for n := 4; n <= 1000; n = 1 + n*9/8 {
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

// Find the arms that distinguish the leader, item 0, from two other items, when the second item
// needs twice the precision.
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
