package question_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// Whether an answer is right does not depend on units and origins, whatever the tolerances: means are
// multiples of 1/4, so that nothing is rounded, and many tie or are on an edge.
func TestCorrectInOtherUnits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(28, 6))
	quarters := func(n int) float64 { return float64(rnd.IntN(n)) / 4 }
	right, wrong := map[string]int{}, map[string]int{}
	for range 300 {
		k, d := 2+rnd.IntN(3), 1+rnd.IntN(2)
		mu := mat.NewDense(k, d, nil)
		low, tolerance, slack, shift := make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
		for c := range d {
			for i := range k {
				mu.Set(i, c, quarters(8)-1)
			}
			low[c], tolerance[c], slack[c], shift[c] = quarters(5)-1, quarters(3), quarters(2), quarters(80)-10
		}
		region, err := polyhedron.AtLeast(low, nil)
		if err != nil {
			t.Fatal(err)
		}
		questions := []explore.Question{
			question.Pareto{}, question.Pareto{Epsilon: quarters(3), Cover: quarters(3)},
			question.Pareto{AtMost: 1}, question.FeasiblePareto{Region: region, SetOnly: true},
			question.FeasiblePareto{Region: region, SetOnly: true, Tolerance: tolerance, Slack: slack},
			question.FeasiblePareto{Region: region, Tolerance: tolerance, Slack: slack},
			question.Feasible{Region: region},
		}
		if d == 1 {
			questions = append(questions, question.Best{}, question.Best{Epsilon: quarters(3)},
				question.AllEpsilonBest{Epsilon: quarters(4)})
		}
		scale := []float64{.5, 2, 4}[rnd.IntN(3)]
		moved := mat.NewDense(k, d, nil)
		for i := range k {
			for c := range d {
				moved.Set(i, c, scale*mu.At(i, c)+shift[c])
			}
		}
		for n, q := range questions {
			m := q.(explore.Rescaler).Rescale(scale, shift)
			name := fmt.Sprintf("%d: %T", n, q)
			for set := range 1 << k {
				a := explore.Answer{Reasons: make([]explore.Reason, k)}
				for i := range k {
					class := []explore.Class{explore.Dominated, explore.Infeasible}[rnd.IntN(2)]
					if set>>i&1 == 1 {
						a.Items, class = append(a.Items, i), explore.Optimal
					}
					a.Reasons[i] = explore.Reason{Class: class, By: -1, Constraint: -1}
				}
				is := q.Correct(mu, a)
				if is {
					right[name]++
				} else {
					wrong[name]++
				}
				if m.Correct(moved, a) != is {
					t.Fatalf("%s: that %v is right for %v is %v; of %g times that plus %v it is not", name,
						a.Items, mat.Formatted(mu), is, scale, shift)
				}
			}
		}
	}
	for name := range wrong {
		if right[name] < 20 || wrong[name] < 20 {
			t.Errorf("%s: %d right answers, %d wrong ones", name, right[name], wrong[name])
		}
	}
}

// The right class of an item is of its own mean and those of feasible ones: what is outside is
// infeasible, also where it is dominated.
func TestClasses(t *testing.T) {
	region, err := polyhedron.AtLeast([]float64{0, 0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	mu := mat.NewDense(6, 2, []float64{1, 2, 2, 1, 1, 1, 3, -1, -1, -1, 2, 1})
	got := question.FeasiblePareto{Region: region}.Truth(mu).Classes()
	want := []explore.Class{explore.Optimal, explore.Optimal, explore.Dominated, explore.Infeasible,
		explore.Infeasible, explore.Optimal}
	if !slices.Equal(got, want) {
		t.Errorf("classes %v; want %v", got, want)
	}
}
