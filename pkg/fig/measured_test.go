package fig

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// told returns a problem with three arms, of which two were measured: four times and once.
func told() (*explore.Problem, *explore.Result) {
	p := &explore.Problem{Arms: 3, Objectives: 2, Sigma: 1, NormSigma: 1, Question: question.Pareto{},
		ArmNames: []string{"A", "B", "C"}}
	s := &explore.Sums{N: []int{4, 1}, Total: [][]float64{{4, 8}, {3, 1}}, Pulls: 5}
	return p, &explore.Result{Pulls: 5, Sums: s, Answer: explore.Answer{Items: []int{1},
		Reasons: []explore.Reason{{Class: explore.Dominated}, {Class: explore.Optimal}, {}}}}
}

// The result of a run is drawn without an instance.
func ExampleMeasured() {
	p, r := told()
	e, err := Measured(p, r, radius.Theory{}, 0.05)
	f, err2 := e.Plane(nil)
	fmt.Println(e.Items, e.Means.RawRowView(0), err, err2)
	fmt.Println(f.Title)
	// Output:
	// [A B] [1 2] <nil> <nil>
	// Measured, running after 5 pulls; arms without measurements: 1
}

func TestMeasured(t *testing.T) {
	p, r := told()
	e := must(Measured(p, r, radius.Theory{}, .05))
	bonus := radius.Theory{}.Bind(radius.Params{Arms: 3, Objectives: 2, Sigma: 1, NormSigma: 1, Delta: .05})
	factor, _ := bonus.Factors(5)
	half := func(e *Estimates, i, c int) float64 { return (e.High.At(i, c) - e.Low.At(i, c)) / 2 }
	if got, want := half(e, 1, 0), factor*bonus.Mean(1); math.Abs(got-want) > 1e-12 || !(got > half(e, 0, 0)) {
		t.Errorf("half-width %v; want %v", got, want)
	}
	p.Sigmas = []float64{1, .1}
	if own := must(Measured(p, r, radius.Theory{}, .05)); math.Abs(half(own, 1, 1)/half(own, 1, 0)-.1) > 1e-9 {
		t.Errorf("half-widths %v and %v of noise 1 and 0.1", half(own, 1, 0), half(own, 1, 1))
	}
	// If the answer must be feasible, the figure shows the feasible region.
	region := must(polyhedron.AtLeast([]float64{0, 1}, nil))
	for _, q := range []explore.Question{question.FeasiblePareto{Region: region}, question.Feasible{Region: region},
		question.BestFeasible{Region: region, Count: 1}} {
		p.Question = q
		if got := must(Measured(p, r, nil, 0)); got.Region != region {
			t.Errorf("%T: the region is %v", q, got.Region)
		}
	}
	if p.Question = (question.Pareto{}); must(Measured(p, r, nil, 0)).Region != nil {
		t.Error("a region that nobody asked about")
	}
	if e.Classes[0] != explore.Dominated || e.Classes[1] != explore.Optimal {
		t.Errorf("verdicts %v", e.Classes)
	}
	q, gap := told()
	gap.Sums.N, gap.Sums.Total = []int{4, 0, 1}, [][]float64{{4, 8}, {0, 0}, {3, 1}}
	gap.Answer.Reasons[2].Class = explore.Undecided
	if e := must(Measured(q, gap, nil, 0)); e.Classes[1] != explore.Undecided || e.Items[1] != "C" || e.Means.At(1, 0) != 3 {
		t.Errorf("B was not measured: %v %v %v", e.Items, e.Classes, e.Means)
	}
	if e := must(Measured(p, r, nil, 0)); e.Low != nil || e.High != nil {
		t.Error("intervals that nobody asked for")
	}
	for want, f := range map[string]func() error{
		"no measurements": func() error { r.Sums = &explore.Sums{}; _, err := Measured(p, r, nil, 0); return err },
		"delta is 0":      func() error { _, err := Measured(p, r, radius.Theory{}, 0); return err },
		"have 4 arms": func() error {
			r.Sums = &explore.Sums{N: make([]int, 4)}
			_, err := Measured(p, r, nil, 0)
			return err
		},
		"set Sums": func() error { r.Sums = nil; _, err := Measured(p, r, nil, 0); return err },
	} {
		p, r = told()
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}
