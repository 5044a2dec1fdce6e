package design_test

import (
	"fmt"

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

// A parabola is best measured at both ends and in the middle, equally often.
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

// How to estimate the slope at the end of the parabola, b + 2c at t = 1, with as
// few measurements as possible.
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

// The row player receives the payoff: a third of the time the first row, and
// nobody can prevent 3 on average.
func ExampleGame() {
	row, col, value := design.Game(mat.NewDense(2, 2, []float64{
		5, 1,
		2, 4,
	}))
	fmt.Printf("%.2f %.2f %.2f\n", row, col, value)
	// Output:
	// [0.33 0.67] [0.50 0.50] 3.00
}

// Ten measurements in the proportions of a design, and what whole numbers cost.
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
	// design: not identifiable by 2 measurements: the design spans 3 dimensions, which takes at least 3
}
