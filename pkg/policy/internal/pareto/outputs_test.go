package pareto

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
)

// The nearest two arms are those of all pairs, ahead or behind, of which one is closest to a tie with the other: here by
// the differences of all pairs of random arms, some of which are discarded.
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
