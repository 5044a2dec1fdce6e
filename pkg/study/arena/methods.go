package arena

import (
	"math/rand/v2"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/study"
)

// Constants of methods in rows.
const (
	Guaranteed = "guaranteed" // the settings for which a theorem holds
	Budgeted   = "budget"     // a fixed budget, in place of an error probability
	Extra      = "told more"  // what no experimenter knows: the means, a level, a norm, a number
)

// Methods returns the policies of the catalogue for a question, each under its name there. Radii
// are those of radius.Mixture, which hold on all instances. Where rewards are successes and
// failures, radii are those of radius.Bernoulli, and policies that bet on bounded rewards know the
// bounds. Policies that need to be told more than the problem are told the truth, and labelled so.
func Methods(q Question) []study.Method {
	var ms []study.Method
	for _, info := range policy.Catalogue() {
		m := study.Method{Name: info.Name, Constants: Guaranteed,
			New: func(t study.Task) explore.Policy { return configured(info, t) }}
		switch info.New().(type) {
		case *policy.XYOracle, *policy.ALBA, *policy.LinGIFA, *policy.MLinGapE,
			*policy.LazyThreshold:
			m.Constants = Extra
		}
		if info.Kind == policy.FixedBudget {
			m.Constants = Budgeted
		}
		if slices.ContainsFunc(At(q), func(i Instance) bool {
			inst, err := i.Load()
			return err == nil && suits(m, inst)
		}) {
			ms = append(ms, m)
		}
	}
	return ms
}

// configured returns a policy of the catalogue with the settings of the arena.
func configured(info policy.Info, t study.Task) explore.Policy {
	p := info.New()
	v := reflect.ValueOf(p).Elem()
	set := func(field string, value any) {
		f, own := v.FieldByName(field), reflect.ValueOf(value)
		if f.IsValid() && own.Type().AssignableTo(f.Type()) {
			f.Set(own)
		}
	}
	set("Delta", t.Delta)
	if info.Kind == policy.FixedBudget {
		set("Budget", t.Budget)
	}
	set("Radius", radius.Mixture{})
	if _, ok := t.Instance.Law.(*bandit.Bernoulli); ok {
		set("Radius", radius.Bernoulli{})
		set("Bounds", [2]float64{0, 1})
	}
	if t.Instance.Problem.D() > 1 {
		return p
	}
	means := mat.Col(nil, 0, t.Instance.Truth())
	switch p := p.(type) {
	case *policy.XYOracle:
		p.Means = means
	case *policy.ALBA:
		p.Norm = size(t.Instance)
	case *policy.LinGIFA:
		p.M = good(t.Instance)
	case *policy.MLinGapE:
		p.M = good(t.Instance)
	case *policy.LazyThreshold:
		if q, ok := t.Instance.Problem.Question.(question.AllEpsilonBest); ok {
			p.Level = q.Threshold(floats.Max(means))
		}
	}
	return p
}

// size is the norm of the parameter.
func size(inst *bandit.Instance) float64 {
	of := inst.Theta
	if of == nil {
		of = inst.Means()
	}
	return mat.Norm(of, 2)
}

// good is the number of epsilon-best items.
func good(inst *bandit.Instance) int {
	q, ok := inst.Problem.Question.(question.AllEpsilonBest)
	if !ok {
		return 1
	}
	return len(q.Right(inst.Truth()))
}

// suits reports whether a method can begin on an instance.
func suits(m study.Method, inst *bandit.Instance) bool {
	t := study.Task{Instance: inst, Delta: .1, Budget: 1 << 30}
	return m.New(t).Init(inst.Problem, rand.NewPCG(0, 0)) == nil
}
