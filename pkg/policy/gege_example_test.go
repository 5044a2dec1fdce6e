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

// gegeAlloys are mixtures of two metals, which add up: strength and lightness of
// each are linear in the fractions. Their noise has standard deviation 0.2.
func gegeAlloys() *bandit.Instance {
	x := mat.NewDense(5, 2, []float64{1, 0, 0, 1, .7, .6, .3, .3, .1, .4})
	metal := mat.NewDense(2, 2, []float64{1, .1, .2, .9})
	var mu mat.Dense
	mu.Mul(x, metal)
	law, err := bandit.NewGaussian(&mu, mat.NewSymDense(2, []float64{.04, 0, 0, .04}))
	if err != nil {
		log.Fatal(err)
	}
	return &bandit.Instance{Name: "alloys", Law: law, Problem: &explore.Problem{
		X: x, Objectives: 2, Sigma: .2, Question: question.Pareto{},
		ArmNames: []string{"steel", "magnesium", "alloy A", "alloy B", "alloy C"},
	}}
}

func gegeExample(p explore.Policy) (*bandit.Instance, *explore.Result) {
	inst := gegeAlloys()
	result, err := explore.Run(p, inst.Problem, inst.Sampler(seed.New(1)), nil)
	if err != nil {
		log.Fatal(err)
	}
	return inst, result
}

// Which alloys are not beaten in strength and lightness at once, with confidence
// 95 %.
func ExampleGEGEFixedConfidence() {
	inst, result := gegeExample(&policy.GEGEFixedConfidence{Delta: 0.05})
	fmt.Println(result.Status, "after", result.ArmPulls, "pulls in", result.Rounds, "rounds")
	for _, why := range result.Answer.Explain(inst.Problem) {
		fmt.Println(why)
	}
	// Output:
	// stopped after [737 737 0 0 0] pulls in 2 rounds
	// steel: optimal: ahead of alloy A by an estimated 0.1816 ± 0.0625 in some objective
	// magnesium: optimal: ahead of alloy A by an estimated 0.2758 ± 0.0625 in some objective
	// alloy A: optimal: ahead of steel by an estimated 0.5051 ± 0.0625 in some objective
	// alloy B: dominated by alloy A, which is better by an estimated 0.288 ± 0.125 in every objective
	// alloy C: dominated by alloy A, which is better by an estimated 0.211 ± 0.125 in every objective
}

// The same with 300 tests, whatever they tell.
func ExampleGEGEFixedBudget() {
	_, result := gegeExample(&policy.GEGEFixedBudget{Budget: 300})
	fmt.Println(result.Answer.Items, "after", result.ArmPulls, "pulls")
	// Output:
	// [0 1 2] after [150 150 0 0 0] pulls
}

func ExampleEGESR() {
	_, result := gegeExample(&policy.EGESR{Budget: 300})
	fmt.Println(result.Answer.Items, "after", result.ArmPulls, "pulls")
	// Output:
	// [0 1 2] after [83 56 83 34 42] pulls
}

func ExampleEGESH() {
	_, result := gegeExample(&policy.EGESH{Budget: 300})
	fmt.Println(result.Answer.Items, "after", result.ArmPulls, "pulls")
	// Output:
	// [0 1 2] after [103 20 103 20 53] pulls
}

func ExampleUniformBudget() {
	_, result := gegeExample(&policy.UniformBudget{Budget: 300, Linear: true})
	fmt.Println(result.Answer.Items, "after", result.ArmPulls, "pulls")
	// Output:
	// [0 1 2] after [60 60 60 60 60] pulls
}

func ExampleAuerRacing() {
	inst, result := gegeExample(&policy.AuerRacing{Delta: 0.05})
	fmt.Println(result.Status, "after", result.ArmPulls, "pulls")
	fmt.Println(result.Answer.Explain(inst.Problem)[2])
	// Output:
	// stopped after [120 82 120 56 62] pulls
	// alloy A: optimal: ahead of steel by an estimated 0.507 ± 0.208 in some objective
}
