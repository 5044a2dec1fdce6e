package design_test

import (
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
