package linear_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
)

// An item stays if no other item is better by more than the half-width. The same items stay if the norm of the
// estimate makes comparisons unnecessary. Widths are below, at and above this norm.
func TestPhasesEliminateByAllPairs(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	const n, h = 30, 3
	all, some := 0, 0
	for range 50 {
		x := mat.NewDense(n, h, nil)
		for i := range n {
			for j := range h {
				x.Set(i, j, rnd.NormFloat64())
			}
		}
		p := &explore.Problem{X: x, Sigma: 1, Question: question.Best{}}
		var obs []explore.Batch
		for i := range 6 {
			pull := explore.Pull{Arm: i, N: 1 + rnd.IntN(9)}
			obs = append(obs, explore.Batch{Pull: pull, Sum: []float64{3 * rnd.NormFloat64()}})
		}
		norm := estimate(x, obs)
		for _, share := range []float64{.3, .6, .9, .999, 1.001, 1.5} {
			var phases linear.Phases
			if err := phases.Init(p); err != nil {
				t.Fatal(err)
			}
			width := share * norm
			if err := phases.Tell(obs, width); err != nil {
				t.Fatal(err)
			}
			s := &phases.Survivors
			var want []int
			for i := range n {
				behind := false
				for j := range n {
					gap := s.Mean[j] - s.Mean[i]
					behind = behind || gap > 0 && gap*gap > width*width*s.Squared(i, j)
				}
				if !behind {
					want = append(want, i)
				}
			}
			if !slices.Equal(s.Active, want) {
				t.Fatalf("width %v of %v: %v stay; want %v", width, norm, s.Active, want)
			}
			if len(want) == n {
				all++
			} else {
				some++
			}
		}
	}
	if all < 50 || some < 50 {
		t.Errorf("%d times all stay, %d times some; want both to be tested", all, some)
	}
}

// Tied names the leader and the runner-up among the active items, with their difference, in any
// order of the items.
func TestTiedNamesRunnerUp(t *testing.T) {
	for _, means := range [][]float64{{3, 1, 2.5, 0}, {0, 1, 2.5, 3}, {2.5, 3, 1, 0}, {1, 0, 3, 2.5}} {
		p := &explore.Problem{Arms: 4, Sigma: 1, Question: question.Best{}, ArmNames: []string{"ann", "bob", "cid", "dan"}}
		var phases linear.Phases
		if err := phases.Init(p); err != nil {
			t.Fatal(err)
		}
		if err := phases.Survivors.Tied(p, 1e20); !errors.Is(err, linear.ErrUndecidable) ||
			!strings.Contains(err.Error(), "the first phase would take 1e+20 pulls") {
			t.Errorf("at once: %v", err)
		}
		var obs []explore.Batch
		for i, m := range means {
			obs = append(obs, explore.Batch{Pull: explore.Pull{Arm: i, N: 2}, Sum: []float64{2 * m}})
		}
		if err := phases.Tell(obs, 100); err != nil {
			t.Fatal(err)
		}
		name := func(m float64) string { return p.Arm(slices.Index(means, m)) }
		want := fmt.Sprintf("would take 2e+15 pulls; 4 items are left, among them %s and %s, whose estimates differ by 0.5", name(3), name(2.5))
		if err := phases.Survivors.Tied(p, 2e15); !errors.Is(err, linear.ErrUndecidable) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v; want %q", means, err, want)
		}
	}
}

// estimate returns the norm of the least-squares estimate in the metric of the rewards, by the
// normal equations.
func estimate(x *mat.Dense, obs []explore.Batch) float64 {
	_, h := x.Dims()
	a, b := mat.NewSymDense(h, nil), mat.NewVecDense(h, nil)
	for _, o := range obs {
		row := x.RowView(o.Arm)
		a.SymRankOne(a, float64(o.N), row)
		b.AddScaledVec(b, o.Sum[0], row)
	}
	var c mat.Cholesky
	if !c.Factorize(a) {
		panic("the rewards do not span")
	}
	var theta mat.VecDense
	if err := c.SolveVecTo(&theta, b); err != nil {
		panic(err)
	}
	return math.Sqrt(mat.Dot(&theta, b))
}
