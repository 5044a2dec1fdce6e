package radius_test

import (
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/radius"
)

// A mixture is tuned for a number of rewards, which is one.
func TestMixtureValidate(t *testing.T) {
	for _, n := range []float64{0, 1e-3, 1, 1e300} {
		if err := (radius.Mixture{Rewards: n}).Validate(); err != nil {
			t.Error(err)
		}
	}
	for _, n := range []float64{-1e-3, math.Inf(1), math.Inf(-1), math.NaN()} {
		if err := (radius.Mixture{Rewards: n}).Validate(); err == nil {
			t.Errorf("%v rewards are accepted", n)
		}
	}
}
