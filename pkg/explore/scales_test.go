package explore_test

import (
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// Without a scale of its own the norm of the noise has that of d equal objectives.
func TestSigmaU(t *testing.T) {
	for _, c := range []struct {
		p    explore.Problem
		want float64
	}{
		{explore.Problem{Sigma: 2}, 2},
		{explore.Problem{Sigma: 2, Objectives: 4}, 4},
		{explore.Problem{Sigma: 2, Objectives: 4, NormSigma: 3}, 3},
	} {
		if got := c.p.SigmaU(); got != c.want {
			t.Errorf("%d objectives, NormSigma %v: %v, not %v", c.p.D(), c.p.NormSigma, got, c.want)
		}
	}
}
