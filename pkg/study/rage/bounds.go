package rage

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// Names of the bounds.
const (
	LowerBound   = "lower bound"
	ScheduleName = "RAGE's schedule"
)

// bounds are the lower bound for all methods, in the proportions of the optimal allocation, and the
// pulls and rounds that RAGE's schedule allows.
var bounds = []study.Bound{
	{Name: LowerBound, Plan: lowerBound}, {Name: ScheduleName, Plan: allowed},
}

func lowerBound(t study.Task) (study.Plan, error) {
	psi, err := complexity.NewPsiStar(t.Instance.Problem, means(t), &design.Options{Tol: 1e-3})
	if err != nil {
		return study.Plan{}, err
	}
	return study.Divided(psi.LowerBound(t.Delta), psi.Weights, best(t))
}

func allowed(t study.Task) (study.Plan, error) {
	stages, err := theory(t.Delta).Schedule(t.Instance.Problem, means(t))
	plan := study.Plan{Answer: best(t)}
	for _, s := range stages {
		plan.Rounds = append(plan.Rounds, []explore.Pull{{Arm: 0, N: s.Pulls}})
	}
	return plan, err
}

// best returns the right answer.
func best(t study.Task) explore.Answer {
	return explore.Answer{Items: []int{floats.MaxIdx(means(t))}}
}

// boundTables are the tables that experiments have besides those of their runs.
func boundTables(r *study.Results) ([]*tidy.Table, error) {
	if t := Bounds(r); len(t.Rows) > 0 {
		return []*tidy.Table{t}, nil
	}
	return nil, nil
}

// Bounds returns psi*, the lower bounds, and what RAGE's schedule allows, for each size; medians
// where instances are random.
func Bounds(r *study.Results) *tidy.Table {
	e := r.Experiment
	t := &tidy.Table{
		Title: "Bounds: " + e.Title,
		Columns: tidy.Columns(e.Axis, "psi*", LowerBound+" [pulls]",
			"lower bound as printed [pulls]", "rounds of the schedule", "schedule [pulls]"),
		Notes: []string{
			fmt.Sprintf("Lower bound: 2 psi* log(1/(2.4 delta)) at delta = %v, for every "+
				"method; the paper prints half of it.", e.Delta),
			"Schedule: the sum over rounds t of N_t for the items with gap at most 4/2^t, " +
				"which RAGE keeps with probability 1 - delta.",
		},
	}
	for _, size := range e.Sizes {
		lower, most := r.Bound(size, LowerBound), r.Bound(size, ScheduleName)
		if len(lower) == 0 || len(most) == 0 {
			continue
		}
		if e.Draws > 0 && t.Rows == nil {
			t.Notes = append(t.Notes, fmt.Sprintf("Medians over %d instances.", len(lower)))
		}
		l := study.MedianPulls(lower).Center
		rounds := make([]float64, len(most))
		for i, row := range most {
			rounds[i] = float64(row.Rounds)
		}
		t.Rows = append(t.Rows, []any{
			size, math.Round(l / (2 * math.Log(1/(2.4*e.Delta)))), math.Round(l), math.Round(l / 2),
			tidy.Median(rounds, study.Confidence).Center,
			math.Round(study.MedianPulls(most).Center),
		})
	}
	return t
}

// Schedule returns RAGE's schedule for one instance, round by round.
func Schedule(e study.Experiment, size, draw int) (*tidy.Table, error) {
	inst, err := e.At(size, draw)
	if err != nil {
		return nil, err
	}
	task := e.Task(inst, size)
	stages, err := theory(task.Delta).Schedule(inst.Problem, means(task))
	if err != nil {
		return nil, err
	}
	t := &tidy.Table{
		Title:   "RAGE's schedule: " + inst.Name,
		Columns: tidy.Columns("round t", "items with gap at most 4/2^t", "rho", "at most [pulls]"),
	}
	for _, s := range stages {
		t.Rows = append(t.Rows, []any{s.T, s.Items, s.Rho, s.Pulls})
	}
	return t, nil
}
