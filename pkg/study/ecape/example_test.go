package ecape_test

import (
	"fmt"
	"log"

	"github.com/purexp/purexp/pkg/study/ecape"
	"github.com/purexp/purexp/pkg/study/hardness"
)

// Draw the mean responses of an instance.
func ExampleResponses() {
	f, err := ecape.Responses(ecape.Racing5)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Title)
	// Output:
	// Mean responses: racing K=5
}

// Print the class of each arm of the instance of Fig. 1.
func ExampleNearBoundary() {
	inst, err := ecape.NearBoundary(.05)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range hardness.Costs(inst).Rows {
		fmt.Println(row[0], row[3])
	}
	// Output:
	// 1 optimal
	// 2 dominated
	// 3 dominated and infeasible
}

// Draw one run of e-cAPE on the vaccine trial.
func Example_trajectory() {
	f, err := ecape.ClinicalTrials.Trajectory(ecape.CovBoost, ecape.ECAPE, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Title)
	// Output:
	// One run of e-cAPE on covboost
}
