package pfiwr

import (
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/studytest"
)

// runs simulates an experiment with so many replicates.
func runs(b *testing.B, e study.Experiment, reps int) []mc.Row {
	b.Helper()
	g, err := e.Grid(study.Options{Reps: reps})
	if err != nil {
		b.Fatal(err)
	}
	return studytest.Simulate(b, g)
}

// Table 1 with all widths, 100 runs of each method at each relaxation.
func BenchmarkTable1(b *testing.B) {
	for b.Loop() {
		runs(b, SWLLVM, 100)
	}
}

// All figures of the paper, with its numbers of runs: ten in Fig. 1 and 2, 100 in Fig. 3.
func BenchmarkFigures(b *testing.B) {
	figure3 := SWLLVM
	figure3.Sizes = []int{1}
	for b.Loop() {
		for _, f := range []struct {
			e    study.Experiment
			reps int
		}{{Estimator, 10}, {Sensitivity, 10}, {figure3, 100}} {
			if _, err := f.e.Results(runs(b, f.e, f.reps)).Figures(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// What is beside the paper, by experiment.
func BenchmarkBeside(b *testing.B) {
	for _, e := range []study.Experiment{
		OneArm, Readings, RandomPhase, Widths, Frontier, LinearFrontier,
	} {
		b.Run(e.ShortName(), func(b *testing.B) {
			for b.Loop() {
				runs(b, e, 0)
			}
		})
	}
}
