package question_test

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// named are the items and the numbers of a sentence.
var named = regexp.MustCompile(`\b[ABC]\b|[\d.]+`)

// What questions are called, and which items and numbers their reasons name: of each verdict, with margins and distances to a constraint on both sides
// of 0 and of their half-widths, at these limits, with and without another item or an interval, for one objective and two, some of them known.
func TestWordsStay(t *testing.T) {
	nan := math.NaN()
	prices, price := mat.NewDense(3, 2, []float64{nan, 1, nan, 2, nan, 3}), mat.NewDense(3, 1, []float64{1, 2, 3})
	line, err := polyhedron.AtLeast([]float64{.4}, []string{"yield"})
	if err != nil {
		t.Fatal(err)
	}
	plane := quadrant()
	var lines []string
	for _, c := range []struct {
		name  string
		d     int
		known *mat.Dense
		q     explore.Question
	}{
		{"Pareto set", 2, nil, question.Pareto{}}, {"Pareto set of numbers", 1, nil, question.Pareto{Epsilon: .1, Cover: .2, AtMost: 3}},
		{"feasible", 2, nil, question.Feasible{Region: plane}}, {"feasible numbers", 1, nil, question.Feasible{Region: line}},
		{"constrained", 2, nil, question.FeasiblePareto{Region: plane, SetOnly: true}},
		{"constrained with prices", 2, prices, question.FeasiblePareto{Region: plane}},
		{"constrained price", 1, price, question.FeasiblePareto{Region: line}},
		{"tolerant", 2, nil, question.FeasiblePareto{Region: plane, Tolerance: []float64{.1, 0}}},
		{"with slack", 2, nil, question.FeasiblePareto{Region: plane, Slack: []float64{.1, .2}}},
		{"tolerant with slack and prices", 2, prices,
			question.FeasiblePareto{Region: plane, Tolerance: []float64{.1, 0}, Slack: []float64{0, .2}, SetOnly: true}},
		{"tolerant number", 1, nil, question.FeasiblePareto{Region: line, Tolerance: []float64{.25}}},
		{"best", 1, nil, question.Best{Epsilon: .1}}, {"all", 1, nil, question.AllEpsilonBest{Epsilon: .123456}},
		{"all, by a share", 1, nil, question.AllEpsilonBest{Epsilon: .123456, Multiplicative: true, Zero: -1}},
		{"best feasible", 2, nil, question.BestFeasible{Region: plane}},
		{"two best feasible", 2, nil, question.BestFeasible{Region: plane, Weights: []float64{1, -.5}, Count: 2}},
		{"three best feasible", 1, nil, question.BestFeasible{Region: line, Count: 3}},
	} {
		p := &explore.Problem{Arms: 3, Objectives: c.d, Sigma: 1, Question: c.q, Known: c.known, ArmNames: []string{"A", "B", "C"}}
		title := ""
		if q, ok := c.q.(explore.Titled); ok {
			title = q.Title()
		}
		lines = append(lines, fmt.Sprintf("%s: %s: %v: %#v", c.name, title, c.q, c.q))
		_, bounded := c.q.(explore.ConstraintNamer)
		for _, class := range []explore.Class{explore.Undecided, explore.Optimal, explore.Dominated, explore.Infeasible} {
			lines = append(lines, fmt.Sprintf("%s: %v is called %s", c.name, class, explore.ClassName(c.q, class)))
			say := func(r explore.Reason) {
				r.Class = class
				lines = append(lines, fmt.Sprintf("%s: %v, %v ahead of %d, %v inside %d: %s", c.name, class, r.Margin, r.By, r.Slack,
					r.Constraint, strings.Join(named.FindAllString(r.Explain(p, 0), -1), " ")))
			}
			for _, x := range [][2]float64{{-.5, .5}, {-.125, .5}, {.125, .5}, {.25, .5}, {.5, .5}, {.5, -.5}, {.5, .125}, {.5, .25}} {
				r := explore.Reason{By: 1, Margin: x[0], MarginRadius: .25, Slack: x[1], SlackRadius: .25, Constraint: -1}
				if bounded {
					r.Constraint = 0
				}
				if !bounded && (x[1] != .5 || class == explore.Infeasible) || class == explore.Infeasible && x[1] >= 0 {
					continue // that cannot be
				}
				say(r)
				if x[0] != .5 || x[1] == .125 {
					continue
				}
				r.By = -1
				say(r)
				if !bounded {
					r.By = 0
					say(r)
				}
				r.By, r.Estimated, r.MarginRadius = 1, true, 0
				say(r)
			}
		}
	}
	golden.Digests(t, "words.txt", lines, golden.Before(":"))
}
