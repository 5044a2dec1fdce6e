package gege

import (
	"errors"
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// LowerBound is the name of the bound T* log(1/(2.4 delta)) for methods that do not know the
// features.
const LowerBound = "lower bound without features"

var bounds = []study.Bound{{Name: LowerBound, Plan: func(t study.Task) (study.Plan, error) {
	c, err := characteristicTime(t.Instance)
	if err != nil {
		return study.Plan{}, err
	}
	return study.Divided(c.LowerBound(t.Delta), c.Weights,
		explore.Answer{Items: pareto.Set(t.Instance.Truth())})
}}}

// complexityRow returns the row of an instance in the table of Bounds.
func complexityRow(inst *bandit.Instance) ([]any, error) {
	b, err := newBounded(inst)
	if err != nil {
		return nil, err
	}
	t, err := characteristicTime(inst)
	if err != nil {
		return nil, err
	}
	return []any{inst.Name, b.k, b.h, len(pareto.Set(inst.Truth())), b.gaps[0], b.c.H1, b.c.H2,
		b.c.H1Lin, b.c.H2Lin, t.Upper}, nil
}

// characteristicTime returns T* of an instance for methods that do not know the
// features, infinite if an arm can enter or leave the Pareto set at no cost.
func characteristicTime(inst *bandit.Instance) (*complexity.TStar, error) {
	p := inst.Problem
	t, err := complexity.NewTStar(question.Pareto{}, inst.Truth(),
		study.Isotropic(p.D(), p.Sigma), 1e-2)
	if errors.Is(err, complexity.ErrParetoTie) {
		return &complexity.TStar{Lower: math.Inf(1), Upper: math.Inf(1)}, nil
	}
	return t, err
}

// Bounds returns the complexities of the instances. Those whose table is not
// found, see dataset.Folder, are left out, and a note says so.
func Bounds() (*tidy.Table, error) { return complexityTable(experiments) }

// paperTables are the tables of a report that are of no one experiment.
func paperTables([]mc.Row) ([]*tidy.Table, error) {
	t, err := Bounds()
	return []*tidy.Table{t}, err
}

func complexityTable(es []study.Experiment) (*tidy.Table, error) {
	t := &tidy.Table{
		Title: "Complexity of the instances",
		Columns: tidy.Columns("instance", "arms", "rank", "optimal", "smallest gap", "H1", "H2",
			"H1lin", "H2lin", "T* [pulls]"),
		Notes: []string{"In units of 1/reward^2: pulls are of order sigma^2 times these, up to " +
			"logarithms. H1 and H2 are what methods without the linear model pay, H1lin and " +
			"H2lin what GEGE pays.",
			"T*: a method that does not know the features and is right with probability 1 - " +
				"delta needs T* log(1/(2.4 delta)) pulls on average; certified to 1 %."},
	}
	for _, e := range es {
		sizes := e.Sizes[:1]
		if e.Name == SyntheticBudget.Name {
			sizes = e.Sizes
		}
		if e.Delta > 0 {
			continue
		}
		for _, size := range sizes {
			inst, err := e.At(size, 0)
			if err != nil {
				t.Notes = append(t.Notes, fmt.Sprintf("Without %s: %v.", e.Title, err))
				continue
			}
			row, err := complexityRow(inst)
			if err != nil {
				return nil, err
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t, nil
}
