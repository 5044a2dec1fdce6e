package question_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// Rescale converts a question to other units: amounts are multiplied, regions are transformed, and settings
// without a unit do not change.
func TestRescale(t *testing.T) {
	region, err := polyhedron.AtLeast([]float64{1, -2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole := polyhedron.Whole(2)
	for _, c := range []struct {
		q    explore.Rescaler
		want string
	}{
		{question.Best{Epsilon: .5}, "question.Best{Epsilon:2}"}, {question.Pareto{Epsilon: .5, Cover: .25,
			AtMost: 3}, "question.Pareto{Epsilon:2, Cover:1, AtMost:3}"},
		{question.AllEpsilonBest{Epsilon: .5}, "question.AllEpsilonBest{Epsilon:2, Multiplicative:false, Zero:0}"},
		{question.AllEpsilonBest{Epsilon: .5, Multiplicative: true, Zero: 2},
			"question.AllEpsilonBest{Epsilon:0.5, Multiplicative:true, Zero:18}"},
		{question.Feasible{Region: whole}, "question.Feasible{R^2}"},
		{question.Feasible{Region: region},
			`question.Feasible{R^2; "x[0] >= 14": [-1 -0].x <= -14; "x[1] >= -38": [-0 -1].x <= 38}`},
		{question.FeasiblePareto{Region: whole, SetOnly: true, Tolerance: []float64{1, 2}},
			"question.FeasiblePareto{R^2, SetOnly:true, Tolerance:[4 8], Slack:[]}"},
		{question.FeasiblePareto{Region: whole}, "question.FeasiblePareto{R^2, SetOnly:false}"},
		{question.BestFeasible{Region: whole, Weights: []float64{1, 3}, Count: 2},
			"question.BestFeasible{R^2, Weights:[1 3], Count:2}"},
	} {
		shift := []float64{10, -30}
		if _, one := c.q.(question.AllEpsilonBest); one {
			shift = shift[:1]
		}
		if got := fmt.Sprintf("%#v", c.q.Rescale(4, shift)); strings.ReplaceAll(got, "-0",
			"0") != strings.ReplaceAll(c.want, "-0", "0") {
			t.Errorf("%#v becomes\n%s; want\n%s", c.q, got, c.want)
		}
	}
}

// Invalid settings, and settings that do not fit the problem, give errors that name the settings.
// Settings at the limits are accepted.
func TestValidate(t *testing.T) {
	plane, inf, nan := polyhedron.Whole(2), math.Inf(1), math.NaN()
	half, err := polyhedron.New(mat.NewDense(1, 2, []float64{1, 1}), []float64{1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ takes, refuses []explore.Validator }{
		"Epsilon": {[]explore.Validator{question.Pareto{}, question.Pareto{Epsilon: 1e300}},
			[]explore.Validator{question.Pareto{Epsilon: -1e-9}, question.Pareto{Epsilon: inf}, question.Pareto{Epsilon: nan}}},
		"Cover": {[]explore.Validator{question.Pareto{Cover: 1}}, []explore.Validator{question.Pareto{Cover: -1},
			question.Pareto{Cover: nan}}},
		"AtMost": {[]explore.Validator{question.Pareto{AtMost: 1}}, []explore.Validator{question.Pareto{AtMost: -1}}},
		"objective": {nil, []explore.Validator{question.Best{}, question.AllEpsilonBest{},
			question.Feasible{Region: polyhedron.Whole(3)}, question.BestFeasible{Region: plane, Weights: []float64{1}}}},
		"nil": {nil, []explore.Validator{question.Feasible{}, question.FeasiblePareto{}, question.BestFeasible{}}},
		"Tolerance": {[]explore.Validator{question.FeasiblePareto{Region: plane, Tolerance: []float64{0, explore.Largest}}},
			[]explore.Validator{question.FeasiblePareto{Region: plane, Tolerance: []float64{1}},
				question.FeasiblePareto{Region: plane, Tolerance: []float64{0, -1}}, question.FeasiblePareto{Region: plane,
					Tolerance: []float64{0, nan}}}},
		"Slack": {[]explore.Validator{question.FeasiblePareto{Region: half, Slack: []float64{1}}},
			[]explore.Validator{question.FeasiblePareto{Region: half, Slack: []float64{1, 1}},
				question.FeasiblePareto{Region: half, Slack: []float64{inf}}}},
		"Weights": {[]explore.Validator{question.BestFeasible{Region: plane, Weights: []float64{0, -1}}},
			[]explore.Validator{question.BestFeasible{Region: plane, Weights: []float64{0, 0}},
				question.BestFeasible{Region: plane, Weights: []float64{1, inf}}}},
		"Count": {[]explore.Validator{question.BestFeasible{Region: plane, Count: 1}},
			[]explore.Validator{question.BestFeasible{Region: plane, Count: -1}}},
	} {
		p := &explore.Problem{Arms: 3, Objectives: 2, Sigma: 1}
		for _, q := range c.takes {
			if err := q.Validate(p); err != nil {
				t.Errorf("%#v: %v", q, err)
			}
		}
		for _, q := range c.refuses {
			if err := q.Validate(p); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%T, wrong in %s: %v", q, name, err)
			}
		}
	}
	one := &explore.Problem{Arms: 3, Sigma: 1}
	for _, e := range []float64{-1, inf, nan} {
		if (question.Best{Epsilon: e}).Validate(one) == nil || (question.AllEpsilonBest{Epsilon: e}).Validate(one) == nil {
			t.Errorf("Epsilon %v is accepted", e)
		}
	}
	if err := errors.Join(question.Best{}.Validate(one), question.AllEpsilonBest{Epsilon: 1}.Validate(one)); err != nil {
		t.Error(err)
	}
}
