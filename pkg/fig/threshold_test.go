package fig

import (
	"fmt"
	"math"
	"testing"
)

// thresholdArms are k made-up arms with estimates from 1 downwards; those whose
// interval contains the level are undecided.
func thresholdArms(k int) ThresholdArms {
	a := ThresholdArms{Level: .6}
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
		a.Estimates = append(a.Estimates, m)
		a.Lo, a.Hi = append(a.Lo, m-r), append(a.Hi, m+r)
		a.Verdicts = append(a.Verdicts, v)
	}
	return a
}

// namedArms are 12 arms with names that are too wide to stand side by side.
func namedArms() ThresholdArms {
	a := thresholdArms(12)
	for i := range 12 {
		a.Names = append(a.Names, fmt.Sprint("a rather long name of arm ", i))
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
		p := must(Threshold(a, nil)).Panels[0]
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
	a := ThresholdArms{Names: []string{"low", "high", "mid"}, Estimates: []float64{1, 3, 2}}
	f := must(Threshold(a, nil))
	p := f.Panels[0]
	got := ""
	for _, tick := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		got += tick.Label + " "
	}
	if got != "high mid low " {
		t.Errorf("names: %s", got)
	}
	// A colour for each verdict, and none of a verdict that does not occur.
	a.Verdicts = []Verdict{Rejected, Kept, Kept}
	cs := colours(must(Threshold(a, nil)))
	if !cs[Kept.look().Color] || !cs[Rejected.look().Color] || cs[Undecided.look().Color] {
		t.Errorf("colours %v", cs)
	}
}

// Four doses; those within 0.1 of the best are wanted.
func ExampleThreshold() {
	f, err := Threshold(ThresholdArms{
		Names:     []string{"25 mg", "75 mg", "150 mg", "300 mg"},
		Estimates: []float64{.31, .52, .58, .49},
		Lo:        []float64{.26, .49, .55, .45},
		Hi:        []float64{.36, .55, .61, .53},
		Verdicts:  []Verdict{Rejected, Kept, Kept, Undecided},
		Level:     .48,
	}, &ThresholdOptions{Title: "Made-up trial", YLabel: "response rate"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Alt())
	// Output:
	// 4 arms by estimate; threshold: best − ε at 0.48. Kept: 150 mg, 75 mg. Rejected: 25 mg. Undecided: 300 mg.
}
