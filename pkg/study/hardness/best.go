package hardness

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// ScheduleBound is the name of the bound that the function Schedule returns.
const ScheduleBound = "RAGE's schedule"

// Schedule returns a bound with the pulls and rounds of RAGE's schedule. The argument is a function
// that returns RAGE for an error probability.
func Schedule(of func(delta float64) *policy.RAGE) study.Bound {
	return study.Bound{Name: ScheduleBound, Plan: func(t study.Task) (study.Plan, error) {
		stages, err := stages(of, t)
		plan := study.Plan{Answer: question.Right(t.Instance.Problem.Question, t.Instance.Truth())}
		for _, s := range stages {
			plan.Rounds = append(plan.Rounds, []explore.Pull{{Arm: 0, N: s.Pulls}})
		}
		return plan, err
	}}
}

func stages(of func(delta float64) *policy.RAGE, t study.Task) ([]policy.RAGEStage, error) {
	return of(t.Delta).Schedule(t.Instance.Problem, mat.Col(nil, 0, t.Instance.Truth()))
}

// Schedules returns a table that shows, for each size, psi*, the lower bounds, and the pulls and
// rounds of RAGE's schedule. If instances are random, the table shows medians. The results must
// have rows of the bounds Best and Schedule; sizes without them are omitted.
func Schedules(r *study.Results) *tidy.Table {
	e := r.Experiment
	t := &tidy.Table{
		Title: "Bounds: " + e.Title,
		Columns: tidy.Columns(e.Axis, "psi*", LowerBound+" [pulls]",
			"lower bound as printed [pulls]", "rounds of the schedule", "schedule [pulls]"),
		Notes: []string{
			fmt.Sprintf("Lower bound: 2 psi* log(1/(2.4 delta)) at delta = %v, for every method; the paper prints "+
				"half of this bound.", e.Delta),
			"Schedule: the sum over rounds t of N_t for the items with gap at most 4/2^t. With probability 1 - " +
				"delta, RAGE needs at most this many pulls.",
		},
	}
	for _, size := range e.Sizes {
		lower, most := r.Bound(size, LowerBound), r.Bound(size, ScheduleBound)
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

// Rounds returns RAGE's schedule for an instance of an experiment, with a row for each round.
func Rounds(
	e study.Experiment, size, draw int, of func(delta float64) *policy.RAGE,
) (*tidy.Table, error) {
	inst, err := e.At(size, draw)
	if err != nil {
		return nil, err
	}
	stages, err := stages(of, e.Task(inst, size))
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

// WithinSchedule returns a check of Theorem 2 of the RAGE paper. The check compares the pulls of a
// method with the length of the schedule for the same instance.
func WithinSchedule(method, constants string) study.Check {
	return func(r *study.Results) study.Verdict { return withinSchedule(r, method, constants) }
}

func withinSchedule(r *study.Results, method, constants string) study.Verdict {
	largest := 0.
	var ts []study.Tally
	for _, size := range r.Experiment.Sizes {
		most := map[int]int{} // largest number of pulls, by draw
		for _, row := range r.Bound(size, ScheduleBound) {
			most[row.Draw] = row.Pulls
		}
		t := study.Tally{Name: r.Experiment.SizeLabel(size)}
		for _, row := range r.Cell(size, method, constants) {
			if most[row.Draw] == 0 {
				continue
			}
			share := float64(row.Pulls) / float64(most[row.Draw])
			largest = max(largest, share)
			t.Runs++
			if share > 1+2*design.DefaultTol {
				t.Wrong++
			}
		}
		if t.Runs > 0 {
			ts = append(ts, t)
		}
	}
	if ts == nil {
		return study.Missing(method)
	}
	v := study.AtMost(r.Experiment.Delta, ts, "with designs within 1 % of the optimum, ", "runs beyond the schedule")
	v.Measured += fmt.Sprintf("; the largest share of the scheduled pulls is %.0f %%", 100*largest)
	return v
}
