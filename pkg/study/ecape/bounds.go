package ecape

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

// Names of the lower bounds T* kl(delta, 1 - delta). With reasons several answers may be right, and
// the bound is asymptotic (paper, Proposition 3.4).
const (
	SetBound       = "lower bound, set"
	ExplainedBound = "lower bound, explained (delta to 0)"
)

var bounds = []study.Bound{lower(SetBound, true), lower(ExplainedBound, false)}

// lower is the bound of a question: the pulls of an oracle, and the right answer with its reasons.
func lower(name string, setOnly bool) study.Bound {
	return study.Bound{Name: name, Plan: func(t study.Task) (study.Plan, error) {
		c, err := characteristicTime(t.Instance, setOnly)
		if err != nil {
			return study.Plan{}, err
		}
		return study.Divided(c.LowerBound(t.Delta), c.Weights, answer(t.Instance))
	}}
}

// tolerance is the relative width of the brackets of characteristic times.
const tolerance = 1e-4

// characteristicTime returns T* of the set alone, or of the set with reasons.
func characteristicTime(inst *bandit.Instance, setOnly bool) (*complexity.TStar, error) {
	p, q := inst.Problem, asked(inst)
	q.SetOnly = setOnly
	t, err := complexity.NewTStar(q, inst.Truth(), study.Isotropic(p.D(), p.Sigma), tolerance)
	if err != nil {
		return nil, fmt.Errorf("ecape: %s: %w", inst.Name, err)
	}
	return t, nil
}

// characteristicTimes returns both.
func characteristicTimes(inst *bandit.Instance) (set, explained *complexity.TStar, err error) {
	if set, err = characteristicTime(inst, true); err == nil {
		explained, err = characteristicTime(inst, false)
	}
	return set, explained, err
}

func asked(inst *bandit.Instance) question.FeasiblePareto {
	return inst.Problem.Question.(question.FeasiblePareto)
}

// answer returns the right answer, with reasons.
func answer(inst *bandit.Instance) explore.Answer {
	t := asked(inst).Truth(inst.Truth())
	var a explore.Answer
	for i, optimal := range t.Optimal {
		class := explore.Infeasible
		switch {
		case optimal:
			a.Items, class = append(a.Items, i), explore.Optimal
		case t.SubOpt[i]:
			class = explore.Dominated
		}
		a.Reasons = append(a.Reasons, explore.Reason{Class: class})
	}
	return a
}

// cStar returns the complexity terms of an instance.
func cStar(inst *bandit.Instance) complexity.CStar {
	return complexity.NewCStar(asked(inst), inst.Truth(), inst.Problem.Sigma, inst.Problem.SigmaU())
}

// Complexity returns the complexity terms of the instances of e: what an algorithm must pay, up to
// constants and logarithms (paper, section 4.2).
func Complexity(e study.Experiment) (*tidy.Table, error) {
	all, err := e.Instances()
	t := &tidy.Table{
		Title: "Complexity of the instances: " + e.Title,
		Columns: tidy.Columns("instance", "arms", "C* [pulls]", "two-stage [pulls]", "optimal",
			"cheapest to reject as dominated", "cheapest to reject as infeasible"),
		Notes: []string{"C* is C*_M of the paper, two-stage is HPSI + HF: pulls up to " +
			"constants and logarithms."},
	}
	for _, inst := range all {
		c := cStar(inst)
		t.Rows = append(t.Rows, []any{inst.Name, inst.Problem.K(), c.Value, c.HPSI + c.HF,
			names(inst, c.O), names(inst, c.S), names(inst, c.I)})
	}
	return t, err
}

// Times returns the characteristic times of the instances of e: T* of the set alone, cPSI, and T*_M
// with reasons, e-cPSI. They bound the number of pulls of every method from below, the latter as
// delta goes to 0.
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
		Notes: []string{fmt.Sprintf("T* are for Gaussian rewards of the same sigma, with "+
			"independent objectives, certified to %v of their value. A method that is right with "+
			"probability 1 - delta needs T* kl(delta, 1 - delta) pulls on average: the lower "+
			"bounds, at delta = %v. With reasons, where several answers may be right, that holds "+
			"as delta goes to 0 (paper, Proposition 3.4).", tolerance, e.Delta)},
	}
	for _, inst := range all {
		set, explained, err := characteristicTimes(inst)
		if err != nil {
			return nil, err
		}
		// Exact up to the tolerance; with very many arms that are both dominated and infeasible the
		// search may give up.
		how := "exact"
		if !explained.Exact {
			how = fmt.Sprintf("at least %.4g", explained.Lower)
		}
		t.Rows = append(t.Rows, []any{
			inst.Name, set.Upper, explained.Upper, fmt.Sprintf("%.3f",
				explained.Upper/set.Upper), how,
			set.LowerBound(e.Delta), explained.LowerBound(e.Delta),
		})
	}
	if slices.ContainsFunc(all, bernoulli) {
		t.Notes = append(t.Notes, "Bernoulli rewards are told apart at least as fast as Gaussian "+
			"ones with sigma = 1/2 (Pinsker's inequality): there the lower bound is that of a "+
			"method that knows sigma only, on Gaussian rewards with these means.")
	}
	return t, nil
}

func bernoulli(inst *bandit.Instance) bool {
	_, ok := inst.Law.(*bandit.Bernoulli)
	return ok
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
