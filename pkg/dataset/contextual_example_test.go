package dataset_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
)

// A campaign whose features change from patient to patient.
func Example_contextualCampaign() {
	dir, err := os.MkdirTemp("", "contextual")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "patients.jsonl")

	problem := &explore.Problem{
		ArmNames: []string{"placebo", "half dose", "full dose"},
		// Dose by weight and age, on average over patients; one row an arm.
		X:              mat.NewDense(3, 2, []float64{0, 0.5, 0.4, 0.5, 0.8, 0.5}),
		Changing:       true,
		Objectives:     2,
		ObjectiveNames: []string{"relief", "comfort"},
		Sigma:          0.5,
		Question:       question.Pareto{Epsilon: 0.2},
	}
	design := &policy.PFIwR{Delta: 0.05, Norm: 4}

	campaign, err := explore.OpenCampaign(file, design, problem, nil)
	if err != nil {
		log.Fatal(err)
	}
	patient := mat.NewDense(3, 2, []float64{0, 0.7, 0.3, 0.7, 0.6, 0.7})
	if err := campaign.Observe(1, patient); err != nil {
		log.Fatal(err)
	}

	round, pulls, err := campaign.Ask()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("round", round, "gets", problem.Arm(pulls[0].Arm))
	result := []explore.Batch{{Pull: pulls[0], Sum: []float64{0.4, 0.7}}}
	if err := campaign.Tell(round, result); err != nil {
		log.Fatal(err)
	}

	other := mat.NewDense(3, 2, []float64{0, 0.2, 0.5, 0.2, 1, 0.2})
	fmt.Println(campaign.Observe(3, other))
	fmt.Println(campaign.Observe(1, other))
	fmt.Println(campaign.Observe(1, patient))

	if err := campaign.Close(); err != nil {
		log.Fatal(err)
	}
	again := &policy.PFIwR{Delta: 0.05, Norm: 4}
	campaign, err = explore.OpenCampaign(file, again, problem, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer campaign.Close()
	fmt.Println("after", campaign.Result().Pulls, "patient:", campaign.Result().Status)

	// Output:
	// round 1 gets placebo
	// explore: contexts of round 3; the current round is 2, whose contexts and measurements come first: these are not the measurements asked for
	// explore: round 1 is over, with other contexts; what was told first stands: these measurements are not awaited
	// <nil>
	// after 1 patient: running
}
