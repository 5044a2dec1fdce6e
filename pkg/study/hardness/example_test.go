package hardness_test

import (
	"fmt"
	"log"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/hardness"
	"github.com/purexp/purexp/pkg/study/rage"
)

// Print the answer of the lower bound for the best arm, and the number of arms that its plan pulls.
func ExampleBound() {
	inst, err := rage.BenchmarkInstance(5, .1)
	if err != nil {
		log.Fatal(err)
	}
	plan, err := hardness.Best.Plan(study.Task{Instance: inst, Delta: .05})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(plan.Answer.Items, len(plan.Rounds[0]), "arms are pulled")
	// Output:
	// [0] 5 arms are pulled
}
