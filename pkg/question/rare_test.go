package question_test

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// An answer within tolerances has a reason for each item, unless the question is about the set only.
func TestTolerantAnswersHaveReasons(t *testing.T) {
	region, err := polyhedron.AtLeast([]float64{0}, []string{"yield"})
	if err != nil {
		t.Fatal(err)
	}
	q := question.FeasiblePareto{Region: region, Tolerance: []float64{.1}}
	mu := mat.NewDense(2, 1, []float64{1, .5})
	reasons := []explore.Reason{{Class: explore.Optimal, By: -1}, {Class: explore.Dominated}}
	for _, c := range []struct {
		setOnly bool
		reasons []explore.Reason
		right   bool
	}{
		{false, reasons, true}, {false, reasons[:1], false}, {false, nil, false},
		{false, append(reasons[:2:2], reasons[0]), false},
		{false, []explore.Reason{{Class: explore.Optimal}, {}}, false}, {true, nil, true},
	} {
		q.SetOnly = c.setOnly
		if got := q.Correct(mu, explore.Answer{Items: []int{0}, Reasons: c.reasons}); got != c.right {
			t.Errorf("set only %v, reasons %v: %v", c.setOnly, c.reasons, got)
		}
	}
	q.SetOnly = true
	if s := q.String(); !strings.Contains(s, ", without reasons") {
		t.Errorf("%q", s)
	}
	p := &explore.Problem{Arms: 2, Sigma: 1, Question: question.Feasible{Region: region}}
	if name := (question.Feasible{Region: region}).ConstraintName(0); !strings.Contains(name, "yield") {
		t.Errorf("constraint %q", name)
	}
	r := explore.Reason{Class: explore.Infeasible, By: -1, Slack: -.5}
	if _, why := r.Why(p, 1); !strings.Contains(why, "yield") {
		t.Errorf("%q does not say which constraint", why)
	}
}
