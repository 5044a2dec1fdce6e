package pareto

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
)

// raceOracle computes the sets of a round from their definitions over all pairs.
func raceOracle(active []int, mean []float64, d int, beta []float64, eps float64) (dropped, retired, left []int) {
	row := func(i int) []float64 { return mean[i*d:][:d] }
	var a1, p1 []int
	for _, i := range active {
		if slices.ContainsFunc(active, func(j int) bool {
			return pareto.Deficit(row(i), row(j)) > beta[i]+beta[j]
		}) {
			dropped = append(dropped, i)
		} else {
			a1 = append(a1, i)
		}
	}
	for _, i := range a1 {
		if !slices.ContainsFunc(a1, func(j int) bool {
			return j != i && pareto.Excess(row(i), row(j))+eps < beta[i]+beta[j]
		}) {
			p1 = append(p1, i)
		}
	}
	for _, j := range a1 {
		needed := slices.ContainsFunc(a1, func(i int) bool {
			return !slices.Contains(p1, i) && pareto.Excess(row(i), row(j))+eps < beta[i]+beta[j]
		})
		if slices.Contains(p1, j) && !needed {
			retired = append(retired, j)
		} else {
			left = append(left, j)
		}
	}
	return dropped, retired, left
}

func TestRace(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	seen := [3]int{}
	for range 3000 {
		n, d := 1+rnd.IntN(8), 1+rnd.IntN(3)
		mean, beta := make([]float64, n*d), make([]float64, n)
		for i := range mean {
			mean[i] = float64(rnd.IntN(33)) / 8 // with ties; sums are exact
		}
		for i := range beta {
			beta[i] = float64(1+rnd.IntN(8)) / 16
		}
		eps := float64(rnd.IntN(3)) / 4
		var r Race
		r.Init(n)
		for range 3 {
			before := slices.Clone(r.Active)
			dropped, retired, left := raceOracle(before, mean, d, beta, eps)
			var out, optimal []int
			r.Round(mean, d, beta, eps, func(i, by int) {
				if by < 0 {
					optimal = append(optimal, i)
					return
				}
				out = append(out, i)
				if pareto.Deficit(mean[i*d:][:d], mean[by*d:][:d]) <= beta[i]+beta[by] {
					t.Fatalf("arm %d is dropped because of %d, which does not exceed it by enough", i, by)
				}
			})
			if !slices.Equal(out, dropped) || !slices.Equal(optimal, retired) || !slices.Equal(r.Active, left) {
				t.Fatalf("means %v ± %v, epsilon %v, of %v: dropped %v, retired %v, left %v; "+
					"expected %v, %v, %v",
					mean, beta, eps, before, out, optimal, r.Active, dropped, retired, left)
			}
			for _, i := range retired {
				if !r.Retired[i] {
					t.Fatalf("arm %d is not noted as retired", i)
				}
			}
			for k, set := range [][]int{dropped, retired, left} {
				seen[k] += len(set)
			}
			for i := range beta { // intervals shrink, means do not change
				beta[i] /= 2
			}
		}
	}
	if slices.Min(seen[:]) < 1000 {
		t.Errorf("dropped, retired and left: %v; want all of them often", seen)
	}
}

// Nearest returns the two arms closest to a tie, in either direction. It agrees with a comparison of all pairs of
// random arms, some of which are discarded.
func TestNearest(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		k, d := 2+rnd.IntN(6), 1+rnd.IntN(3)
		var o Outputs
		if err := o.Init(&explore.Problem{Arms: k, Objectives: d, Sigma: 1, Question: question.Pareto{}}, false); err != nil {
			t.Fatal(err)
		}
		for i := range o.mean {
			o.mean[i] = rnd.NormFloat64()
		}
		if k > 2 {
			o.Active = append(o.Active[:1], o.Active[2:]...)
		}
		least := math.Inf(1)
		for _, a := range o.Active {
			for _, b := range o.Active {
				if a != b {
					least = min(least, math.Abs(pareto.Excess(o.Row(a), o.Row(b))))
				}
			}
		}
		if i, j, m := o.Nearest(); i == j || math.Abs(m) != least || m != pareto.Excess(o.Row(i), o.Row(j)) {
			t.Fatalf("arms %d and %d of %v are nearest, by %v; want a pair that differs by %v", i, j, o.Active, m, least)
		}
	}
}

// Means equal those of least squares over all rewards. LogDet is relative to the information of one reward of each arm
// of the first round. Both properties also hold if several arms have the same features and are together in the first
// round.
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
		if !(math.Abs(det-m.LogDet) <= 1e-9) { // the arms of the first round are the canonical basis, with determinant 1
			t.Errorf("round %d: the determinant is %v; want %v", round, m.LogDet, det)
		}
	}
}
