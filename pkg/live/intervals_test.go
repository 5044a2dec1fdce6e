package live

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
)

// The intervals of all rounds hold together: the error probabilities that their half-widths stand
// for, 2 K d exp(-n (half/sigma)^2/2) for n rewards of each arm, sum to delta.
func TestIntervalsOfRoundsShareDelta(t *testing.T) {
	const delta, sigma, n = .1, 2., 5
	in := policytest.Gaussian("three", &explore.Problem{Arms: 3, Objectives: 2, Sigma: sigma,
		Question: question.Pareto{}}, mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0, 0}))
	var obs []explore.Batch
	for i := range 3 {
		obs = append(obs, explore.Batch{Pull: explore.Pull{Arm: i, N: n}, Sum: make([]float64, 2)})
	}
	spent := 0.
	const rounds = 2000
	for r := 1; r <= rounds; r++ {
		v := ofRounds(&in, delta)
		v.record(explore.Event{Round: r, Obs: obs})
		v.update()
		x := v.half.At(0, 0) / sigma
		spent += 2 * 3 * 2 * math.Exp(-n*x*x/2)
	}
	if spent > delta || spent < delta*(1-2./rounds) {
		t.Errorf("%d rounds spend %v of %v", rounds, spent, delta)
	}
}
