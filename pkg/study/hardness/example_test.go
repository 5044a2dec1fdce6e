package hardness_test

import (
	"fmt"
	"log"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/ecape"
	"github.com/purexp/purexp/pkg/study/gege"
	"github.com/purexp/purexp/pkg/study/hardness"
	"github.com/purexp/purexp/pkg/study/rage"
)

// An instance made so that racing has to pull every arm until the optimal one is certainly
// feasible.
func ExampleMeans() {
	tables, err := hardness.Means(ecape.HardForRacing)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range tables[0].Rows {
		fmt.Printf("%s (%.2f, %.2f): %s, %.2f from the boundary\n", row[:5]...)
	}
	// Output:
	// A (0.55, 0.80): optimal, 0.05 from the boundary
	// B (0.15, 0.60): dominated, 0.45 from the boundary
	// C (0.23, 0.52): dominated, 0.37 from the boundary
	// D (0.32, 0.43): dominated, 0.28 from the boundary
	// E (0.40, 0.35): dominated, 0.20 from the boundary
}

// A two-stage method pays more, as it certifies the feasibility also of arms that are clearly
// dominated.
func ExampleComplexity() {
	table, err := hardness.Complexity(ecape.ClinicalTrials)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range table.Rows {
		fmt.Printf("%s: %.0f, two-stage %.0f\n", row[0], row[2], row[3])
	}
	// Output:
	// secukinumab: 8775, two-stage 9042
	// secukinumab as described: 8775, two-stage 9042
	// covboost: 1690, two-stage 7704
}

// Reasons cost nothing on one instance, and half as much again on the other.
func ExampleTimes() {
	table, err := hardness.Times(ecape.Explainability)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range table.Rows {
		fmt.Printf("%s: T* = %.0f pulls for the set, %.0f with reasons\n", row[:3]...)
	}
	// Output:
	// cheap reasons: T* = 31 pulls for the set, 31 with reasons
	// hard reasons: T* = 409 pulls for the set, 622 with reasons
}

// What each arm costs, where dominated arms are near the boundary.
func ExampleCosts() {
	inst, err := ecape.NearBoundary(.05)
	if err != nil {
		log.Fatal(err)
	}
	t := hardness.Costs(inst)
	fmt.Println(t.Rows[2][3], t.Notes[len(t.Notes)-1])
	// Output:
	// dominated and infeasible C* = 11 pulls, up to constants and logarithms; a two-stage method pays HPSI + HF = 411.
}

// More arms of a linear Pareto set do not make it harder.
func ExampleGaps() {
	ends := func(study.Experiment) []int { return []int{10, 100} }
	t, err := hardness.Gaps(hardness.At(ends, gege.SyntheticBudget)...)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range t.Rows {
		fmt.Printf("%v arms: H2lin = %.0f\n", row[1], row[8])
	}
	// Output:
	// 10 arms: H2lin = 5000
	// 100 arms: H2lin = 5000
}

// The lower bound for the best arm, divided among the arms.
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
