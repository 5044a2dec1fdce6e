package policy

import (
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// The first rounds by hand. Two arms, one objective, no noise, sigma 1, means 1 and 0:
// nature lets both arms meet at w_0, displacing them by 1 - w_0 and w_0, so that the
// gradient is ((1 - w_0)^2/2, w_0^2/2).
//
//	t = 2, N = (1,1): w = (1/2, 1/2), g = (1/8, 1/8), equal: w stays. sqrt(2) - 1 < 1.
//	      Both are behind their sums (3/2, 3/2) alike. Pull 0.
//	t = 3, N = (2,1): the same; pulls minus sums are (0, -1). Pull 1.
//
// With the weights (4, 1)/5: g = (1/50, 8/25), max 8/25, eta = sqrt(log 2/4)/(8/25) =
// 1.300866 at t = 3, so that the ratio of the weights becomes 4 exp(-.3 eta) = 2.707505,
// the weights 0.730278 and 0.269722.
func TestParetoTrackAndStopRoundsByHand(t *testing.T) {
	prob := &explore.Problem{Arms: 2, Sigma: 1, NormSigma: 1, Question: question.Pareto{}}
	p := new(ParetoTrackAndStop)
	if err := p.Init(prob, nil); err != nil {
		t.Fatal(err)
	}
	tell := func(arms ...int) {
		var obs []explore.Batch
		for _, i := range arms {
			obs = append(obs, explore.Batch{Pull: explore.Pull{Arm: i, N: 1},
				Sum: []float64{1 - float64(i)}})
		}
		if err := p.Tell(obs); err != nil {
			t.Fatal(err)
		}
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6 {
			t.Errorf("t = %d, %s: %v; want %v", p.means.Pulls, what, got, want)
		}
	}
	tell(0, 1)
	near("weight", p.weight[0], .5)
	near("most", p.most, .125)
	near("sum", p.aim[0], 1.5)
	near("pull", float64(p.next), 0)
	p.weight[0], p.weight[1], p.log[0], p.log[1] = .8, .2, math.Log(4), 0
	tell(0)
	near("most", p.most, .32)
	near("weight", p.weight[0], .730278)
	near("sum", p.aim[0], 2.230278)
	near("pull", float64(p.next), 1) // 1 - 1.769722 < 2 - 2.230278

	// An arm that is left behind is pulled by force: at t = 25, 1 <= 5 - 1,
	// although arm 0 is far behind its sum, as the next pull shows that is not forced.
	for range 21 {
		tell(0)
	}
	p.aim[0] = 1e6
	tell(0)
	near("forced pull", float64(p.next), 1)
	tell(1, 1, 1, 1)
	near("free pull", float64(p.next), 0)
}
