package pfiwr_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study/pfiwr"
)

// What the theorems of the paper say about SW-LLVM at epsilon = 1.
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

// The contexts of section 5.1: ten arms with ten features, scaled to length 1.
func ExampleLinear() {
	law, err := pfiwr.Linear(.9, 0, 1, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	k, d := law.Features().Dims()
	fmt.Println(k, "arms,", d, "features")
	// Output: 10 arms, 10 features
}

// The least difference that decides which arms are optimal: arm 2 is 0.2 short of arm 0 in both
// objectives.
func ExampleDelta() {
	fmt.Printf("%.1f\n", pfiwr.Delta(mat.NewDense(3, 2, []float64{1, .5, 0, 1, .8, .3})))
	// Output: 0.2
}

// The regret that Theorem 4.4 allows grows more slowly than the number of pulls.
func ExampleRegretBound() {
	c := policy.PFIwRConstants{
		Arms: 16, Features: 16, Objectives: 2, Delta: .1, P: .5, Norm: 1,
	}
	few := pfiwr.RegretBound(c, 1, 3, int(c.Start()), 1e7)
	many := pfiwr.RegretBound(c, 1, 3, int(c.Start()), 1e8)
	fmt.Printf("ten times the pulls, %.0f times the regret\n", math.Round(many/few))
	// Output: ten times the pulls, 3 times the regret
}
