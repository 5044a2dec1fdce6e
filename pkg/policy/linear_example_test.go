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

// whiskeys is a taste test: only the two cheap whiskeys may be poured, and the
// question is which of three others the guest would like best. Features are smoke
// and sweetness; the guest likes smoke.
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

// The best of items that cannot be measured themselves, from rewards of others.
func ExampleRAGE() {
	inst := whiskeys()
	result, err := explore.Run(&policy.RAGE{Delta: 0.05}, inst.Problem, inst.Sampler(seed.New(1)),
		nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status, "after", result.ArmPulls, "pulls")
	for _, why := range result.Answer.Explain(inst.Problem) {
		fmt.Println(why)
	}
	// Output:
	// stopped after [509 556] pulls
	// peat: optimal: ahead of blend by an estimated 0.743 ± 0.318
	// blend: behind peat by an estimated 0.743 ± 0.318
	// sherry: behind peat by an estimated 1.486 ± 0.637
}

// What RAGE needs at most on an instance, round by round.
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

// The best guess after a given number of pulls.
func ExamplePEACE() {
	inst := whiskeys()
	result, err := explore.Run(&policy.PEACE{Budget: 600}, inst.Problem, inst.Sampler(seed.New(1)),
		nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(inst.Problem.Item(result.Answer.Items[0]), "after", result.Pulls, "pulls")
	// Output:
	// peat after 600 pulls
}

// The same by betting, which takes a fraction of the measurements: four cups a round.
func ExampleBettingElimination() {
	inst := whiskeys()
	result, err := explore.Run(&policy.BettingElimination{Delta: 0.05, Plate: 4}, inst.Problem,
		inst.Sampler(seed.New(1)), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range result.Answer.Explain(inst.Problem) {
		fmt.Println(line)
	}
	// Output:
	// peat: optimal: ahead of sherry by an estimated 1.30 ± 1.78
	// blend: behind peat by an estimated 0.650 ± 0.892
	// sherry: behind peat by an estimated 1.30 ± 1.78
}
