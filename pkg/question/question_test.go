package question_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/internal/questiontest"
)

// Short names in tables.
var rows, quadrant = questiontest.Rows, questiontest.Quadrant

func items(i ...int) explore.Answer { return explore.Answer{Items: i} }

func TestParetoCorrect(t *testing.T) {
	// Front {0, 1, 2}; arm 3 is 0.1 behind arm 1 in each objective, arm 4 is 1 behind.
	mu := rows([]float64{3, 0}, []float64{2, 2}, []float64{0, 3}, []float64{1.9, 1.9},
		[]float64{1, 1})
	exact, eps := question.Pareto{}, question.Pareto{Epsilon: .2}
	cover, most := question.Pareto{Epsilon: .2, Cover: 2}, question.Pareto{Epsilon: .2, AtMost: 2}
	for _, c := range []struct {
		q    question.Pareto
		a    explore.Answer
		want bool
	}{
		{exact, items(0, 1, 2), true}, {exact, items(0, 1), false},
		{exact, items(0, 1, 2, 3), false}, {exact, items(), false},
		{exact, items(0, 1, 1, 2), false}, {exact, items(0, 1, 2, 9), false},
		{eps, items(0, 1, 2), true}, {eps, items(0, 1, 2, 3), true}, {eps, items(0, 1, 3), false},
		{eps, items(0, 1, 2, 4), false},
		// covers (3,0) and (0,3) by 1 <= 2
		{cover, items(1), true},
		// is eps-optimal and covers (2,2) by .1, (3,0) by 1.1
		{cover, items(3), true},
		{cover, items(4), false},                                   // not eps-optimal
		{cover, items(), false},                                    // covers nothing
		{question.Pareto{Epsilon: .2, Cover: .5}, items(1), false}, // covers (3,0) by 1 > .5
		{most, items(0, 3), true}, {most, items(3, 4), false}, {most, items(0), false},
		{most, items(0, 1, 2), true},
	} {
		if got := c.q.Correct(mu, c.a); got != c.want {
			t.Errorf("%+v: %v is %v; want %v", c.q, c.a.Items, got, c.want)
		}
	}
}

func TestFeasibleParetoCorrect(t *testing.T) {
	// 0, 1 front; 2 feasible and dominated; 3 infeasible and dominated; 4 infeasible only.
	mu := rows([]float64{2, 1}, []float64{1, 2}, []float64{.5, .5}, []float64{1, -1},
		[]float64{3, -1})
	q := question.FeasiblePareto{Region: quadrant()}
	const o, d, i, u = explore.Optimal, explore.Dominated, explore.Infeasible, explore.Undecided
	for _, c := range []struct {
		classes []explore.Class
		want    bool
	}{
		{[]explore.Class{o, o, d, i, i}, true}, {[]explore.Class{o, o, d, d, i}, true},
		{[]explore.Class{o, o, i, i, i}, false}, {[]explore.Class{o, o, d, i, d}, false},
		{[]explore.Class{o, o, u, i, i}, false},
		{[]explore.Class{o, o, d, u, i}, false}, {[]explore.Class{o, d, d, i, i}, false},
		{[]explore.Class{o, o, d, i}, false},
		{nil, false},
	} {
		a := items(0, 1)
		for _, class := range c.classes {
			a.Reasons = append(a.Reasons, explore.Reason{Class: class})
		}
		if got := q.Correct(mu, a); got != c.want {
			t.Errorf("%v is %v; want %v", c.classes, got, c.want)
		}
	}
	set := question.FeasiblePareto{Region: quadrant(), SetOnly: true}
	if !set.Correct(mu, items(0, 1)) || set.Correct(mu, items(0)) ||
		set.Correct(mu, items(0, 1, 2)) {
		t.Error("the set alone")
	}
	f := question.Feasible{Region: quadrant()}
	if !f.Correct(mu, items(0, 1, 2)) || f.Correct(mu, items(0, 1)) {
		t.Error("the feasible set")
	}
	tr := q.Truth(mu)
	if fmt.Sprint(tr.By, tr.D) != "[-1 -1 0 0 -1] [0 0 0.5 1 0]" {
		t.Errorf("dominators %v by %v", tr.By, tr.D)
	}
	// 1 is as good as 0 in one objective and behind in the other; 2 is the same as 0.
	tie := rows([]float64{2, 1}, []float64{2, .5}, []float64{2, 1})
	tr = q.Truth(tie)
	if fmt.Sprint(tr.Optimal, tr.SubOpt, tr.By, tr.D) !=
		"[true false true] [false true false] [-1 0 -1] [0 0 0]" {
		t.Errorf("a tie in one objective: optimal %v, dominated %v by %v with %v", tr.Optimal,
			tr.SubOpt, tr.By, tr.D)
	}
	// Of several that dominate by as much the first is named, and of others the one that does by most, feasible ones only. How far
	// the boundary is counts on both sides of it.
	tr = q.Truth(rows([]float64{1, 4}, []float64{2, 3}, []float64{3, 2}, []float64{.25, .25},
		[]float64{2, .5}, []float64{9, -1}, []float64{-3, -4}))
	if got, want := fmt.Sprint(tr.By, tr.D, tr.Eta), "[-1 -1 -1 1 2 -1 2] [0 0 0 1.75 1 0 6] [1 2 2 0.25 0.5 1 5]"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
}

func TestValidate(t *testing.T) {
	p := &explore.Problem{Arms: 2, Objectives: 3, Sigma: 1,
		Question: question.FeasiblePareto{Region: quadrant()}}
	if p.Validate() == nil {
		t.Error("a region of two objectives for a problem of three")
	}
	p.Question = question.FeasiblePareto{}
	if p.Validate() == nil {
		t.Error("no region")
	}
	p.Question = question.FeasiblePareto{Region: polyhedron.Whole(3)}
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
}

// Answers do not depend on unit and origin if the question moves along.
func TestMove(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		q, mu := questiontest.RandomQuestion(rnd)
		k, d := mu.Dims()
		shift := make([]float64, d)
		for c := range shift {
			shift[c] = rnd.NormFloat64()
		}
		to := mat.NewDense(k, d, nil)
		for i := range k {
			for c := range d {
				to.Set(i, c, 3*mu.At(i, c)+shift[c])
			}
		}
		m := q.Rescale(3, shift).(question.FeasiblePareto)
		if a, b := q.Truth(mu), m.Truth(to); !slices.Equal(a.Optimal, b.Optimal) ||
			!slices.Equal(a.Feasible, b.Feasible) {
			t.Fatalf("%v of %v, moved %v of %v", a, mat.Formatted(mu), b, mat.Formatted(to))
		}
	}
}

// In other units a question has the same settings: amounts are multiplied, regions move along, and what has no unit stays.
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
		{question.Best{Epsilon: .5}, "question.Best{Epsilon:2}"}, {question.Pareto{Epsilon: .5, Cover: .25, AtMost: 3}, "question.Pareto{Epsilon:2, Cover:1, AtMost:3}"},
		{question.AllEpsilonBest{Epsilon: .5}, "question.AllEpsilonBest{Epsilon:2, Multiplicative:false, Zero:0}"},
		{question.AllEpsilonBest{Epsilon: .5, Multiplicative: true, Zero: 2}, "question.AllEpsilonBest{Epsilon:0.5, Multiplicative:true, Zero:18}"},
		{question.Feasible{Region: whole}, "question.Feasible{R^2}"},
		{question.Feasible{Region: region}, `question.Feasible{R^2; "x[0] >= 14": [-1 -0].x <= -14; "x[1] >= -38": [-0 -1].x <= 38}`},
		{question.FeasiblePareto{Region: whole, SetOnly: true, Tolerance: []float64{1, 2}}, "question.FeasiblePareto{R^2, SetOnly:true, Tolerance:[4 8], Slack:[]}"},
		{question.FeasiblePareto{Region: whole}, "question.FeasiblePareto{R^2, SetOnly:false}"},
		{question.BestFeasible{Region: whole, Weights: []float64{1, 3}, Count: 2}, "question.BestFeasible{R^2, Weights:[1 3], Count:2}"},
	} {
		shift := []float64{10, -30}
		if _, one := c.q.(question.AllEpsilonBest); one {
			shift = shift[:1]
		}
		if got := fmt.Sprintf("%#v", c.q.Rescale(4, shift)); strings.ReplaceAll(got, "-0", "0") != strings.ReplaceAll(c.want, "-0", "0") {
			t.Errorf("%#v becomes\n%s; want\n%s", c.q, got, c.want)
		}
	}
}

// Questions are told apart when written out, whichever of their settings differs, down to the last digit of a number, and
// whatever the names of the constraints.
func TestGoString(t *testing.T) {
	at := func(b float64) *polyhedron.Polyhedron {
		r, err := polyhedron.New(mat.NewDense(1, 2, []float64{-1, 0}), []float64{-b},
			[]string{"rule"})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	others := map[reflect.Type][]any{
		reflect.TypeFor[float64](): {.25, .1, math.Nextafter(.1, 1)}, reflect.TypeFor[int](): {1, 2}, reflect.TypeFor[bool](): {true},
		reflect.TypeFor[[]float64]():              {[]float64{.1, .2}, []float64{.2, .1}, []float64{.1, math.Nextafter(.2, 1)}},
		reflect.TypeFor[*polyhedron.Polyhedron](): {at(.4), at(math.Nextafter(.4, 1)), polyhedron.Whole(3)},
	}
	seen := map[string]bool{}
	for _, q := range []explore.Question{question.Best{}, question.AllEpsilonBest{}, question.Pareto{},
		question.Feasible{Region: polyhedron.Whole(2)}, question.FeasiblePareto{Region: polyhedron.Whole(2)},
		question.BestFeasible{Region: polyhedron.Whole(2)}} {
		written := []explore.Question{q}
		for i := range reflect.TypeOf(q).NumField() {
			for _, v := range others[reflect.TypeOf(q).Field(i).Type] {
				other := reflect.New(reflect.TypeOf(q)).Elem()
				other.Set(reflect.ValueOf(q))
				other.Field(i).Set(reflect.ValueOf(v))
				written = append(written, other.Interface().(explore.Question))
			}
		}
		if len(written) <= reflect.TypeOf(q).NumField() {
			t.Errorf("%T has settings of another type", q)
		}
		for _, q := range written {
			s := fmt.Sprintf("%#v", q)
			if seen[s] || strings.Contains(s, "0x") {
				t.Errorf("%s", s)
			}
			seen[s] = true
		}
	}
}

func ExampleFeasible() {
	region, err := polyhedron.AtLeast([]float64{0.40, 0.40}, []string{"efficacy", "safety"})
	if err != nil {
		panic(err)
	}
	mu := mat.NewDense(2, 2, []float64{.465, .535, .537, .390})
	q := question.Feasible{Region: region}
	fmt.Println(q.Correct(mu, explore.Answer{Items: []int{0}}),
		q.Correct(mu, explore.Answer{Items: []int{0, 1}}))
	// Output: true false
}

func ExamplePareto() {
	mu := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0.9, -0.1})
	exact, relaxed := question.Pareto{}, question.Pareto{Epsilon: 0.2}
	a := explore.Answer{Items: []int{0, 1, 2}} // arm 2 is 0.1 short of optimal
	fmt.Println(exact.Correct(mu, a), relaxed.Correct(mu, a))
	// Output: false true
}

func ExampleFeasiblePareto() {
	region, err := polyhedron.AtLeast([]float64{0.40, 0.40}, []string{"efficacy", "safety"})
	if err != nil {
		panic(err)
	}
	q := question.FeasiblePareto{Region: region}
	// Rates of five arms of a trial. Arm 0 is infeasible and dominated by arm 3, which
	// may be the reason too.
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
