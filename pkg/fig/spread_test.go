package fig

import (
	"testing"

	"github.com/purexp/purexp/pkg/tidy"
)

// A median that is not below all runs ended by a limit is a lower bound.
func TestMedianCutShort(t *testing.T) {
	for _, c := range []struct {
		early []float64
		want  string
	}{
		{nil, "50"},
		{[]float64{60}, "50"},
		{[]float64{50}, "≥ 50"},
		{[]float64{40}, "≥ 50"},
		{[]float64{40, 60}, "≥ 50"},
	} {
		sp := spread{early: c.early, median: tidy.Summary{Center: 50}}
		if got := sp.center(); got != c.want {
			t.Errorf("runs cut short at %v: median %s; want %s", c.early, got, c.want)
		}
	}
}
