package complexity_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// Arms are half above or below the threshold, so that rounds are log2(4/.5) = 3; eight arms in eight
// dimensions, so that (21) asks for 2 * 8 * 4^r log(16 r (r + 1)/.05) pulls.
func TestMargins(t *testing.T) {
	x, mu := mat.NewDense(8, 8, nil), mat.NewDense(8, 1, nil)
	for i := range 8 {
		x.Set(i, i, 1)
		if i < 4 {
			mu.Set(i, 0, 1)
		}
	}
	m := complexity.NewMargins(question.AllEpsilonBest{Epsilon: .5}, mu)
	if m.Alpha != .5 || m.Beta != .5 || m.Rounds() != 3 {
		t.Errorf("%+v, %d rounds; want 1/2, 1/2 and 3", m, m.Rounds())
	}
	// An arm on the threshold, .5, is good, by nothing.
	on := complexity.NewMargins(question.AllEpsilonBest{Epsilon: .5},
		mat.NewDense(3, 1, []float64{1, .5, .25}))
	if on.Alpha != 0 || on.Beta != .25 {
		t.Errorf("%+v; want 0 and 1/4", on)
	}
	want := 16*(4*math.Log(640)+16*math.Log(1920)+64*math.Log(3840)) + 3*36
	if got := m.MostPulls(&explore.Problem{X: x, Sigma: 1}, .05); !(math.Abs(got-want) <= 1e-6) {
		t.Errorf("%v pulls; want %v", got, want)
	}
	if r := (complexity.Margins{Alpha: math.Inf(1), Beta: .3}).Rounds(); r != 4 {
		t.Errorf("%d rounds for beta = .3 alone; want 4", r)
	}
	// Arms that are further than 4 from the threshold need a round, too.
	if r := (complexity.Margins{Alpha: 5, Beta: 16}).Rounds(); r != 1 {
		t.Errorf("%d rounds for margins of 5 and 16; want 1", r)
	}
}

// The nearest arms on both sides of the threshold, 0.9.
func ExampleNewMargins() {
	mu := mat.NewDense(4, 1, []float64{1, .95, .8, .3})
	m := complexity.NewMargins(question.AllEpsilonBest{Epsilon: .1}, mu)
	fmt.Printf("%.2f above, %.2f below: %d rounds\n", m.Alpha, m.Beta, m.Rounds())
	// Output:
	// 0.05 above, 0.10 below: 7 rounds
}
