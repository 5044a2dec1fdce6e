package dataset_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// A campaign is fed by people and kept in a file.
func Example_campaign() {
	dir, err := os.MkdirTemp("", "campaign")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "trial.jsonl")

	region, err := polyhedron.AtLeast([]float64{0.40, 0.40}, []string{"efficacy", "safety"})
	if err != nil {
		log.Fatal(err)
	}
	problem := &explore.Problem{
		Arms: 3, Objectives: 2,
		ArmNames:       []string{"placebo", "75 mg", "150 mg"},
		ObjectiveNames: []string{"efficacy", "safety"},
		Sigma:          0.5, // rates: rewards in [0, 1]
		Question:       question.FeasiblePareto{Region: region},
	}
	design := &policy.ConstrainedRacing{Delta: 0.05, Radius: radius.KaufmannKoolen{}}

	campaign, err := explore.OpenCampaign(file, design, problem, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer campaign.Close()

	round, pulls, err := campaign.Ask()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("round", round)
	for _, p := range pulls {
		fmt.Println(" ", problem.Arm(p.Arm), "x", p.N)
	}

	table := "patient,arm,efficacy,safety\n1,placebo,0,1\n2,75 mg,1,1\n3,150 mg,1,0\n"
	obs, err := explore.ReadMeasurements(strings.NewReader(table), problem)
	if err != nil {
		log.Fatal(err)
	}
	if err := campaign.Tell(round, obs); err != nil {
		log.Fatal(err)
	}
	fmt.Println("told twice:", campaign.Tell(round, obs))

	result := campaign.Result()
	fmt.Println(result.Status, "after", result.Pulls, "measurements")
	for _, line := range result.Answer.Explain(problem) {
		fmt.Println(" ", line)
	}
	// Output:
	// round 1
	//   placebo x 1
	//   75 mg x 1
	//   150 mg x 1
	// told twice: <nil>
	// running after 3 measurements
	//   placebo: undecided: outside efficacy >= 0.4 by 0.40 ± 3.68; ahead of 75 mg by 0.00 ± 3.78 in some objective
	//   75 mg: undecided: feasible with 0.60 ± 3.68 to spare (efficacy >= 0.4); ahead of placebo by 1.00 ± 3.78 in some objective
	//   150 mg: undecided: outside safety >= 0.4 by 0.40 ± 3.68; ahead of 75 mg by 0.00 ± 3.78 in some objective
}
