package pareto

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// Means are those of least squares over all rewards, and LogDet that of the information relative to one reward of each
// arm of the start, also where several arms have the same features and stand in the first round together.
func TestPosteriorIsLeastSquares(t *testing.T) {
	x := mat.NewDense(6, 3, []float64{1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0})
	prob := &explore.Problem{X: x, Objectives: 2, Sigma: 1, Question: question.Pareto{}}
	rnd := rand.New(rand.NewPCG(1, 2))
	var m Posterior
	if err := m.Init(prob); err != nil {
		t.Fatal(err)
	}
	info, sums := mat.NewDense(3, 3, nil), mat.NewDense(3, 2, nil)
	for round, arms := range [][]int{{0, 1, 2, 3, 5, 0, 4}, {4, 2}, {5, 5, 0}} {
		var obs []explore.Batch
		for _, arm := range arms {
			n := 1 + rnd.IntN(4)
			sum := []float64{float64(n) * rnd.NormFloat64(), float64(n) * rnd.NormFloat64()}
			obs = append(obs, explore.Batch{Pull: explore.Pull{Arm: arm, N: n}, Sum: sum})
			for a := range 3 {
				for b := range 3 {
					info.Set(a, b, info.At(a, b)+float64(n)*x.At(arm, a)*x.At(arm, b))
				}
				for c := range 2 {
					sums.Set(a, c, sums.At(a, c)+x.At(arm, a)*sum[c])
				}
			}
		}
		m.Tell(obs)
		var theta, want mat.Dense
		if err := theta.Solve(info, sums); err != nil {
			t.Fatal(err)
		}
		want.Mul(x, &theta)
		for arm := range 6 {
			for c, v := range m.Expected(arm) {
				if math.Abs(v-want.At(arm, c)) > 1e-9 {
					t.Errorf("round %d: mean %d of arm %d is %v; want %v", round, c, arm, v, want.At(arm, c))
				}
			}
		}
		det, _ := mat.LogDet(info)
		if !(math.Abs(det-m.LogDet) <= 1e-9) { // the start is the canonical basis, which has 1
			t.Errorf("round %d: the determinant is %v; want %v", round, m.LogDet, det)
		}
	}
}
