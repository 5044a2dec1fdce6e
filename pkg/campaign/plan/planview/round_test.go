package planview

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/plan"
)

// A number is rounded up to the next one that has two digits and zeros, by trying.
func TestRoundUp(t *testing.T) {
	two := func(n int) bool {
		for n >= 100 {
			if n%10 != 0 {
				return false
			}
			n /= 10
		}
		return true
	}
	for n := range 12_000 {
		want := n
		for !two(want) {
			want++
		}
		if got := round(n); got != want {
			t.Fatalf("%d is rounded to %d; want %d", n, got, want)
		}
	}
}

// What no changed plan can be below is the least of those that were simulated; the plan as asked is
// none, and one without a bound leaves nothing that is known.
func TestLeastChanged(t *testing.T) {
	p := byHand()
	if got := leastChanged(p); got != 0 {
		t.Errorf("%v; want 0, as the bound of the change is unknown", got)
	}
	p.Rows[2].Bound.Measurements = 50
	more := p.Rows[2]
	more.Change, more.Bound.Measurements = "plate = 2", 60
	hopeless := plan.Row{Change: "nothing", Bound: plan.Bound{Measurements: 1}} // not simulated
	p.Rows = append(p.Rows, more, hopeless)
	if got := leastChanged(p); got != 50 {
		t.Errorf("%v; want 50", got)
	}
	p.Rows[3].Bound.Measurements = 0
	if got := leastChanged(p); got != 0 {
		t.Errorf("%v; want 0, as the bound of one change is unknown", got)
	}
	p.Rows = p.Rows[:2]
	if got := leastChanged(p); got != 0 || math.IsInf(got, 1) {
		t.Errorf("without changes %v; want 0", got)
	}
}

// Advice stands behind warnings, if there is some.
func TestAdvice(t *testing.T) {
	p := byHand()
	without := Table(p).Notes
	p.Advice = "Measure more."
	if got := Table(p).Notes; len(got) != len(without)+1 || got[0] != without[0] || got[1] != p.Advice ||
		!slices.Equal(got[2:], without[1:]) || !strings.HasPrefix(got[0], "Warning: ") {
		t.Errorf("notes %q", got)
	}
}
