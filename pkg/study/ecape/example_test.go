package ecape_test

import (
	"cmp"
	"context"
	"fmt"
	"log"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/ecape"
	"github.com/purexp/purexp/pkg/study/hardness"
)

// The experiments of the paper.
func Example() {
	for _, e := range ecape.Paper.Experiments {
		fmt.Printf("%s: %s (%s)\n", e.Name, e.Title, cmp.Or(e.Source, "not in the paper"))
	}
	// Output:
	// ecape/clinical-trials: Two clinical trials (section 5, Fig. 4)
	// ecape/polyhedra: Polyhedra in three dimensions (Table 4 and Fig. 5)
	// ecape/runtime: Runtime (Table 5)
	// ecape/explainability: The cost of explanations (Fig. 6)
	// ecape/hard-for-racing: Instances hard for racing (Fig. 7 and 8)
	// ecape/doses: The dose-finding trial with other rates (not in the paper)
}

// simulate returns a few replicates of an experiment.
func simulate(e study.Experiment, reps int) *study.Results {
	grid, err := e.Grid(study.Options{Reps: reps})
	if err != nil {
		log.Fatal(err)
	}
	rows, err := grid.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	return e.Results(rows)
}

// Racing needs more than e-cAPE.
func Example_claims() {
	r := simulate(ecape.HardForRacing, 10)
	for _, c := range r.Experiment.Claims[:3] {
		fmt.Printf("%s: %v\n", c.Statement, c.Check(r).Outcome)
	}
	// Output:
	// racing needs more samples than e-cAPE, K = 5: agrees
	// racing is largely outperformed by e-cAPE, K = 10: agrees
	// even the two-stage method outperforms racing, K = 10: agrees
}

// Figures can be written to files, in the format that the name ends with.
func ExampleResponses() {
	f, err := ecape.Responses(ecape.Racing5)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Title)
	// Output:
	// Mean responses: racing K=5
}

// The instance of Fig. 1, and what the theorems say of it.
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

// One run of e-cAPE on the vaccine trial.
func Example_trajectory() {
	f, err := ecape.ClinicalTrials.Trajectory(ecape.CovBoost, ecape.ECAPE, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Title)
	// Output:
	// One run of e-cAPE on covboost
}
