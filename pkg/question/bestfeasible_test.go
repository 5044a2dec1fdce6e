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
	"github.com/purexp/purexp/pkg/question/internal/questiontest"
)

func TestBestFeasibleCorrect(t *testing.T) {
	// In the quadrant, by the sum: arm 1 (4), arms 0 and 4 (3), arm 2 is best of
	// all and infeasible, arm 3 too.
	mu := rows([]float64{1, 2}, []float64{3, 1}, []float64{9, -1}, []float64{-1, 0},
		[]float64{2, 1})
	first := []float64{1, 0}
	for _, c := range []struct {
		weights []float64
		count   int
		items   []int
		want    bool
	}{
		{nil, 0, []int{1}, true}, {nil, 1, []int{1}, true}, {nil, 0, []int{2}, false},
		{nil, 0, []int{0}, false},
		{nil, 0, nil, false}, {nil, 0, []int{0, 1}, false}, {nil, 0, []int{7}, false},
		{nil, 0, []int{-1}, false},
		{nil, 2, []int{0, 1}, true}, {nil, 2, []int{1, 4}, true}, {nil, 2, []int{0, 4}, false},
		{nil, 2, []int{1, 1}, false},
		{nil, 3, []int{0, 1, 4}, true}, {nil, 9, []int{0, 1, 4}, true},
		{nil, 9, []int{0, 1, 2, 4}, false},
		{first, 0, []int{1}, true}, {first, 2, []int{1, 4}, true}, {first, 2, []int{0, 1}, false},
		{[]float64{0, 1}, 0, []int{0}, true}, {[]float64{-1, 0}, 0, []int{0}, true},
		{[]float64{1, 3}, 0, []int{0}, true},
	} {
		q := question.BestFeasible{Region: quadrant(), Weights: c.weights, Count: c.count}
		if got := q.Correct(mu, items(c.items...)); got != c.want {
			t.Errorf("weights %v, count %d, items %v: %v", c.weights, c.count, c.items, got)
		}
		if !q.Correct(mu, items(q.Right(mu)...)) {
			t.Errorf("weights %v, count %d: Right returns %v", c.weights, c.count, q.Right(mu))
		}
	}
	// Of tied items the lowest are returned, in their order.
	ties := rows([]float64{0, 1}, []float64{1, 2}, []float64{9, -1}, []float64{2, 1}, []float64{3, 0}, []float64{4, 0})
	for count, want := range map[int]string{0: "[5]", 1: "[5]", 2: "[1 5]", 3: "[1 3 5]", 4: "[1 3 4 5]", 5: "[0 1 3 4 5]", 6: "[0 1 3 4 5]"} {
		if got := fmt.Sprint(question.BestFeasible{Region: quadrant(), Count: count}.Right(ties)); got != want {
			t.Errorf("%d of items with ties: %v; want %v", count, got, want)
		}
	}
	nobody, q := rows([]float64{-1, 1}), question.BestFeasible{Region: quadrant()}
	if !q.Correct(nobody, explore.Answer{}) || q.Correct(nobody, items(0)) ||
		len(q.Right(nobody)) != 0 {
		t.Error("if no item is feasible, the answer is empty")
	}
}

func TestBestFeasibleValidate(t *testing.T) {
	p := &explore.Problem{Arms: 2, Objectives: 2, Sigma: 1}
	for _, c := range []struct {
		q    question.BestFeasible
		want string // part of the error
	}{
		{question.BestFeasible{Region: quadrant()}, ""},
		{question.BestFeasible{Region: quadrant(), Weights: []float64{1, 0}, Count: 5}, ""},
		{question.BestFeasible{}, "nil"},
		{question.BestFeasible{Region: polyhedron.Whole(3)}, "3"},
		{question.BestFeasible{Region: quadrant(), Count: -1}, "-1"},
		{question.BestFeasible{Region: quadrant(), Weights: []float64{1}}, "1 weights for 2"},
		{question.BestFeasible{Region: quadrant(), Weights: []float64{1, math.NaN()}},
			"objective 1"},
		{question.BestFeasible{Region: quadrant(), Weights: []float64{1, math.Inf(-1)}}, "Inf"},
		{question.BestFeasible{Region: quadrant(), Weights: []float64{math.Inf(1), 1}},
			"objective 0"},
		{question.BestFeasible{Region: quadrant(), Weights: []float64{0, 0}}, "all 0"},
		{question.BestFeasible{Region: quadrant(), Weights: []float64{1, -1}}, ""},
	} {
		p.Question = c.q
		err := p.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%#v: %v; want %q", c.q.Weights, err, c.want)
		}
	}
}

// The right answer does not depend on the origin and the unit of the objectives.
func TestBestFeasibleMove(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	nonempty := 0
	for range 200 {
		f, mu := questiontest.RandomQuestion(rnd)
		k, d := mu.Dims()
		q := question.BestFeasible{Region: f.Region, Weights: make([]float64, d),
			Count: rnd.IntN(3)}
		shift := make([]float64, d)
		for c := range shift {
			shift[c], q.Weights[c] = rnd.NormFloat64(), rnd.NormFloat64()
		}
		to := mat.NewDense(k, d, nil)
		for i := range k {
			for c := range d {
				to.Set(i, c, 3*mu.At(i, c)+shift[c])
			}
		}
		a, b := q.Right(mu), q.Rescale(3, shift).(question.BestFeasible).Right(to)
		if !slices.Equal(a, b) {
			t.Fatalf("%v of %v, moved %v", a, mat.Formatted(mu), b)
		}
		if len(a) > 0 {
			nonempty++
		}
	}
	if nonempty < 50 {
		t.Errorf("only %d of 200 have an answer: the test cannot see much", nonempty)
	}
}

func TestBestFeasibleNames(t *testing.T) {
	seen := map[string]bool{}
	for _, q := range []question.BestFeasible{
		{Region: quadrant()}, {Region: quadrant(), Count: 2},
		{Region: quadrant(), Weights: []float64{1, 1}},
		{Region: quadrant(), Weights: []float64{1, math.Nextafter(1, 2)}},
		{Region: polyhedron.Whole(2)},
	} {
		for _, s := range []string{fmt.Sprintf("%#v", q), q.String()} {
			if seen[s] || strings.Contains(s, "0x") {
				t.Errorf("%s", s)
			}
			seen[s] = true
		}
	}
}

func ExampleBestFeasible() {
	region, err := polyhedron.AtLeast([]float64{math.Inf(-1), 0.40}, []string{"efficacy", "safety"})
	if err != nil {
		panic(err)
	}
	// the most effective dose that is safe
	q := question.BestFeasible{Region: region, Weights: []float64{1, 0}}
	mu := mat.NewDense(3, 2, []float64{.360, .420, .465, .535, .537, .390})
	fmt.Println(q)
	fmt.Println(q.Right(mu), q.Correct(mu, explore.Answer{Items: []int{2}}))
	// Output:
	// best feasible item by weights [1 0] in {x in R^2 : safety >= 0.4}
	// [1] false
}

// In words, amounts are those of the weighted sum.
func ExampleBestFeasible_explain() {
	region, err := polyhedron.AtLeast([]float64{math.Inf(-1), 0.40}, []string{"efficacy", "safety"})
	if err != nil {
		panic(err)
	}
	q := question.BestFeasible{Region: region, Weights: []float64{1, 0}}
	p := &explore.Problem{Arms: 3, Objectives: 2, Sigma: .5, Question: q,
		ArmNames: []string{"25 mg", "75 mg", "150 mg"}}
	a := explore.Answer{Items: []int{1}, Reasons: []explore.Reason{
		{Class: explore.Dominated, By: 1, Margin: .105, MarginRadius: .1, Slack: .02,
			SlackRadius: .09},
		{Class: explore.Optimal, By: 0, Margin: .105, MarginRadius: .1, Slack: .135,
			SlackRadius: .09},
		{Class: explore.Infeasible, By: -1, Slack: -.2, SlackRadius: .09},
	}}
	for _, s := range a.Explain(p) {
		fmt.Println(s)
	}
	// Output:
	// 25 mg: behind 75 mg by 0.105 ± 0.100 in the weighted sum
	// 75 mg: optimal: feasible with 0.1350 ± 0.0900 to spare (safety >= 0.4); ahead of 25 mg by 0.105 ± 0.100 in the weighted sum
	// 150 mg: infeasible: outside safety >= 0.4 by 0.2000 ± 0.0900
}

// An answer with tolerances says of each item that it returns that it is optimal, and of none that nothing is known.
func TestReasonsOfGoodEnoughAnswers(t *testing.T) {
	q := question.FeasiblePareto{Region: polyhedron.Whole(2), Tolerance: []float64{.1, .1}}
	mu := mat.NewDense(3, 2, []float64{1, 0, 0, 1, .5, .2})
	for class, want := range map[explore.Class]bool{explore.Optimal: true, explore.Dominated: false, explore.Infeasible: false, explore.Undecided: false} {
		a := explore.Answer{Items: []int{0, 1, 2}, Reasons: []explore.Reason{{Class: explore.Optimal}, {Class: class}, {Class: explore.Optimal}}}
		if got := q.Correct(mu, a); got != want {
			t.Errorf("an item that is returned is %v: right %v; want %v", class, got, want)
		}
	}
	a := explore.Answer{Items: []int{0, 1, 2}}
	if q.SetOnly = true; !q.Correct(mu, a) {
		t.Error("the set alone is wrong")
	}
}
