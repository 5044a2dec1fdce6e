package arena

import (
	"math/rand/v2"
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

// The following constants are the values of a method's Constants in the arena.
const (
	Guaranteed = "guaranteed" // settings for which a theorem supports the guarantee
	Budgeted   = "budget"     // a fixed budget replaces the error probability
	Extra      = "told more"  // the method gets knowledge that nobody has in practice: true means, a level, or a norm
)

// Methods returns the policies of the catalogue that answer a question and whose durations are in
// costs.csv, under their names in the catalogue. Confidence radii are radius.Mixture, which holds
// on all instances, or radius.Bernoulli for successes and failures. Betting policies receive the
// bounds of rewards. Policies that need more knowledge than the problem states receive the true
// values, and have the Constants Extra.
func Methods(q Question) []study.Method {
	var ms []study.Method
	for _, new := range policy.Catalogue() {
		card := new().Card()
		if !slices.ContainsFunc(At(q),
			func(i Instance) bool { _, there := cost()[[2]string{card.Name, i.Name}]; return there }) {
			continue // skip the policy, because the time of a run has not been measured yet
		}
		m := study.Method{Name: card.Name, Constants: Guaranteed,
			New: func(t study.Task) explore.Policy { return configured(new(), t) }}
		if card.Kind == explore.FixedBudget {
			m.Constants = Budgeted
		}
		for _, i := range At(q) {
			if inst, err := i.Load(); err == nil && suits(m, inst) {
				if inst.Problem.D() == 1 && slices.ContainsFunc(card.Needs, secret) {
					m.Constants = Extra
				}
				ms = append(ms, m)
				break
			}
		}
	}
	return ms
}

// secret reports whether configured has to supply the true value for need n.
func secret(n explore.Need) bool {
	switch n.(type) {
	case explore.Norm, explore.Known:
		return true
	}
	return false
}

// configured returns a policy of the catalogue with the arena's settings for a task.
func configured(p explore.Describer, t study.Task) explore.Policy {
	card := p.Card()
	policy.Set(p, "Delta", t.Delta)
	if card.Kind == explore.FixedBudget {
		policy.Set(p, "Budget", t.Budget)
	}
	policy.Set(p, "Radius", radius.Mixture{})
	if _, ok := t.Instance.Law.(*bandit.Bernoulli); ok {
		policy.Set(p, "Radius", radius.Bernoulli{})
		policy.Set(p, "Rewards", radius.Bernoulli{})
	}
	if t.Instance.Problem.D() > 1 {
		return p
	}
	means := mat.Col(nil, 0, t.Instance.Truth())
	for _, n := range card.Needs {
		switch n {
		case explore.Norm{}:
			policy.Set(p, "Norm", size(t.Instance))
		case explore.Known{What: explore.KnownMeans}:
			policy.Set(p, "Means", means)
		case explore.Known{What: explore.KnownCount}:
			policy.Set(p, "M", good(t.Instance))
		case explore.Known{What: explore.KnownLevel}:
			if q, ok := t.Instance.Problem.Question.(question.AllEpsilonBest); ok {
				policy.Set(p, "Level", q.Threshold(floats.Max(means)))
			}
		}
	}
	return p
}

func size(inst *bandit.Instance) float64 {
	of := inst.Theta
	if of == nil {
		of = inst.Means()
	}
	return mat.Norm(of, 2)
}

func good(inst *bandit.Instance) int {
	q, ok := inst.Problem.Question.(question.AllEpsilonBest)
	if !ok {
		return 1
	}
	return len(q.Right(inst.Truth()))
}

// suits reports whether a method supports an instance.
func suits(m study.Method, inst *bandit.Instance) bool {
	if m.Constants == Budgeted && inst.Problem.Costs != nil {
		return false // a budget is a number of pulls, but instances with costs need a cost
	}
	t := study.Task{Instance: inst, Delta: .1, Budget: 1 << 30}
	return m.New(t).Init(inst.Problem, rand.NewPCG(0, 0)) == nil
}
