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
