package published

import (
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
)

// Any row may be drawn; a row that takes 100 times as long as another is drawn a tenth as often.
func TestDraw(t *testing.T) {
	rows := []mc.Row{
		{Method: "a", Rounds: 10, ArmPulls: make([]int, 10)},
		{Method: "a", Rounds: 1, ArmPulls: make([]int, 1)},
		{Method: "b", Rounds: 0, ArmPulls: make([]int, 3)}, // a bound, without pulls
	}
	drawn := map[int]int{}
	const n = 11000
	for seed := range uint64(n) {
		sample := Sample{Share: .01, Seed: seed}.draw(rows)
		if len(sample) != 2 || sample[1].Method != "b" {
			t.Fatalf("drawn: %v; want one of each method, in their order", sample)
		}
		drawn[sample[0].Rounds]++
	}
	if got := drawn[10]; math.Abs(float64(got-n/11)) > 5*math.Sqrt(n/11) {
		t.Errorf("of %d the row of cost 100 is drawn %d times; want about %d", n, got, n/11)
	}
	if got := (Sample{Share: .5, Seed: 1}).draw(rows); len(got) != 2 {
		t.Errorf("half of 2 and 1 rows are %d rows; want 2", len(got))
	}
}
