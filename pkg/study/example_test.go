package study_test

import (
	"context"
	"fmt"
	"log"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/ecape"
	"github.com/purexp/purexp/pkg/study/gege"
	"github.com/purexp/purexp/pkg/study/rage"
)

// simulated are results of a few replicates of an experiment.
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

// What one run of each method returned, beside the true Pareto set.
func ExampleExperiment_Front() {
	f, err := gege.EnergyBudget.Front(2000, gege.GEGE, gege.UniformLS)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Title)
	// Output:
	// Energy efficiency, linear, fixed budget: one run, budget T = 2000
}

// The course of one run.
func ExampleExperiment_Trajectory() {
	f, err := ecape.HardForRacing.Trajectory(ecape.Racing5, ecape.Racing, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Title)
	// Output:
	// One run of Racing on racing K=5
}

// Methods whose cost forbids large problems, and fewer of them.
func ExampleLimited() {
	ms := study.Without(rage.Benchmark.Methods, study.As(rage.ALBA, ""))
	ms = study.Limited(ms, map[study.Choice]study.Method{
		study.As(rage.RAGE, rage.Printed): {Largest: 20},
	})
	for _, m := range ms[2:4] {
		fmt.Println(study.As(m.Name, m.Constants), m.Largest)
	}
	// Output:
	// RAGE (paper) 20
	// RAGE (theory) 0
}

// A claim about the pulls of two methods, judged at every size.
func ExampleCompared() {
	e := rage.Newer.Only(rage.RAGE, rage.XYStatic)
	e.Sizes = []int{5, 10}
	fewer := study.Says("1", "here", "RAGE needs fewer pulls than the static allocation",
		study.Compared(study.Fewer, rage.RAGE, rage.XYStatic))
	fmt.Println(fewer.Check(simulated(e, 10)).Outcome)
	// Output:
	// agrees
}

// A claim about errors: e-cAPE is wrong with probability delta at most, as far as a few runs tell.
func ExampleWithinDelta() {
	e := ecape.HardForRacing.Only(ecape.ECAPE)
	right := study.WithinDelta(study.Mistakes, ecape.Printed, ecape.ECAPE)
	v := right(simulated(e, 5))
	fmt.Println(v.Outcome, v.Measured[:7])
	// Output:
	// not comparable 0 of 10
}

// Who needs the fewest pulls on each of sixty instances that differ in three rates.
func ExampleMap() {
	panel, x, y := ecape.DoseMap.At(59)
	fmt.Println(len(ecape.DoseMap.Names()), ecape.DoseMap.Name(panel, x, y))
	// Output:
	// 60 75 mg at (0.420, 0.397), 300 mg at 0.390
}
