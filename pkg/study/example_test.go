package study_test

import (
	"context"
	"fmt"
	"log"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/rage"
)

// simulated returns the results of a few replicates of an experiment.
func simulated(e study.Experiment, reps int) *study.Results {
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

// Judge a claim about the pulls of two methods at every size.
func ExampleCompared() {
	e := rage.Newer.Only(rage.RAGE, rage.XYStatic)
	e.Sizes = []int{5, 10}
	fewer := study.Says("1", "here", "RAGE needs fewer pulls than the static allocation",
		study.Compared(study.Fewer, rage.RAGE, rage.XYStatic))
	fmt.Println(fewer.Check(simulated(e, 10)).Outcome)
	// Output:
	// agrees
}
