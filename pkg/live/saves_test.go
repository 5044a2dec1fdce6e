package live

import (
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/plan"
)

// The savings of a change are stated only if both medians are known, not if only a bound on one of them is known.
func TestSaves(t *testing.T) {
	row := func(median float64, open bool, runs int) plan.Row {
		r := plan.Row{Runs: runs}
		r.Measurements.Median = plan.Quantile{Value: median, Open: open}
		return r
	}
	for _, x := range []struct {
		first, other plan.Row
		want         float64
	}{
		{row(200, false, 9), row(150, false, 9), .25},
		{row(200, false, 9), row(250, false, 9), -.25},
		{row(200, false, 9), row(150, true, 9), math.NaN()},
		{row(200, true, 9), row(150, false, 9), math.NaN()},
		{row(200, false, 9), row(0, false, 0), math.NaN()},
		{row(200, false, 0), row(150, false, 9), math.NaN()},
		{row(0, false, 9), row(150, false, 9), math.NaN()},
	} {
		got := saves(&plan.Plan{Rows: []plan.Row{x.first, x.other}})[1]
		if got != x.want && !(math.IsNaN(got) && math.IsNaN(x.want)) {
			t.Errorf("%+v: %v; want %v", x, got, x.want)
		}
	}
}
