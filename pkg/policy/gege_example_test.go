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

// gegeAlloys are mixtures of two metals. Strength and lightness are linear in the fractions. The
// noise has standard deviation 0.2.
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

// Find the alloys that no other alloy beats in both strength and lightness, with confidence 95 %.
func ExampleGEGEFixedConfidence() {
	inst, result := gegeExample(&policy.GEGEFixedConfidence{Delta: 0.05})
	fmt.Println(result.Status, "after", result.ArmPulls, "pulls in", result.Rounds, "rounds")
	for _, why := range result.Answer.Explain(inst.Problem) {
		fmt.Println(why)
	}
	// Output:
	// stopped after [737 737 0 0 0] pulls in 2 rounds
	// steel: optimal: ahead of alloy A by an estimated 0.1816 in some objective
	// magnesium: optimal: ahead of alloy A by an estimated 0.2758 in some objective
	// alloy A: optimal: ahead of steel by an estimated 0.5051 in some objective
	// alloy B: dominated by alloy A, which is better by an estimated 0.2878 in every objective
	// alloy C: dominated by alloy A, which is better by an estimated 0.2106 in every objective
}

// Guess the Pareto-optimal alloys with a budget of 300 tests.
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
	// alloy A: optimal: ahead of steel by an estimated 0.5075 in some objective
}

// whiskeys is a taste test. Only the two cheap whiskeys may be poured, and the question is which of three other
// whiskeys the guest likes best. Features are smoke and sweetness; the guest likes smoke.
func whiskeys() *bandit.Instance {
	poured := mat.NewDense(2, 2, []float64{1, 0.2, 0.1, 1})
	offered := mat.NewDense(3, 2, []float64{2, 0, 1, 1, 0, 2})
	taste := mat.NewDense(2, 1, []float64{1, 0.3})
	var mu, items mat.Dense
	mu.Mul(poured, taste)
	items.Mul(offered, taste)
	law, err := bandit.NewGaussian(&mu, mat.NewSymDense(1, []float64{1}))
	if err != nil {
		log.Fatal(err)
	}
	return &bandit.Instance{Name: "whiskeys", Law: law, ItemMeans: &items,
		Problem: &explore.Problem{
			X: poured, Z: offered, Sigma: 1, Question: question.Best{},
			ArmNames: []string{"smoky", "sweet"}, ItemNames: []string{"peat", "blend", "sherry"},
		}}
}

// Find the best of items that cannot be measured, from rewards of other arms.
func ExampleRAGE() {
	inst := whiskeys()
	result, err := explore.Run(&policy.RAGE{Delta: 0.05}, inst.Problem, inst.Sampler(seed.New(1)), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status, "after", result.ArmPulls, "pulls")
	for _, why := range result.Answer.Explain(inst.Problem) {
		fmt.Println(why)
	}
	// Output:
	// stopped after [509 556] pulls
	// peat: optimal: ahead of blend by an estimated 0.7428
	// blend: behind peat by an estimated 0.7428
	// sherry: behind peat by an estimated 1.486
}

// Print upper bounds on the rounds of a RAGE run on an instance.
func ExampleRAGE_Schedule() {
	inst := whiskeys()
	stages, err := (&policy.RAGE{Delta: 0.05}).Schedule(inst.Problem, mat.Col(nil, 0, inst.Truth()))
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range stages {
		fmt.Printf("round %d: %d items, at most %d pulls\n", s.T, s.Items, s.Pulls)
	}
	// Output:
	// round 1: 3 items, at most 40 pulls
	// round 2: 3 items, at most 190 pulls
	// round 3: 3 items, at most 835 pulls
	// round 4: 2 items, at most 803 pulls
}

// Return the best guess with a given number of pulls.
func ExamplePEACE() {
	inst := whiskeys()
	result, err := explore.Run(&policy.PEACE{Budget: 600}, inst.Problem, inst.Sampler(seed.New(1)), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(inst.Problem.Item(result.Answer.Items[0]), "after", result.Pulls, "pulls")
	// Output:
	// peat after 600 pulls
}

// Find the best whiskey by betting, with four cups per round. Betting needs a fraction of the measurements that RAGE
// needs.
func ExampleBettingElimination() {
	inst := whiskeys()
	result, err := explore.Run(&policy.BettingElimination{Delta: 0.05, Plate: 4}, inst.Problem, inst.Sampler(seed.New(1)), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range result.Answer.Explain(inst.Problem) {
		fmt.Println(line)
	}
	// Output:
	// peat: optimal: ahead of blend by an estimated 0.6497
	// blend: behind peat by an estimated 0.6497
	// sherry: behind peat by an estimated 1.299
}

// The standard deviation of the noise is unknown; the true value is 3. A pilot with six rewards of
// each arm bounds the standard deviation. The rewards of the pilot also count for the answer.
func ExamplePiloted() {
	law, err := bandit.NewGaussian(mat.NewDense(3, 1, []float64{50, 62, 71}), mat.NewDiagDense(1, []float64{9}))
	if err != nil {
		log.Fatal(err)
	}
	problem := &explore.Problem{ArmNames: []string{"A", "B", "C"}, Arms: 3,
		Sigma:    1, // only used to reject rewards beyond a million times Sigma
		Question: question.Pareto{}}
	p := &policy.Piloted{Delta: 0.05, Rewards: 6, New: func(delta float64) explore.Policy { return &policy.APE{Delta: delta} }}
	r, err := explore.Run(p, problem, bandit.NewSampler(law, seed.New(4)), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("answer %s, standard deviation at most %.1f\n", problem.Arm(r.Answer.Items[0]), p.Sigmas()[0])
	// Output: answer C, standard deviation at most 4.9
}
