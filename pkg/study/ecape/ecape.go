package ecape

import (
	"fmt"
	"strings"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// Study is the reproduction.
var Study = study.Study{
	Name:    "ecape",
	Title:   "Constrained Pareto sets: two clinical trials",
	Paper:   "Kone, Kaufmann and Richert, \"Constrained Pareto Set Identification with Bandit Feedback\", section 5",
	Reps:    Reps,
	Grid:    Grid,
	Tables:  Tables,
	Figures: Figures,
	Claims:  Claims,
}

func errUnknown(name string) error {
	return fmt.Errorf("ecape: no instance %q; there are %q, %q and %q", name, Published, Described, CovBoost)
}

// Tables returns the sample complexities, the complexity terms of the
// instances, and the pulls of each arm with the paper's constants.
func Tables(rows []mc.Row) ([]*tidy.Table, error) {
	instances, err := Instances()
	if err != nil {
		return nil, err
	}
	ts := []*tidy.Table{Complexities(rows), Bounds(instances)}
	for _, inst := range instances {
		t, err := ArmPulls(rows, inst)
		if err != nil {
			return nil, err
		}
		if t != nil {
			ts = append(ts, t)
		}
	}
	return ts, nil
}

// Complexities returns the numbers of pulls and of wrong answers, with intervals.
func Complexities(rows []mc.Row) *tidy.Table {
	return tidy.ComplexityTable(tidy.SampleComplexity(rows, confidence))
}

// ArmPulls returns the mean pulls of each arm of inst with the paper's
// constants; nil if there are no rows.
func ArmPulls(rows []mc.Row, inst *bandit.Instance) (*tidy.Table, error) {
	var own []mc.Row
	for _, r := range rows {
		if r.Instance == inst.Name && r.Constants == Paper {
			own = append(own, r)
		}
	}
	if len(own) == 0 {
		return nil, nil
	}
	t, err := tidy.ArmPulls(own, inst.Problem.ArmNames)
	if err != nil {
		return nil, err
	}
	t.Title = "Pulls of each arm: " + inst.Name
	return t, nil
}

// Bounds returns the complexity terms of the instances: what an algorithm must
// pay, up to constants and logarithms (paper, section 4.2).
func Bounds(instances []*bandit.Instance) *tidy.Table {
	t := &tidy.Table{
		Title: "Complexity of the instances",
		Columns: []tidy.Column{
			{Name: "instance"}, {Name: "C*", Unit: "pulls"}, {Name: "two-stage", Unit: "pulls"},
			{Name: "optimal"}, {Name: "cheapest to reject as dominated"}, {Name: "cheapest to reject as infeasible"},
		},
		Notes: []string{"C* is C*_M of the paper, two-stage is HPSI + HF: pulls up to constants and logarithms."},
	}
	for _, inst := range instances {
		c := cStar(inst)
		t.Rows = append(t.Rows, []any{inst.Name, c.Value, c.HPSI + c.HF, names(inst, c.O), names(inst, c.S), names(inst, c.I)})
	}
	return t
}

// names lists arms by name, the first few of many.
func names(inst *bandit.Instance, arms []int) string {
	const few = 5
	var list []string
	for _, a := range arms {
		list = append(list, inst.Problem.Arm(a))
	}
	switch {
	case len(list) == 0:
		return "none"
	case len(list) > few:
		return fmt.Sprintf("%s and %d more", strings.Join(list[:few-1], ", "), len(list)-few+1)
	}
	return strings.Join(list, ", ")
}
