package explore_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// rules is a question with a named constraint and words of its own.
type rules struct{ anything }

func (rules) Explain(p *explore.Problem, i int, r explore.Reason) (verdict, why string) {
	return explore.Words{
		Ahead: " in some objective", Behind: " in every objective",
		Dominated: "dominated by %s, which is better by %s%s",
	}.Explain(p, i, r)
}

func (rules) ConstraintName(k int) string { return []string{"efficacy >= 0.4", "safety >= 0.4"}[k] }

func TestExplain(t *testing.T) {
	p := problem()
	p.Question = rules{}
	for _, c := range []struct {
		r    explore.Reason
		want string
	}{
		{explore.Reason{Class: explore.Dominated, By: 2, Margin: .0213, MarginRadius: .01},
			"placebo: dominated by 75 mg, which is better by 0.0213 ± 0.0100 in every objective"},
		{explore.Reason{Class: explore.Infeasible, By: -1, Constraint: 1, Slack: -.05,
			SlackRadius: .021}, "placebo: infeasible: outside safety >= 0.4 by 0.0500 ± 0.0210"},
		{explore.Reason{Class: explore.Optimal, By: 1, Margin: .2, MarginRadius: .1, Constraint: 0,
			Slack: .065, SlackRadius: .03},
			"placebo: optimal: feasible with 0.0650 ± 0.0300 to spare (efficacy >= 0.4); ahead " +
				"of 25 mg by 0.200 ± 0.100 in some objective"},
		{explore.Reason{Class: explore.Optimal, By: -1, Constraint: -1}, "placebo: optimal"},
		{explore.Reason{Class: explore.Undecided, By: 1, Margin: -.1, MarginRadius: .2,
			Constraint: 0, Slack: -.01, SlackRadius: .03},
			"placebo: undecided: outside efficacy >= 0.4 by 0.0100 ± 0.0300; behind 25 mg by " +
				"0.100 ± 0.200 in every objective"},
		{explore.Reason{By: -1, Constraint: -1}, "placebo: undecided"},
		// What is known, and estimates of methods without intervals.
		{explore.Reason{Class: explore.Infeasible, By: -1, Constraint: 1, Slack: -.05},
			"placebo: infeasible: outside safety >= 0.4 by 0.050"},
	} {
		if got := c.r.Explain(p, 0); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

// A question without words gets plain ones.
func TestExplainPlainly(t *testing.T) {
	p := problem()
	p.Question = anything{}
	for _, c := range []struct {
		r    explore.Reason
		want string
	}{
		{explore.Reason{Class: explore.Dominated, By: 2, Margin: .5, MarginRadius: .25,
			Constraint: -1}, "placebo: behind 75 mg by 0.500 ± 0.250"},
		{explore.Reason{Class: explore.Optimal, By: 2, Margin: .5, MarginRadius: .25,
			Constraint: -1}, "placebo: optimal: ahead of 75 mg by 0.500 ± 0.250"},
		{explore.Reason{Class: explore.Infeasible, By: -1, Constraint: 1, Slack: -2,
			SlackRadius: 1}, "placebo: infeasible: outside constraint 1 by 2.00 ± 1.00"},
		{explore.Reason{Class: explore.Dominated, By: -1, Constraint: -1}, "placebo: dominated"},
	} {
		if got := c.r.Explain(p, 0); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

func TestOf(t *testing.T) {
	a := explore.Answer{Reasons: []explore.Reason{{Class: explore.Optimal}, {},
		{Class: explore.Optimal}}}
	if got := a.Of(explore.Optimal); !slices.Equal(got, []int{0, 2}) {
		t.Error(got)
	}
	if fmt.Sprint(explore.Undecided, explore.Optimal, explore.Dominated,
		explore.Infeasible) != "undecided optimal dominated infeasible" {
		t.Error("names of classes")
	}
}

// The verdict and why do not depend on what items are called.
func TestWhy(t *testing.T) {
	p := &explore.Problem{Arms: 2, ArmNames: []string{"dose: 75 mg", "dose: 150 mg"}}
	r := explore.Reason{Class: explore.Optimal, By: 1, Margin: .5, MarginRadius: .1, Constraint: -1}
	verdict, why := r.Why(p, 0)
	if verdict != "optimal" || why != "ahead of dose: 150 mg by 0.500 ± 0.100" {
		t.Errorf("%q, %q", verdict, why)
	}
	if s := r.Explain(p, 0); s != "dose: 75 mg: optimal: ahead of dose: 150 mg by 0.500 ± 0.100" {
		t.Errorf("%q", s)
	}
	r = explore.Reason{Class: explore.Dominated, By: 0, Margin: .5, MarginRadius: .1,
		Constraint: -1}
	verdict, why = r.Why(p, 1)
	if verdict != "" || why != "behind dose: 75 mg by 0.500 ± 0.100" {
		t.Errorf("%q, %q", verdict, why)
	}
}
