package linear_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
)

// Those stay that are behind no other item by more than the half-width, whether pairs are compared
// or the norm of the estimate shows that all of them do: below, at and above that norm.
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
