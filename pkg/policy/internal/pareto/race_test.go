package pareto

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/pareto"
)

// The sets of a round, from their definitions over all pairs.
func raceOracle(active []int, mean []float64, d int, beta []float64,
	eps float64) (dropped, retired, left []int) {
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
					t.Fatalf("arm %d is dropped because of %d, which does not exceed it by enough",
						i, by)
				}
			})
			if !slices.Equal(out, dropped) || !slices.Equal(optimal, retired) ||
				!slices.Equal(r.Active, left) {
				t.Fatalf("means %v ± %v, epsilon %v, of %v: dropped %v, retired %v, left %v; "+
					"want %v, %v, %v",
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
			for i := range beta { // intervals shrink, means stay
				beta[i] /= 2
			}
		}
	}
	if slices.Min(seen[:]) < 1000 {
		t.Errorf("dropped, retired and left: %v; want all of them often", seen)
	}
}
