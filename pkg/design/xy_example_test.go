package design_test

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
)

// Two similar arms and one that tells them apart: nearly all measurements go to
// the third, although nobody expects it to be the best (Soare, Lazaric and
// Munos, 2014).
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
	fmt.Printf("weights %.2f, variance %.4f, certified to %.0f %%\n", d.Weights, d.Value,
		100*d.Gap())
	// Output:
	// weights [0.05 0.00 0.95], variance 0.0110, certified to 0 %
}

// A criterion is solved again for fewer items, as in elimination algorithms.
func ExampleNewPairs() {
	x := mat.NewDense(4, 4, []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})
	c, err := design.NewPairs(x, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, items := range [][]int{{0, 1, 2, 3}, {0, 2, 3}, {0, 3}} {
		c.Keep(items)
		d, err := c.Solve(&design.Options{Tol: 1e-6})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("items %v: weights %.3f, variance %.2f\n", c.Items(), d.Weights, d.Value)
	}
	// Output:
	// items [0 1 2 3]: weights [0.250 0.250 0.250 0.250], variance 8.00
	// items [0 2 3]: weights [0.333 0.000 0.333 0.333], variance 6.00
	// items [0 3]: weights [0.500 0.000 0.000 0.500], variance 4.00
}

// The first direction is twice as important as the second.
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

// A direction that no measurement says anything about is an error.
func ExampleNewXY() {
	x := mat.NewDense(2, 3, []float64{1, 0, 0, 0, 1, 0})
	_, err := design.NewXY(x, mat.NewDense(1, 3, []float64{3, 0, 4}))
	fmt.Println(err)
	fmt.Println(errors.Is(err, design.ErrSpan))
	// Output:
	// design: direction 0 is not identifiable: 80 % of it lies outside the span of the points; add points that cover it
	// true
}

// The same weights are judged by another criterion.
func ExamplePairsCriterion_Value() {
	x := mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	c, err := design.NewPairs(x, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f\n", c.Value([]float64{1. / 3, 1. / 3, 1. / 3}))
	fmt.Printf("%.1f\n", c.Value([]float64{1. / 2, 1. / 4, 1. / 4}))
	fmt.Printf("%.1f\n", c.Value([]float64{1. / 2, 1. / 2, 0}))
	// Output:
	// 6.0
	// 8.0
	// +Inf
}
