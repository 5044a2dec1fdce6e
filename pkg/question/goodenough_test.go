package question_test

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

func TestFeasibleParetoEnough(t *testing.T) {
	// The quadrant; worse by .5 and .1 does not matter, nor to miss the first constraint by .2.
	mu := rows([]float64{2, 1}, []float64{1, 2}, // the front
		[]float64{1.6, .95}, // worse than 0 by less than the tolerance
		[]float64{1.4, .95}, // worse by more in the first objective, not in the second
		[]float64{1.4, .8},  // beaten by 0
		[]float64{-.1, 3},   // outside by less than the slack
		[]float64{3, -.1})   // outside, where none is tolerated
	q := question.FeasiblePareto{Region: quadrant(), Tolerance: []float64{.5, .1},
		Slack: []float64{.2, 0}}
	const o, d, i, u = explore.Optimal, explore.Dominated, explore.Infeasible, explore.Undecided
	for _, c := range []struct {
		what    string
		items   []int
		classes []explore.Class
		want    bool
	}{
		{"exact", []int{0, 1}, []explore.Class{o, o, d, d, d, i, i}, true},
		{"with one that hardly differs", []int{0, 1, 2}, []explore.Class{o, o, o, d, d, i, i},
			true},
		{"by one that hardly differs", []int{1, 2}, []explore.Class{d, o, o, d, d, i, i}, true},
		{"one that is better by enough in one objective only", []int{0, 1, 3},
			[]explore.Class{o, o, d, o, d, i, i}, true},
		{"which does not stand for all", []int{1, 3}, []explore.Class{d, o, d, o, d, i, i}, false},
		{"one that is beaten", []int{0, 1, 4}, []explore.Class{o, o, d, d, o, i, i}, false},
		{"one that is tolerated", []int{0, 1, 5}, []explore.Class{o, o, d, d, d, o, i}, true},
		{"one that is not", []int{0, 1, 6}, []explore.Class{o, o, d, d, d, i, o}, false},
		// What is tolerated may stand for others: 1 is worse than 5 by more, 5 is not than 1.
		{"stood for by one that does not", []int{0, 5}, []explore.Class{o, d, d, d, d, o, i},
			false},
		{"none", nil, []explore.Class{d, d, d, d, d, i, i}, false},
		{"left out without a reason", []int{0, 1}, []explore.Class{o, o, u, d, d, i, i}, false},
		{"infeasible, though inside", []int{0, 1}, []explore.Class{o, o, i, d, d, i, i}, false},
		{"an item twice", []int{0, 0, 1}, []explore.Class{o, o, d, d, d, i, i}, false},
	} {
		a := explore.Answer{Items: c.items}
		for _, class := range c.classes {
			a.Reasons = append(a.Reasons, explore.Reason{Class: class})
		}
		if got := q.Correct(mu, a); got != c.want {
			t.Errorf("%s: %v; want %v", c.what, got, c.want)
		}
		if a.Of(explore.Undecided) != nil || c.what == "infeasible, though inside" {
			continue
		}
		set := q
		set.SetOnly = true
		a.Reasons = nil
		if got := set.Correct(mu, a); got != c.want {
			t.Errorf("%s, the set alone: %v; want %v", c.what, got, c.want)
		}
	}
	if !q.Correct(mu, explore.Answer{Items: []int{0, 1}, Reasons: []explore.Reason{{Class: o},
		{Class: o}, {Class: d}, {Class: d}, {Class: d}, {Class: i}, {Class: i}}}) {
		t.Error("the exact answer")
	}
	if text := q.String(); !strings.Contains(text, "worse by [0.5 0.1] does not matter") ||
		!strings.Contains(text, "missed by [0.2 0] is tolerated") {
		t.Errorf("%v", text)
	}
	exact := question.FeasiblePareto{Region: quadrant(), Tolerance: []float64{0, 0}}
	plain := question.FeasiblePareto{Region: quadrant()}
	if exact.Tolerant() || exact.String() != plain.String() ||
		exact.GoString() != plain.GoString() || q.GoString() == plain.GoString() {
		t.Error("tolerances of zero")
	}
}

// An item that is infeasible beats nobody.
func TestEnoughInfeasibleBeatsNobody(t *testing.T) {
	box, err := polyhedron.Box([]float64{0, 0}, []float64{1, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := question.FeasiblePareto{Region: box, Tolerance: []float64{.1, .1}}
	a := explore.Answer{Items: []int{0}, Reasons: []explore.Reason{{Class: explore.Optimal},
		{Class: explore.Infeasible}}}
	if !q.Correct(rows([]float64{.5, .5}, []float64{2, 2}), a) {
		t.Error("the only feasible item is not in the answer")
	}
}

// With a slack alone two items that are equal do not beat each other.
func TestEqualItemsWithSlack(t *testing.T) {
	region, err := polyhedron.AtLeast([]float64{0, 0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := question.FeasiblePareto{Region: region, Slack: []float64{.1, .1}}
	mu := mat.NewDense(3, 2, []float64{1, 2, 1, 2, .5, .5})
	both := explore.Answer{Items: []int{0, 1}, Reasons: []explore.Reason{{Class: explore.Optimal}, {Class: explore.Optimal},
		{Class: explore.Dominated, By: 0}}}
	if !q.Correct(mu, both) {
		t.Error("both of two equal items are in the answer, and that is called wrong")
	}
}
