package radius_test

import (
	"fmt"

	"github.com/purexp/purexp/pkg/radius"
)

// Rates of 2 % vary far less than numbers between 0 and 1 may: their half-width after 10 000 of
// them is half of that by counts alone.
func ExampleEmpiricalBernstein() {
	b := radius.EmpiricalBernstein{}.Bind(radius.Params{Arms: 10, Objectives: 1, Sigma: 0.5,
		NormSigma: 0.5, Delta: 0.05})
	const n, rate = 10_000, 0.02
	fmt.Printf("by counts %.4f, by the variance %.4f\n", b.Mean(n),
		b.(radius.Fitted).Around(0, radius.Seen{N: n, Mean: rate, Spread: rate * (1 - rate)}))
	// Output: by counts 0.0354, by the variance 0.0177
}
