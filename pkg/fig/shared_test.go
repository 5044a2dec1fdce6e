package fig

import (
	"testing"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
)

// A shared axis has room for what is drawn in any panel: runs and references; others have for their own.
func TestSharedAxis(t *testing.T) {
	var rows []mc.Row
	for rep := range 20 {
		for i, instance := range []string{"a", "b"} {
			rows = append(rows, mc.Row{Instance: instance, Method: "m", Rep: rep, Pulls: 100*(1+9*i) + rep, Correct: true, Status: explore.Stopped.String()})
		}
	}
	refs := []Reference{{Instance: "a", Name: "bound", Pulls: 20}, {Instance: "b", Name: "bound", Pulls: 5000}}
	for _, shared := range []bool{false, true} {
		f := must(SampleComplexity(rows, &RowOptions{Shared: shared, References: refs}))
		var ends [][2]float64
		for _, row := range f.Panels {
			for _, p := range row {
				ends = append(ends, [2]float64{p.X.Min, p.X.Max})
			}
		}
		if len(ends) != 2 {
			t.Fatalf("%d panels", len(ends))
		}
		if (ends[0] == ends[1]) != shared {
			t.Errorf("shared %v: axes %v", shared, ends)
		}
		for i, e := range ends {
			lo, hi := refs[i].Pulls, refs[i].Pulls
			if shared {
				lo, hi = 20, 5000
			}
			if e[0] > lo || e[1] < hi {
				t.Errorf("shared %v: the axis of panel %d is %v; want %v to %v in it", shared, i, e, lo, hi)
			}
		}
	}
}

// A lower bound that an iteration loses is not lost.
func TestBestSoFar(t *testing.T) {
	of := bestSoFar()
	for i, want := range []float64{0, 5, 5, 7} {
		if got := of(design.Bracket{Lower: []float64{0, 5, 3, 7}[i]}); got != want {
			t.Errorf("after %d brackets %v; want %v", i+1, got, want)
		}
	}
}

// The panels of whoever draws stay as they are: which lines are grey is decided for one figure.
func TestPanelsStayAsTheyAre(t *testing.T) {
	panels := []SweepPanel{{}}
	for i := range 9 {
		panels[0].Series = append(panels[0].Series, SweepSeries{Name: string(rune('a' + i))})
	}
	grey, _ := inColour(panels, nil)
	n := 0
	for i, s := range grey[0].Series {
		if s.Grey {
			n++
		}
		if panels[0].Series[i].Grey {
			t.Errorf("series %d became grey", i)
		}
	}
	if n != 2 {
		t.Errorf("%d of 9 are grey; want 2", n)
	}
}
