package fig

import (
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// Places that are close to each other are not labelled one by one.
func TestPlaceTicks(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		log  bool
		want string
	}{
		{[]float64{5, 10, 20}, false, "5,10,20"},
		{[]float64{4175, 4230, 5749, 14026}, false, ",,5 749,14 026"},
		{[]float64{10, 100, 1000, 10000}, true, "10,100,1 000,10 000"},
		{[]float64{10, 100, 1000, 10000}, false, ",,1 000,10 000"},
		{[]float64{7}, false, "7"},
	} {
		var labels []string
		for _, tick := range placeTicks(c.xs, c.log) {
			labels = append(labels, strings.Join(strings.Fields(tick.Label), " "))
		}
		if got := strings.Join(labels, ","); got != c.want {
			t.Errorf("%v, log %v: %q", c.xs, c.log, got)
		}
	}
}

// Places with names have these, on the axis and in the words, whatever room a number would have.
func TestSweepNames(t *testing.T) {
	p := SweepPanel{XLabel: "δ", XNames: []string{"0.1", "0.05", "1e-10"}, Series: []SweepSeries{{Name: "a",
		Points: []SweepPoint{{X: 0, Center: 3, Lo: 3, Hi: 3}, {X: 1, Center: 2, Lo: 2, Hi: 2}, {X: 2, Center: 1, Lo: 1, Hi: 1}}}}}
	f := must(Sweep([]SweepPanel{p}, nil))
	var labels []string
	for _, tick := range f.Panels[0][0].X.Tick.Marker.Ticks(0, 2) {
		labels = append(labels, tick.Label)
	}
	if got := strings.Join(labels, ","); got != "0.1,0.05,1e-10" || !strings.Contains(f.Alt(), "a 3 at 0.1, 1 at 1e-10") {
		t.Errorf("%s; %s", got, f.Alt())
	}
}

// many returns a panel of nine methods, of which the first is grey and two lie on one another.
func many() SweepPanel {
	p := growing(strings.Split("abcdefghi", "")...)
	p.Series[0].Grey = true
	p.Series[2].Points = p.Series[1].Points
	return p
}

// At most seven lines have a colour and a name; the others are grey, and the caption has them.
func TestSweepColours(t *testing.T) {
	panels, palette := inColour([]SweepPanel{many(), growing("b", "x")}, Palette{"z"})
	for i, s := range panels[0].Series {
		if want := i == 0 || i > canvas.Hues; s.Grey != want {
			t.Errorf("%s is grey: %v", s.Name, s.Grey)
		}
	}
	if !slices.Equal(palette, Palette{"z", "b", "c", "d", "e", "f", "g", "h", "x"}) {
		t.Errorf("the palette is %q; want only what has a colour", palette)
	}
	f := must(Sweep([]SweepPanel{many()}, nil))
	notes := strings.Join(f.Notes, " ")
	for _, want := range []string{"Grey: a; i.", "On one line: b and c."} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %q; want %q", notes, want)
		}
	}
	var named []string
	for _, n := range (endNames{SweepPanel: &panels[0], palette: palette}).names() {
		named = append(named, n.name)
	}
	if got := strings.Join(named, ","); got != "b,c,d,e,f,g,h,lower bound" {
		t.Errorf("names at the ends of lines: %s", got)
	}
	if many().Series[8].Grey {
		t.Error("the series of the caller are changed")
	}
}

// What lies below other lines is wider than they are, so that it is seen.
func TestSweepTogether(t *testing.T) {
	p := many()
	if got := []int{p.above(1), p.above(2), p.above(3)}; !slices.Equal(got, []int{0, 1, 0}) {
		t.Errorf("lines above the second, third, fourth: %v", got)
	}
	p.Series[2].Grey = true
	if p.above(2) != 0 || p.together() != nil {
		t.Error("a grey line counts")
	}
}

// Panels share the y axis, and those of one label the x axis, which is named once; at the width of a
// column all text is as high as it must be at 390 pixels.
func TestSweepShares(t *testing.T) {
	a, b, c := growing("RAGE"), growing("RAGE", "ALBA"), growing("ALBA")
	a.Series[0].Points = a.Series[0].Points[1:]
	c.XLabel = "arms"
	f := must(Sweep([]SweepPanel{a, b, c}, &SweepOptions{Y: [2]float64{1, 1e7}}))
	first := f.Panels[0][0]
	if first.Y.Min > 1 || first.Y.Max < 1e7 {
		t.Errorf("y from %v to %v; want at least 1 to 1e7", first.Y.Min, first.Y.Max)
	}
	for i, row := range f.Panels {
		if row[0].Y.Min != first.Y.Min || row[0].Y.Max != first.Y.Max {
			t.Errorf("panel %d has a y axis of its own", i)
		}
	}
	if next := f.Panels[1][0]; next.X.Min != first.X.Min || next.X.Max != first.X.Max {
		t.Error("panels of one label have x axes of their own")
	}
	if first.X.Label.Text != "" || f.Panels[1][0].X.Label.Text != a.XLabel {
		t.Error("the label of the x axis is not where the axis ends")
	}
	const css = .75 // points a pixel
	if px := canvas.NoteSize / css * 390 * css / float64(f.Width); px < 12 {
		t.Errorf("text is %.3g pixels high at 390 pixels", px)
	}
}

// Up to eight places have a label each where there is room; of more the axis is labelled as others are. Panels share an axis if label and scale
// are the same, and an interval that ends at 0 leaves a logarithmic axis as it is.
func TestSweepAxes(t *testing.T) {
	panel := func(n int) SweepPanel {
		s := SweepSeries{Name: "a"}
		for i := range n {
			s.Points = append(s.Points, SweepPoint{X: float64(7*i + 3), Center: 100, Lo: 0, Hi: 150})
		}
		return SweepPanel{XLabel: "arms", Series: []SweepSeries{s}}
	}
	for n, own := range map[int]bool{2: true, 8: true, 9: false} {
		p := must(Sweep([]SweepPanel{panel(n)}, nil)).Panels[0][0]
		ticks := p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max)
		if last := ticks[len(ticks)-1]; (len(ticks) == n && last.Value == float64(7*n-4) && last.Label != "") != own {
			t.Errorf("%d places: %d ticks, the last %+v", n, len(ticks), last)
		}
		if p.Y.Min < 80 {
			t.Errorf("the y axis begins at %v; want it near 100", p.Y.Min)
		}
	}
	for _, c := range []struct {
		log, shared bool
		label       string
	}{{false, true, "arms"}, {true, false, "arms"}, {false, false, "items"}} {
		other := panel(12)
		other.LogX, other.XLabel = c.log, c.label
		f := must(Sweep([]SweepPanel{panel(3), other}, nil))
		if a, b := f.Panels[0][0].X, f.Panels[1][0].X; (a.Min == b.Min && a.Max == b.Max) != c.shared || (a.Label.Text == "") != c.shared {
			t.Errorf("%+v: from %v to %v with the label %q", c, a.Min, a.Max, a.Label.Text)
		}
	}
}
