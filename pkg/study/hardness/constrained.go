package hardness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// The following constants are names of the lower bounds T* kl(delta, 1 - delta) for constrained
// Pareto sets. For questions with reasons, several answers may be right, and the bound is only
// asymptotic (e-cAPE paper, Proposition 3.4).
const (
	SetBound       = "lower bound, set"
	ExplainedBound = "lower bound, explained (delta to 0)"
)

// tolerance is the relative width of the brackets of characteristic times for questions with
// constraints.
const tolerance = 1e-4

// Constrained contains the lower bounds for constrained Pareto sets, without and with reasons.
var Constrained = []study.Bound{
	Time(SetBound, alone, tolerance), Time(ExplainedBound, withReasons, tolerance),
}

func alone(inst *bandit.Instance) explore.Question       { return reasoned(inst, false) }
func withReasons(inst *bandit.Instance) explore.Question { return reasoned(inst, true) }

func reasoned(inst *bandit.Instance, why bool) explore.Question {
	q := asked(inst)
	q.SetOnly = !why
	return q
}

// asked returns the question of an instance with constraints.
func asked(inst *bandit.Instance) question.FeasiblePareto {
	return inst.Problem.Question.(question.FeasiblePareto)
}

// For an instance with constraints, SetTime returns T* of the question without reasons.
func SetTime(inst *bandit.Instance) (*complexity.TStar, error) {
	return CharacteristicTime(inst, alone(inst), tolerance)
}

// For an instance with constraints, CharacteristicTimes returns T* of the questions without and
// with reasons.
func CharacteristicTimes(inst *bandit.Instance) (set, explained *complexity.TStar, err error) {
	if set, err = SetTime(inst); err == nil {
		explained, err = CharacteristicTime(inst, withReasons(inst), tolerance)
	}
	return set, explained, err
}

// CStar returns the complexity terms of an instance with constraints.
func CStar(inst *bandit.Instance) complexity.CStar {
	return complexity.NewCStar(asked(inst), inst.Truth(), inst.Problem.Sigma, inst.Problem.SigmaU())
}

// Known returns the tables of Complexity, Times and Means for the instances of an experiment with
// constraints; it can be used as Experiment.Tables.
func Known(r *study.Results) ([]*tidy.Table, error) {
	e := r.Experiment
	c, err := Complexity(e)
	if err != nil {
		return nil, err
	}
	t, err := Times(e)
	if err != nil {
		return nil, err
	}
	means, err := Means(e)
	return append([]*tidy.Table{c, t}, means...), err
}

// Complexity returns a table of the complexity terms of the instances of e. Up to constants and
// logarithms, e-cAPE needs C* pulls, and a two-stage method needs HPSI + HF pulls (e-cAPE paper,
// section 4.2).
func Complexity(e study.Experiment) (*tidy.Table, error) {
	all, err := e.Instances()
	t := &tidy.Table{
		Title: "Complexity of the instances: " + e.Title,
		Columns: tidy.Columns("instance", "arms", "C* [pulls]", "two-stage [pulls]", "optimal",
			"cheapest to reject as dominated", "cheapest to reject as infeasible"),
		Notes: []string{"C* is C*_M of the paper, and two-stage is HPSI + HF, in pulls up to constants " +
			"and logarithms."},
	}
	for _, inst := range all {
		c := CStar(inst)
		t.Rows = append(t.Rows, []any{inst.Name, inst.Problem.K(), c.Value, c.HPSI + c.HF,
			names(inst, c.O), names(inst, c.S), names(inst, c.I)})
	}
	return t, err
}

// Times returns a table of the characteristic times of the instances of e: T* for the set without
// reasons (cPSI), and T*_M with reasons (e-cPSI). The characteristic times give lower bounds on the
// number of pulls of every method; the bound from T*_M holds as delta tends to 0.
func Times(e study.Experiment) (*tidy.Table, error) {
	all, err := e.Instances()
	if err != nil {
		return nil, err
	}
	t := &tidy.Table{
		Title: "Characteristic times: " + e.Title,
		Columns: []tidy.Column{
			{Name: "instance"}, {Name: "T*, set", Unit: "pulls"}, {Name: "T*, explained",
				Unit: "pulls"},
			{Name: "explained / set"}, {Name: "T*, explained, is", Align: tidy.Left},
			{Name: SetBound, Unit: "pulls"}, {Name: ExplainedBound, Unit: "pulls"},
		},
		Notes: []string{fmt.Sprintf("T* is for Gaussian rewards with the same sigma and independent objectives, "+
			"certified to a relative error of %v. The lower bounds are T* kl(delta, 1 - delta) for delta = %v, the "+
			"mean number of pulls that any method needs to be right with probability 1 - delta. With reasons, "+
			"several answers may be right, and the bound holds as delta tends to 0 (Proposition "+
			"3.4).", tolerance, e.Delta)},
	}
	for _, inst := range all {
		set, explained, err := CharacteristicTimes(inst)
		if err != nil {
			return nil, err
		}
		// The relative error of the times is at most tolerance. If very many arms are both
		// dominated and infeasible, the search for T*_M may stop early.
		how := "exact"
		if !explained.Exact {
			how = fmt.Sprintf("at least %.4g", explained.Lower)
		}
		t.Rows = append(t.Rows, []any{
			inst.Name, set.Upper, explained.Upper, fmt.Sprintf("%.3f", explained.Upper/set.Upper), how,
			set.LowerBound(e.Delta), explained.LowerBound(e.Delta),
		})
	}
	if slices.ContainsFunc(all, bernoulli) {
		t.Notes = append(t.Notes, "Bernoulli rewards are at least as easy to distinguish as Gaussian rewards with "+
			"sigma = 1/2 (Pinsker's inequality). For these instances, the lower bound is for Gaussian rewards with "+
			"the same means, and for methods that know only sigma.")
	}
	return t, nil
}

func bernoulli(inst *bandit.Instance) bool {
	_, ok := inst.Law.(*bandit.Bernoulli)
	return ok
}

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
