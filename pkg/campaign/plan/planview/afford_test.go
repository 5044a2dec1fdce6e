package planview_test

import (
	"fmt"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/plan/planview"
)

// Print the row of a method that spends all of its 96 measurements.
func ExampleAfford() {
	p := &plan.Plan{Affordable: 96, Rows: []plan.Row{
		{Method: "EGE-SR", Budget: 96, Runs: 500, Right: &plan.Rate{Share: .9, Lo: .87, Hi: .925}}}}
	fmt.Println(planview.Afford(p).Rows[0])
	// Output: [EGE-SR  90 [87, 92.5] none]
}
