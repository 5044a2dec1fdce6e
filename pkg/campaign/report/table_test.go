package report_test

import (
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/report"
)

// A row has what is known of its candidate: no estimate, one without an interval, trials where they are counted, and why it
// was dropped in place of what its results say, also where it has some. Notes say what it all rests on.
func TestTableByHand(t *testing.T) {
	nan := math.NaN()
	s := &campaign.Status{Headline: "Two of four are left.", Objectives: []string{"yield [%]"}, Trials: 9, Called: "flasks", Method: "e-cAPE", Delta: .05,
		Used: 7, Failed: 1, Unused: 2, Pending: 3, Event: 11, Paid: "12 €", Arms: []campaign.ArmStatus{
			{Arm: "A", Used: 4, Pending: 1, Trials: 5, Estimate: []float64{61.23456}, Low: []float64{58}, High: []float64{64.5}, Verdict: "in the answer", Why: "best"},
			{Arm: "B", Used: 3, Trials: 4, Estimate: []float64{50}, Low: []float64{nan}, High: []float64{nan}, Verdict: "not available", Why: "behind A", Dropped: "sold out"},
			{Arm: "C", Estimate: []float64{nan}, Low: []float64{nan}, High: []float64{nan}, Verdict: "not available", Dropped: "toxic"},
			{Arm: "D", Pending: 2, Estimate: []float64{nan}, Low: []float64{nan}, High: []float64{nan}, Verdict: "undecided", Why: "not measured"}}}
	want := `Two of four are left.

candidate  used  pending  flasks  yield [%]         verdict        why
---------  ----  -------  ------  ----------------  -------------  ------------
A             4        1       5  61.23 [58, 64.5]  in the answer  best
B             3        0       4  50                not available  sold out
C             0        0       0                    not available  toxic
D             0        2       0                    undecided      not measured

e-cAPE, delta 0.05; 7 measurements used, 1 failed, 2 not used, 3 pending; event 11.

Measurements cost 12 € so far.
`
	if got := report.Table(s).Text(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	s.Trials, s.Budget, s.Paid = 0, 40, ""
	want = `Two of four are left.

candidate  used  pending  yield [%]         verdict        why
---------  ----  -------  ----------------  -------------  ------------
A             4        1  61.23 [58, 64.5]  in the answer  best
B             3        0  50                not available  sold out
C             0        0                    not available  toxic
D             0        2                    undecided      not measured

e-cAPE, a budget of 40 measurements; 7 measurements used, 1 failed, 2 not used, 3 pending; event 11.
`
	if got := report.Table(s).Text(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
