package policy_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
)

// bestTea asks which of the teas is best.
func bestTea() *bandit.Instance {
	inst := teas()
	inst.Problem.Question = question.Best{}
	return inst
}

// answer prints what p finds on inst, and how many pulls it takes.
func answer(inst *bandit.Instance, p explore.Policy) {
	result, err := explore.Run(p, inst.Problem, inst.Sampler(seed.New(1)), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range result.Answer.Items {
		fmt.Println(inst.Problem.Item(i))
	}
	fmt.Println(result.Status, "after", result.Pulls, "pulls")
}

// One design from the beginning, sampled until the best item is known.
func ExampleXYStatic() {
	inst := whiskeys()
	answer(inst, &policy.XYStatic{Delta: 0.05})
	// Output:
	// peat
	// stopped after 476 pulls
}

// Designs that follow the items still in question.
func ExampleXYAdaptive() {
	inst := whiskeys()
	answer(inst, &policy.XYAdaptive{Delta: 0.05})
	// Output:
	// peat
	// stopped after 1464 pulls
}

// A yardstick: the design for the true means, which nobody knows.
func ExampleXYOracle() {
	inst := whiskeys()
	answer(inst, &policy.XYOracle{Delta: 0.05, Means: mat.Col(nil, 0, inst.Truth())})
	// Output:
	// peat
	// stopped after 59 pulls
}

// The design that knows every mean equally well.
func ExampleGAllocation() {
	inst := whiskeys()
	answer(inst, &policy.GAllocation{Delta: 0.05})
	// Output:
	// peat
	// stopped after 476 pulls
}

// The best of four teas, whose flavours are blends of two leaves.
func ExampleALBA() {
	inst := bestTea()
	answer(inst, &policy.ALBA{Delta: 0.05})
	// Output:
	// assam
	// stopped after 1260 pulls
}

// The best tea after 400 cups.
func ExampleODLinBAI() {
	inst := bestTea()
	answer(inst, &policy.ODLinBAI{Budget: 400})
	// Output:
	// assam
	// stopped after 398 pulls
}

// The best tea after 3000 cups, by elimination with G-optimal designs.
func ExampleGSE() {
	inst := bestTea()
	answer(inst, &policy.GSE{Budget: 3000})
	// Output:
	// assam
	// stopped after 3000 pulls
}

// All teas within half a point of the best, by one design.
func ExampleGStatic() {
	inst := teas()
	answer(inst, &policy.GStatic{Delta: 0.05})
	// Output:
	// assam
	// breakfast
	// stopped after 2470 pulls
}

// The teas that seem within half a point of the best after 300 cups.
func ExampleBayesGap() {
	inst := teas()
	answer(inst, &policy.BayesGap{Budget: 300})
	// Output:
	// assam
	// breakfast
	// stopped after 300 pulls
}

// The two best teas.
func ExampleMLinGapE() {
	inst := teas()
	answer(inst, &policy.MLinGapE{M: 2, Delta: 0.05})
	// Output:
	// assam
	// breakfast
	// stopped after 49 pulls
}

// All teas within half a point of the best, without the model.
func ExampleEAST() {
	inst := teas()
	answer(inst, &policy.EAST{Delta: 0.05})
	// Output:
	// assam
	// breakfast
	// stopped after 2623 pulls
}

// The same by phases that sample all arms alike.
func ExampleFAREAST() {
	inst := teas()
	answer(inst, &policy.FAREAST{Delta: 0.05})
	// Output:
	// assam
	// breakfast
	// stopped after 7358 pulls
}

// The same with proportions that follow the lower bound.
func ExampleAllEpsilonTrackAndStop() {
	inst := teas()
	answer(inst, &policy.AllEpsilonTrackAndStop{Delta: 0.05})
	// Output:
	// assam
	// breakfast
	// stopped after 4029 pulls
}
