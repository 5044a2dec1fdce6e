package pfiwr_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/pfiwr"
)

// simulate returns two runs of the first methods of an experiment at one size.
func simulate(e study.Experiment, size, methods int) *study.Results {
	e.Sizes, e.Methods = []int{size}, e.Methods[:methods]
	grid, err := e.Grid(study.Options{Reps: 2})
	if err != nil {
		log.Fatal(err)
	}
	rows, err := grid.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	return e.Results(rows)
}

// describe prints title and axis of a figure, which can be written to a file, too.
func describe(f *fig.Figure, err error) {
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, by %s\n", f.Title, f.Panels[0][0].X.Label.Text)
}

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

// What Theorem 4.3 rests on, for all instances of SW-LLVM.
func ExampleTheorems() {
	inst, err := pfiwr.SWLLVM.At(2, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	t := pfiwr.Theorems(.1, inst)
	fmt.Println(t.Rows[0][0], "takes a random phase of", t.Rows[0][5], "pulls")
	// Output: SW-LLVM eps=1 takes a random phase of 53095 pulls
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

// How fast estimators converge, here with diverse features as in Fig. 1a.
func ExampleErrors() {
	describe(pfiwr.Errors(simulate(pfiwr.Estimator, 4, 2), 4, false))
	// Output: rho=0, as drawn, by rounds
}

// The cumulative regret of Fig. 3b.
func ExampleRegrets() {
	describe(pfiwr.Regrets(simulate(pfiwr.SWLLVM, 1, 2), 1, fig.CurveOptions{LogY: true}))
	// Output: SW-LLVM eps=0.01, by pulls
}

// What each pull cost.
func ExampleInstants() {
	describe(pfiwr.Instants(simulate(pfiwr.SWLLVM, 2, 2), 2, fig.CurveOptions{}))
	// Output: SW-LLVM eps=1, by pulls
}

// Pulls to stop against regret: Sparing at two prices.
func ExampleTrade() {
	describe(pfiwr.Trade(simulate(pfiwr.Frontier, 2, 2), 2))
	// Output: Regret and pulls, by mean pulls to stop
}

// The arms of SW-LLVM, and what one run of PFIwR and one of PFIMulti returned.
func ExampleFront() {
	e := pfiwr.SWLLVM
	e.Methods = e.Methods[:2]
	describe(pfiwr.Front(e, 2, 0))
	// Output: SW-LLVM eps=1, by performance (z), more is better →
}
