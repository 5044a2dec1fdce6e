package explore_test

import (
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// An amount has three digits of its half-width, and no more than there are in whole numbers.
func TestAmount(t *testing.T) {
	for _, c := range []struct {
		x, radius float64
		want      string
	}{
		{12.34567, .01234, "12.3457 ± 0.0123"}, {12.34567, 1.234, "12.35 ± 1.23"}, {12.34567, 123.4, "12 ± 123"},
		{12345.6, 1234.5, "12346 ± 1234"}, {12345.6, 2e6, "12346 ± 2000000"}, {math.Copysign(0, -1), .5, "0.000 ± 0.500"},
		{1, 0, "1.000 ± 0.000"}, {1, math.Inf(1), "1.000 ± +Inf"}, {1, 1e-20, "1.000000000000000 ± 0.000000000000000"},
	} {
		if got := explore.Amount(c.x, c.radius); got != c.want {
			t.Errorf("%v ± %v: %q; want %q", c.x, c.radius, got, c.want)
		}
	}
}
