package policy_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// boundedLaws sample the sum of n rewards between 0 and 1 with mean m.
var boundedLaws = map[string]func(rnd *rand.Rand, n int, m float64) float64{
	"success": func(rnd *rand.Rand, n int, m float64) float64 {
		return distuv.Binomial{N: float64(n), P: m, Src: rnd}.Rand()
	},
	// Rewards are 0, 1/2 or 1; 1/2 has probability m, and 1 has probability m/2.
	"half": func(rnd *rand.Rand, n int, m float64) float64 {
		some := distuv.Binomial{N: float64(n), P: 1.5 * m, Src: rnd}.Rand()
		return some/2 + distuv.Binomial{N: some, P: 1. / 3, Src: rnd}.Rand()/2
	},
}

// boundedTies returns problems like those of bettingTies, but with success rates as means.
func boundedTies() []policytest.Case {
	plain := func(name string, epsilon float64, means ...float64) policytest.Case {
		mu := mat.NewDense(len(means), 1, means)
		return policytest.Case{Instance: policytest.Gaussian(name, &explore.Problem{
			Arms: len(means), Sigma: .5, Question: question.Best{Epsilon: epsilon}}, mu)}
	}
	// An arm at the angle a has the success rate 0.1 + 0.05 cos(a). Two arms are best, and four arms are worse. No
	// feature is constant, and the weights of the rewards in an estimated difference do not sum to 0.
	var fan [][]float64
	for i := range 6 {
		a := float64(i/2) * 1.2
		fan = append(fan, []float64{.1 + .05*math.Cos(a), .05 * math.Sin(a), .02 * float64(i%2)})
	}
	return []policytest.Case{
		plain("two rare tied", 0, .02, .02),
		plain("two rare nearly tied", 0, .02, .0195),
		plain("six tied", 0, slices.Repeat([]float64{.05}, 6)...),
		plain("two even tied", 0, .5, .5),
		plain("tight", 0, .1, .05, .05, .01),
		plain("tolerant", .05, .1, .045, .045),
		linearCase("fan", .5, []float64{1, 0, 0}, fan, nil),
	}
}

// Item 0 is dropped with probability at most delta if rewards are bounded and the bets use the
// bounds; see TestBettingEliminationErrors.
func TestBettingEliminationBoundedErrors(t *testing.T) {
	eliminationErrors(t, boundedLaws, boundedTies(), policy.BettingElimination{Growth: 1.2, Rewards: radius.Bernoulli{}}, 3000)
}
