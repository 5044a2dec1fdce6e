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

// teas are blends of two leaves; the question is which are within half a point of the best.
func teas() *bandit.Instance {
	inst, err := bandit.NewLinear("teas", &explore.Problem{
		X:        mat.NewDense(4, 2, []float64{1, 0, 0.8, 0.2, 0.2, 0.8, 0, 1}),
		ArmNames: []string{"assam", "breakfast", "afternoon", "darjeeling"},
		Sigma:    1, Question: question.AllEpsilonBest{Epsilon: 0.5},
	}, mat.NewDense(2, 1, []float64{3, 2}))
	if err != nil {
		log.Fatal(err)
	}
	return inst
}

// All arms that are nearly as good as the best, from rewards of blends.
func ExampleLinFACT() {
	inst := teas()
	result, err := explore.Run(&policy.LinFACT{Delta: 0.05}, inst.Problem,
		inst.Sampler(seed.New(1)), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status, "after", result.Pulls, "pulls")
	for _, why := range result.Answer.Explain(inst.Problem) {
		fmt.Println(why)
	}
	// Output:
	// stopped after 1364 pulls
	// assam: kept: within 0.5 of breakfast with 0.689 ± 0.250 to spare
	// breakfast: kept: within 0.5 of assam with 0.311 ± 0.250 to spare
	// afternoon: rejected: below assam by 0.255 ± 0.250 more than 0.5
	// darjeeling: rejected: below assam by 0.444 ± 0.250 more than 0.5
}

// The same by bets: phases, in place of intervals that hold at all times.
func ExampleBettingAllEpsilon() {
	answer(teas(), &policy.BettingAllEpsilon{Delta: 0.05})
	// Output:
	// assam
	// breakfast
	// stopped after 201 pulls
}
