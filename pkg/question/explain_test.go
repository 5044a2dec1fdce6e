package question_test

import (
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// Every question compares items in its own words.
func TestExplain(t *testing.T) {
	behind := explore.Reason{Class: explore.Dominated, By: 1, Margin: .5, MarginRadius: .25,
		Constraint: -1}
	ahead := explore.Reason{Class: explore.Optimal, By: 1, Margin: .5, MarginRadius: .25,
		Constraint: -1}
	for _, c := range []struct {
		q             explore.Question
		d             int
		behind, ahead string
	}{
		{question.Pareto{}, 2,
			"arm 0: dominated by arm 1, which is better by 0.500 ± 0.250 in every objective",
			"arm 0: optimal: ahead of arm 1 by 0.500 ± 0.250 in some objective"},
		{question.Pareto{}, 1, "arm 0: behind arm 1 by 0.500 ± 0.250",
			"arm 0: optimal: ahead of arm 1 by 0.500 ± 0.250"},
		{question.FeasiblePareto{Region: polyhedron.Whole(3)}, 3,
			"arm 0: dominated by arm 1, which is better by 0.500 ± 0.250 in every objective",
			"arm 0: optimal: ahead of arm 1 by 0.500 ± 0.250 in some objective"},
		{question.Best{}, 1, "arm 0: behind arm 1 by 0.500 ± 0.250",
			"arm 0: optimal: ahead of arm 1 by 0.500 ± 0.250"},
		{question.BestFeasible{Region: polyhedron.Whole(2)}, 2,
			"arm 0: behind arm 1 by 0.500 ± 0.250 in the weighted sum",
			"arm 0: optimal: ahead of arm 1 by 0.500 ± 0.250 in the weighted sum"},
	} {
		p := &explore.Problem{Arms: 2, Objectives: c.d, Sigma: 1, Question: c.q}
		if got := behind.Explain(p, 0); got != c.behind {
			t.Errorf("%T:\ngot  %q\nwant %q", c.q, got, c.behind)
		}
		if got := ahead.Explain(p, 0); got != c.ahead {
			t.Errorf("%T:\ngot  %q\nwant %q", c.q, got, c.ahead)
		}
	}
}

// Relaxations that make no sense are found before a policy sees them.
func TestParetoValidate(t *testing.T) {
	for _, q := range []question.Pareto{{Epsilon: -1}, {Cover: -.1}, {AtMost: -1},
		{Epsilon: math.NaN()}} {
		p := &explore.Problem{Arms: 2, Objectives: 2, Sigma: 1, Question: q}
		if err := p.Validate(); err == nil ||
			!strings.Contains(err.Error(), "; want a ") {
			t.Errorf("%#v: error %v", q, err)
		}
	}
	for _, q := range []question.Pareto{{}, {Epsilon: .1, Cover: .2, AtMost: 3}} {
		p := &explore.Problem{Arms: 2, Objectives: 2, Sigma: 1, Question: q}
		if err := p.Validate(); err != nil {
			t.Errorf("%#v: %v", q, err)
		}
	}
}

// What is tolerated is said to be, and an item that is rejected as good as another is not said to
// be behind.
func TestExplainTolerances(t *testing.T) {
	p := &explore.Problem{Arms: 2, Objectives: 2, Sigma: 1, Question: question.FeasiblePareto{
		Region: quadrant(), Tolerance: []float64{1, 1}, Slack: []float64{1, 0}}}
	reason := func(class explore.Class, margin, slack float64) explore.Reason {
		return explore.Reason{Class: class, By: 1, Margin: margin, MarginRadius: .25, Constraint: 0,
			Slack: slack, SlackRadius: .25}
	}
	for _, c := range []struct {
		r    explore.Reason
		want string
	}{
		{reason(explore.Optimal, .5, -.5), "arm 0: optimal: outside efficacy >= 0 by 0.500 ± " +
			"0.250, which is tolerated; ahead of arm 1 by 0.500 ± 0.250 in some objective"},
		{reason(explore.Optimal, .125, .125), "arm 0: optimal: feasible with 0.125 ± 0.250 to spare, or outside by less " +
			"than the slack (efficacy >= 0); ahead of arm 1 by 0.125 ± 0.250 in some objective, or behind by a " +
			"difference that does not matter"},
		{reason(explore.Infeasible, .5, -.5),
			"arm 0: infeasible: outside efficacy >= 0 by 0.500 ± 0.250"},
		{reason(explore.Dominated, -.5, 1), "arm 0: ahead of arm 1 by 0.500 ± 0.250 in some " +
			"objective, which does not matter"},
		{reason(explore.Dominated, .125, 1), "arm 0: behind arm 1 by 0.125 ± 0.250 in every " +
			"objective, or ahead by a difference that does not matter"},
		{reason(explore.Dominated, .5, 1), "arm 0: dominated by arm 1, which is better by " +
			"0.500 ± 0.250 in every objective"},
	} {
		if got := c.r.Explain(p, 0); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}
