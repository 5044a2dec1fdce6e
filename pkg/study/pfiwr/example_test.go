package pfiwr_test

import (
	"fmt"

	"github.com/purexp/purexp/pkg/study/pfiwr"
)

// Print the bounds of the paper's theorems on SW-LLVM at epsilon = 1.
func ExampleSampleBound() {
	inst, err := pfiwr.SWLLVM.At(2, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, accuracy := pfiwr.Constants(inst, .1), pfiwr.Accuracy(inst)
	fmt.Printf("some instance takes %.0f pulls\n", pfiwr.LowerBound(c, accuracy))
	fmt.Printf("the width (12) is narrow enough after %.1e\n", pfiwr.NarrowAt(c, accuracy))
	fmt.Printf("Theorem 4.3 allows %.1e\n", pfiwr.SampleBound(c, accuracy))
	// Output:
	// some instance takes 7 pulls
	// the width (12) is narrow enough after 8.4e+06
	// Theorem 4.3 allows 3.0e+07
}
