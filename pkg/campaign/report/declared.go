package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// A Declaration is something that was said before the campaign, or taken because nothing was said.
type Declaration struct {
	What string `json:"what"`
	Is   string `json:"is"`
}

// declared lists all that the problem declares and that the guarantee, or what is measured, rests on.
func declared(p *problem.Problem, c *problem.Compiled, s *campaign.Status) []Declaration {
	var list []Declaration
	add := func(what, format string, args ...any) {
		list = append(list, Declaration{what, fmt.Sprintf(format, args...)})
	}
	add("question", "%s", p.Words())
	if c.Budget > 0 {
		add("budget", "%d measurements; the answer has no declared error probability", c.Budget)
		add("error probability of intervals (delta)", "%v", p.Question.Delta)
	} else {
		add("error probability (delta)", "%v", p.Question.Delta)
	}
	if c.Delta != p.Question.Delta {
		add("of it for the method", "%.4g; the rest is for candidates to come and pilots", c.Delta)
	}
	add("method", "%s, seed %d", c.Card.Name, p.Method.Seed)
	add("settings of the method", "%v; intervals %s", c.Policy(), c.Radius())
	add("confirming measurements", "%s", yes(c.Budget == 0 && p.Method.Confirm != nil && *p.Method.Confirm))
	add("protocol", "%s", protocol(s))
	add("candidates", "%s", listed(p.Candidates.Names))
	if n := slices.Concat(p.Candidates.FeatureColumns, p.Candidates.CategoryColumns); len(n) > 0 {
		add("means are linear in", "%s", listed(n))
	}
	for i := range p.Objectives {
		o := &p.Objectives[i]
		add("goal of "+o.Name, "%s", o.Goal)
		add("noise of "+o.Name, "%s", o.Scatters())
		if len(o.Values) == 2 {
			add("values of "+o.Name, "from %v to %v%s; others are refused", o.Values[0], o.Values[1], in(o))
		}
		switch {
		case o.TolerancePercent > 0:
			add("tolerance in "+o.Name, "%v %% of the best mean", o.TolerancePercent)
		case o.Goal != problem.Bounded:
			add("tolerance in "+o.Name, "%s", amount(o.Tolerance, o))
		}
		if o.Weight != nil {
			add("weight of "+o.Name, "%v", *o.Weight)
		}
		if o.Norm > 0 {
			add("norm of "+o.Name, "at most %s", o.Amount(o.Norm))
		}
	}
	for _, b := range c.Bounds {
		slack := "none"
		if b.Slack > 0 {
			slack = fmt.Sprintf("%.4g", b.Slack)
		}
		add("bound", "%s; slack: %s", b.Name, slack)
	}
	if p.Independent {
		add("noise of different objectives", "independent")
	}
	lab := p.Laboratory
	if n := lab.References(lab.Wells()); n > 0 {
		add("reference", "%s, in %d wells of each plate, for the monitors of plates and drift", lab.Reference, n)
	}
	if lab.Fill {
		add("free wells of plates", "filled with replicates of open candidates")
	}
	add("unsolicited results", "%s", map[bool]string{true: "accepted", false: "refused"}[lab.AcceptsExtras()])
	if lab.Measurements > 0 {
		add("measurements that can be afforded", "%d", lab.Measurements)
	}
	return list
}

// protocol says whether changes after the end need a second person.
func protocol(s *campaign.Status) string {
	switch {
	case s.Protocol != problem.Frozen:
		return "not frozen"
	case s.Sealed == 0:
		return "frozen; the first result seals it"
	}
	return fmt.Sprintf("frozen, sealed by event %d; changes after the end have a reason and a second person",
		s.Sealed)
}

// yes writes a choice.
func yes(x bool) string {
	if x {
		return "yes"
	}
	return "no"
}

// amount writes an amount of an objective, "none" for 0.
func amount(x float64, o *problem.Objective) string {
	if x == 0 {
		return "none"
	}
	return o.Amount(x)
}

// in writes the unit of an objective after a number.
func in(o *problem.Objective) string { return strings.TrimRight(" "+o.Unit, " ") }

// Amendments are the events by which candidates came or went, or something was undone.
func (r *Report) Amendments() (list []campaign.Event) {
	for _, e := range r.Record {
		switch e.Kind {
		case campaign.KindDrop, campaign.KindJoin, campaign.KindUndo:
			list = append(list, e)
		}
	}
	return list
}
