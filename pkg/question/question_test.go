package question_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// rows returns the matrix with the rows m.
func rows(m ...[]float64) *mat.Dense {
	d := mat.NewDense(len(m), len(m[0]), nil)
	for i, r := range m {
		d.SetRow(i, r)
	}
	return d
}

func items(i ...int) explore.Answer { return explore.Answer{Items: i} }

func ExampleFeasible() {
	region, err := polyhedron.AtLeast([]float64{0.40, 0.40}, []string{"efficacy", "safety"})
	if err != nil {
		panic(err)
	}
	mu := mat.NewDense(2, 2, []float64{.465, .535, .537, .390})
	q := question.Feasible{Region: region}
	fmt.Println(q.Correct(mu, explore.Answer{Items: []int{0}}), q.Correct(mu, explore.Answer{Items: []int{0, 1}}))
	// Output: true false
}

func ExamplePareto() {
	mu := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0.9, -0.1})
	exact, relaxed := question.Pareto{}, question.Pareto{Epsilon: 0.2}
	a := explore.Answer{Items: []int{0, 1, 2}} // arm 2 is 0.1 below optimal
	fmt.Println(exact.Correct(mu, a), relaxed.Correct(mu, a))
	// Output: false true
}

func ExampleFeasiblePareto() {
	region, err := polyhedron.AtLeast([]float64{0.40, 0.40}, []string{"efficacy", "safety"})
	if err != nil {
		panic(err)
	}
	q := question.FeasiblePareto{Region: region}
	// The means are rates of five arms of a trial. Arm 0 is infeasible and dominated by arm 3; either is a correct
	// reason to reject it.
	mu := mat.NewDense(5, 2, []float64{.360, .420, .340, .481, .469, .388, .465, .535, .537, .390})
	t := q.Truth(mu)
	fmt.Println("optimal:", t.Optimal)
	a := explore.Answer{Items: []int{3}, Reasons: make([]explore.Reason, 5)}
	for i := range a.Reasons {
		a.Reasons[i].Class = explore.Infeasible
	}
	a.Reasons[3].Class = explore.Optimal
	fmt.Println(q.Correct(mu, a))
	a.Reasons[0].Class = explore.Dominated
	fmt.Println(q.Correct(mu, a))
	a.Reasons[4].Class = explore.Dominated
	fmt.Println(q.Correct(mu, a))
	// Output:
	// optimal: [false false false true false]
	// true
	// true
	// false
}

func ExampleBestFeasible() {
	region, err := polyhedron.AtLeast([]float64{math.Inf(-1), 0.40}, []string{"efficacy", "safety"})
	if err != nil {
		panic(err)
	}
	// The question is which safe dose is most effective.
	q := question.BestFeasible{Region: region, Weights: []float64{1, 0}}
	mu := mat.NewDense(3, 2, []float64{.360, .420, .465, .535, .537, .390})
	fmt.Println(q)
	fmt.Println(q.Right(mu), q.Correct(mu, explore.Answer{Items: []int{2}}))
	// Output:
	// best feasible item with weights [1 0] in {x in R^2 : safety >= 0.4}
	// [1] false
}

// An infeasible item beats no item.
func TestEnoughInfeasibleBeatsNobody(t *testing.T) {
	box, err := polyhedron.Box([]float64{0, 0}, []float64{1, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := question.FeasiblePareto{Region: box, Tolerance: []float64{.1, .1}}
	a := explore.Answer{Items: []int{0}, Reasons: []explore.Reason{{Class: explore.Optimal}, {Class: explore.Infeasible}}}
	if !q.Correct(rows([]float64{.5, .5}, []float64{2, 2}), a) {
		t.Error("the only feasible item is not in the answer")
	}
}

// With a slack but no tolerance, equal items do not beat each other.
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
		t.Error("an answer with both of two equal items is called wrong")
	}
}

// The right class of an item depends on its own mean and on the means of feasible items. Infeasible
// items are Infeasible, even if a feasible item dominates them.
func TestClasses(t *testing.T) {
	region, err := polyhedron.AtLeast([]float64{0, 0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	truth := question.FeasiblePareto{Region: region}.Truth(rows([]float64{3, 3}, []float64{2, 4}, []float64{1, 1}, []float64{3, -1}, []float64{-1, -1}, []float64{3, 3}, []float64{9, -2}))
	got := fmt.Sprint(truth.Classes(), truth.By, truth.D, truth.SubOpt)
	if want := "[optimal optimal dominated infeasible infeasible optimal infeasible] [-1 -1 0 0 0 -1 -1] [0 0 2 0 4 0 0] [false false true true true false false]"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
}

// An answer within tolerances needs a reason for each item, unless the question is about the set
// only.
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

// TestReasonsInWords checks the text of each kind of reason, with its item, amount and side of the threshold.
func TestReasonsInWords(t *testing.T) {
	region, err := polyhedron.AtLeast([]float64{0}, []string{"yield"})
	if err != nil {
		t.Fatal(err)
	}
	good := question.AllEpsilonBest{Epsilon: .5}
	tolerant := question.FeasiblePareto{Region: region, Tolerance: []float64{.1}, Slack: []float64{.1}}
	in, out, open := explore.Optimal, explore.Dominated, explore.Undecided
	for _, c := range []struct {
		q    explore.Explainer
		r    explore.Reason
		want string
	}{
		{good, explore.Reason{Class: in, By: 1}, "kept: none is better"}, {good, explore.Reason{Class: in, By: -1}, "kept: "},
		{good, explore.Reason{Class: out, By: -1}, "rejected: not within 0.5 of the best"}, {good, explore.Reason{By: -1}, "undecided: "},
		{good, explore.Reason{Class: in, Margin: .25, MarginRadius: .125}, "kept: within 0.5 of a with 0.250 ± 0.125 to spare"},
		{good, explore.Reason{Class: in, Margin: .25, Estimated: true}, "kept: within 0.5 of a with an estimated 0.25 to spare"},
		{good, explore.Reason{Class: out, Margin: 2, MarginRadius: 1}, "rejected: not within 0.5 of a: outside by 2.00 ± 1.00"},
		{good, explore.Reason{Class: open, Margin: -2, MarginRadius: 3}, "undecided: 2.00 ± 3.00 too low to be within 0.5 of a"},
		{good, explore.Reason{Class: open, Margin: 2, MarginRadius: 3}, "undecided: within 0.5 of a with 2.00 ± 3.00 to spare"},
		{tolerant, explore.Reason{Class: out, Margin: -.05, MarginRadius: .125}, ": ahead of a by 0.050 ± 0.125, within the tolerance"},
		{tolerant, explore.Reason{Class: out, Margin: .05, MarginRadius: .125}, ": behind a by 0.050 ± 0.125, or ahead by a difference that does not matter"},
		{question.BestFeasible{Region: region}, explore.Reason{Class: out, Margin: 2, MarginRadius: 1}, ": behind a by 2.00 ± 1.00 in the weighted sum"},
	} {
		p := &explore.Problem{Arms: 2, Sigma: 1, ArmNames: []string{"a", "b"}}
		if verdict, why := c.q.Explain(p, 1, c.r); verdict+": "+why != c.want {
			t.Errorf("%+v: %s: %s; want %s", c.r, verdict, why, c.want)
		}
	}
}

func column(mu ...float64) *mat.Dense { return mat.NewDense(len(mu), 1, mu) }

func TestAllEpsilonBestScore(t *testing.T) {
	q, mu := question.AllEpsilonBest{Epsilon: .5}, column(1, .9, .8, .1, 0)
	for _, c := range []struct {
		items []int
		want  question.Score
	}{
		{[]int{0, 1, 2}, question.Score{1, 1, 1}},
		{nil, question.Score{}},
		{[]int{3, 4}, question.Score{}},
		{[]int{0}, question.Score{1, 1. / 3, .5}},
		{[]int{0, 1, 3, 4}, question.Score{.5, 2. / 3, 4. / 7}}, // precision 2 of 4, recall 2 of 3
		{[]int{0, 1, 2, 3, 4}, question.Score{.6, 1, .75}},
		{[]int{0, 0}, question.Score{.5, 1. / 3, .4}}, // a repeated item is not a hit
	} {
		got := q.Score(mu, items(c.items...))
		if math.Abs(got.Precision-c.want.Precision)+math.Abs(got.Recall-c.want.Recall)+
			math.Abs(got.F1-c.want.F1) > 1e-15 {
			t.Errorf("%v: %v; want %v", c.items, got, c.want)
		}
	}
}

// With tolerance 0, items are on the threshold if they tie for the best.
func TestOnThreshold(t *testing.T) {
	alone, tied := question.AllEpsilonBest{}.OnThreshold(column(1, 0)), question.AllEpsilonBest{}.OnThreshold(column(0, 1, 1))
	if alone != nil || !slices.Equal(tied, []int{1, 2}) {
		t.Errorf("on the threshold: %v and %v; want none, and the two that tie", alone, tied)
	}
}

// A score is 1 if and only if the answer is right.
func TestAllEpsilonBestScoreOfRight(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		q := question.AllEpsilonBest{Epsilon: rnd.Float64(), Multiplicative: rnd.IntN(2) == 0}
		mu := column(rnd.Float64(), rnd.Float64(), rnd.Float64(), rnd.Float64())
		var a explore.Answer
		for i := range 4 {
			if rnd.IntN(2) == 0 {
				a.Items = append(a.Items, i)
			}
		}
		if got, want := q.Score(mu, a).F1 == 1, q.Correct(mu, a); got != want {
			t.Fatalf("%v of %v: %v scores 1: %v, is right: %v", q, mu, a.Items, got, want)
		}
	}
}

func ExampleAllEpsilonBest() {
	q := question.AllEpsilonBest{Epsilon: .5}
	mu := mat.NewDense(4, 1, []float64{2.1, 1.8, 1.7, .4})
	fmt.Println("right:", q.Right(mu))
	s := q.Score(mu, explore.Answer{Items: []int{0, 1, 3}})
	fmt.Printf("precision %.2f, recall %.2f, F1 %.2f\n", s.Precision, s.Recall, s.F1)
	// Output:
	// right: [0 1 2]
	// precision 0.67, recall 0.67, F1 0.67
}
