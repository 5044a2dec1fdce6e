package fig

import (
	"fmt"
	"math"
	"testing"
)

// thresholdArms are k made-up arms with estimates from 1 downwards; those whose
// interval contains the level are undecided.
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

// namedArms are 12 arms with names that are too wide to stand side by side.
func namedArms() ranking {
	a := thresholdArms(12)
	for i := range 12 {
		a.Names[i] = fmt.Sprint("a rather long name of arm ", i)
	}
	return a
}

// Everything is within the panel: intervals and the level.
func TestThresholdLimits(t *testing.T) {
	for _, k := range []int{1, 8, 41, 300} {
		a := thresholdArms(k)
		a.Level = -2
		for i := range k { // wider above, as those of rates near 0
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

// Arms stand from the highest estimate to the lowest, under their names.
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
	// A colour for each verdict, and none of a verdict that does not occur.
	a.Verdicts = []Side{Rejected, Kept, Kept}
	cs := colours(rank(a, rankOptions{}))
	if !cs[Kept.look().Color] || !cs[Rejected.look().Color] || cs[Undecided.look().Color] {
		t.Errorf("colours %v", cs)
	}
}
