package fig

import (
	"fmt"
	"math"
	"testing"
)

// thresholdArms returns k made-up arms with decreasing estimates from 1. Arms whose interval contains the level are
// undecided.
func thresholdArms(k int) ranking {
	a := ranking{Level: .6}
	for i := range k {
		truth := 1 - .8*float64((i*7)%k)/float64(k)
		m, r := truth+.06*math.Sin(float64(5*i)), .05+.03*float64(i%3)
		v := Undecided
		switch {
		case m-r > a.Level:
			v = Kept
		case m+r < a.Level:
			v = Rejected
		}
		a.Names = append(a.Names, fmt.Sprint("arm ", i))
		a.Estimates = append(a.Estimates, m)
		a.Lo, a.Hi = append(a.Lo, m-r), append(a.Hi, m+r)
		a.Verdicts = append(a.Verdicts, v)
	}
	return a
}

// namedArms returns 12 arms with names too wide to fit side by side.
func namedArms() ranking {
	a := thresholdArms(12)
	for i := range 12 {
		a.Names[i] = fmt.Sprint("a rather long name of arm ", i)
	}
	return a
}

// The panel includes the intervals and the level.
func TestThresholdLimits(t *testing.T) {
	for _, k := range []int{1, 8, 41, 300} {
		a := thresholdArms(k)
		a.Level = -2
		for i := range k { // wider above, as for rates near 0
			a.Hi[i] += 2 + float64(i%2)
		}
		p := rank(a, rankOptions{}).Panels[0]
		for i := range k {
			if a.Lo[i] < p.Y.Min || a.Hi[i] > p.Y.Max || a.Level < p.Y.Min {
				t.Errorf("%d arms: arm %d or the level is outside", k, i)
			}
		}
		if p.X.Min >= 1 || p.X.Max <= float64(k) {
			t.Errorf("%d arms: from %v to %v", k, p.X.Min, p.X.Max)
		}
	}
}

// Arms are sorted by decreasing estimate, with their names.
func TestThresholdOrder(t *testing.T) {
	a := ranking{Names: []string{"low", "high", "mid"}, Estimates: []float64{1, 3, 2}, Verdicts: make([]Side, 3)}
	f := rank(a, rankOptions{})
	p := f.Panels[0]
	got := ""
	for _, tick := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		got += tick.Label + " "
	}
	if got != "high mid low " {
		t.Errorf("names: %s", got)
	}
	// Each verdict that occurs has a colour, and no others.
	a.Verdicts = []Side{Rejected, Kept, Kept}
	cs := colours(rank(a, rankOptions{}))
	if !cs[Kept.look().Color] || !cs[Rejected.look().Color] || cs[Undecided.look().Color] {
		t.Errorf("colours %v", cs)
	}
}
