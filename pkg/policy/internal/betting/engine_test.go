package betting

import (
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// Nothing is known of the correlation of objectives: the scale of a combination is that of noise which
// agrees in all of them, unless the problem says that projections have less.
func TestNoise(t *testing.T) {
	for _, c := range []struct {
		prob   explore.Problem
		lambda []float64
		want   float64
	}{
		{explore.Problem{Arms: 2, Objectives: 2, Sigma: 1}, []float64{1, 1}, 4},
		{explore.Problem{Arms: 2, Objectives: 2, Sigma: 1}, []float64{1, -1}, 4},
		{explore.Problem{Arms: 2, Objectives: 2, Sigma: 2}, []float64{0, .5}, 1},
		{explore.Problem{Arms: 2, Objectives: 2, Sigma: 1, NormSigma: 1}, []float64{1, 1}, 2},
		{explore.Problem{Arms: 2, Objectives: 2, Sigma: 3, Sigmas: []float64{3, 1}}, []float64{1, 2}, 25},
	} {
		e := Engine{prob: &c.prob, Exact: [][]float64{nil, nil, {7, 8}}}
		// What is known has no noise.
		for _, lambda := range [][]float64{c.lambda, append(c.lambda, 5)} {
			if got := e.Noise(lambda); math.Abs(got-c.want) > 1e-12 {
				t.Errorf("%+v, %v: %v; want %v", c.prob, lambda, got, c.want)
			}
		}
	}
}
