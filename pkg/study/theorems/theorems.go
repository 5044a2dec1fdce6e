// Package theorems puts the theorems of papers into numbers: what they promise on the instances of
// experiments, beside what runs there need.
//
//	table, err := theorems.ECAPE(10, ecape.Concept) // 10 runs of each
package theorems

import (
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// A place is where theorems are looked at: an instance of an experiment.
type place struct {
	study.Experiment
	size int
	inst *bandit.Instance
}

// sizes of an experiment at which theorems are looked at.
type sizes func(study.Experiment) []int

func all(e study.Experiment) []int { return e.Sizes }

// ends are the first and the last size, or the one that there is.
func ends(e study.Experiment) []int {
	return slices.Compact([]int{e.Sizes[0], e.Sizes[len(e.Sizes)-1]})
}

// fill adds to t a row for each place of experiments; runs is how many runs a row is of. It panics
// if that is not positive.
func fill(
	t *tidy.Table, runs int, of sizes, es []study.Experiment, row func(place) ([]any, error),
) (*tidy.Table, error) {
	if runs < 1 {
		panic("theorems: a table of no runs")
	}
	for _, e := range es {
		for _, size := range of(e) {
			inst, err := e.At(size, 0)
			if err != nil {
				return t, err
			}
			r, err := row(place{e, size, inst})
			if err != nil {
				return t, fmt.Errorf("theorems: %s: %w", inst.Name, err)
			}
			t.Rows = append(t.Rows, r)
		}
	}
	return t, nil
}

// freshNoise is the noise of runs beside those of studies.
func freshNoise(inst *bandit.Instance) func(run int) seed.Seed {
	return func(run int) seed.Seed { return seed.New(1).Child("theorems", inst.Name, run) }
}

// try runs a policy at a place, with noise beside that of studies.
func (p place) try(policy explore.Policy, runs int) (study.Tries, error) {
	return study.Try(p.inst, policy, runs, freshNoise(p.inst))
}
