package planview_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/plan/planview"
)

// The table has a row for each method that answers the question, and states which methods declare an error.
func TestAfford(t *testing.T) {
	sample := []plan.Run{{Measurements: 90}, {Measurements: 97}, {Measurements: 50, GaveUp: true}, {Measurements: 96}}
	p := &plan.Plan{Affordable: 96, Delta: .05, Rows: []plan.Row{
		{Method: "e-cAPE", Runs: 4, Sample: sample, Right: &plan.Rate{Count: 3, Share: .75, Lo: .194, Hi: .9937}},
		{Method: "EGE-SR", Budget: 96, Runs: 4, Right: &plan.Rate{Count: 4, Share: 1, Lo: .3976, Hi: 1}},
		{Method: "EGE-SR", Budget: 192, Change: "measurements = 192", Runs: 4, Right: &plan.Rate{}},
		{Method: "APE", Hopeless: "Nobody can."},
	}}
	text := planview.Afford(p).Text()
	for _, want := range []string{"With the 96 measurements that you can afford",
		"e-cAPE  50 [6.7, 93.3]      75 [19.4, 99.4]                    0.05 when it has its answer",
		"EGE-SR                      100 [39.7, 100]                    none"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if len(planview.Afford(p).Rows) != 2 {
		t.Error(text)
	}
	for _, p := range []*plan.Plan{{Affordable: 96}, {Rows: p.Rows}} {
		if planview.Afford(p) != nil {
			t.Errorf("a table of %+v", p)
		}
	}
}

// Print the row of a method that spends all of its 96 measurements.
func ExampleAfford() {
	p := &plan.Plan{Affordable: 96, Rows: []plan.Row{
		{Method: "EGE-SR", Budget: 96, Runs: 500, Right: &plan.Rate{Share: .9, Lo: .87, Hi: .925}}}}
	fmt.Println(planview.Afford(p).Rows[0])
	// Output: [EGE-SR  90 [87, 92.5] none]
}
