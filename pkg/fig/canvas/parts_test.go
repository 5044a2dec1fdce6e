package canvas

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// Each row of a loose figure is a part that has its share of the height: one of weight 3 is three times as
// high as one of weight 1. What does not belong to a row is on the first and on the last part, once.
func TestParts(t *testing.T) {
	f := &Figure{
		Title: "Three", Legend: []Entry{{Name: "point"}}, Notes: []string{"A note."}, Width: ColumnWidth,
		Panels:     [][]*plot.Plot{{Panel("a", "b")}, {Panel("c", "d")}, {Panel("e", "f")}},
		RowWeights: []float64{1, 3, 1}, Description: "All.", Loose: []string{"First.", "Second.", "Third."},
	}
	f.Fit(500)
	parts := f.Parts()
	if len(parts) != 3 {
		t.Fatalf("%d parts", len(parts))
	}
	for r, want := range []vg.Length{100, 300, 100} {
		p := parts[r]
		if got := p.Height - p.Extra(); got != want {
			t.Errorf("the panel of part %d is %v high; want %v", r, got, want)
		}
		if p.Alt() != f.Loose[r] || p.Width != f.Width || p.Panels[0][0] != f.Panels[r][0] {
			t.Errorf("part %d: %+v", r, p)
		}
		if (p.Title != "") != (r == 0) || (p.Legend != nil) != (r == 0) || (p.Notes != nil) != (r == 2) {
			t.Errorf("part %d: title %q, legend %v, notes %q", r, p.Title, p.Legend, p.Notes)
		}
	}
	f.Loose = f.Loose[:2] // not one for each row
	if parts := f.Parts(); len(parts) != 1 || parts[0] != f {
		t.Errorf("two descriptions of three rows: %d parts", len(parts))
	}
	f.Loose = nil
	if parts := f.Parts(); len(parts) != 1 || parts[0] != f {
		t.Errorf("rows that belong together: %v", parts)
	}
}

// Rows without a weight, or of weight 0, count as those of weight 1, in the figure and in its parts, whose heights are whole points.
func TestWeights(t *testing.T) {
	f := &Figure{Width: ColumnWidth, Panels: [][]*plot.Plot{{Panel("", "")}, {Panel("", "")}, {Panel("", "")}}, RowWeights: []float64{0, 2},
		Loose: []string{"1", "2", "3"}}
	f.Fit(401)
	for r, want := range []vg.Length{101, 201, 101} {
		if part := f.Parts()[r]; part.Height-part.Extra() != want {
			t.Errorf("part %d is %v high; want %v", r, part.Height-part.Extra(), want)
		}
	}
	c := draw.NewCanvas(new(recorder.Canvas), f.Width, f.Height)
	var h [3]vg.Length
	for r, row := range f.Align(c) {
		area := f.Panels[r][0].DataCanvas(row[0])
		h[r] = area.Max.Y - area.Min.Y
	}
	if !(math.Abs(float64(h[1]/h[0])-2) <= 1e-3) || !(math.Abs(float64(h[2]/h[0])-1) <= 1e-3) {
		t.Errorf("data areas of heights %v; want 1 : 2 : 1", h)
	}
}

// The height of a figure is that of its panels and of what is around them, however title, legend and notes are broken into lines: the
// panels get what was asked for, and nothing is drawn over them.
func TestFitLeavesRoom(t *testing.T) {
	long := strings.Repeat("a long text of many words ", 6)
	entry := func(name string) Entry { return Entry{Name: name} } // without a symbol
	for name, f := range map[string]*Figure{
		"nothing": {}, "title": {Title: "Title"}, "long title": {Title: long}, "notes": {Notes: []string{"one", long, "three"}},
		"legend": {Legend: []Entry{MarkerEntry("a", Look{Color: Blue}), LineEntry("b", Line(Ink, 1, nil))}},
		"rows":   {Legend: []Entry{entry("an entry of the legend"), entry("another entry of it"), entry("and a third one"), entry("4")}},
		"wide":   {Legend: []Entry{entry(long), entry("b"), entry(long)}},
		"all":    {Title: long, Legend: []Entry{entry(long), entry("b")}, Notes: []string{long}},
	} {
		p := Panel("x", "y")
		p.BackgroundColor = color.NRGBA{R: 1, G: 2, B: 3, A: 255}
		f.Panels, f.Width = [][]*plot.Plot{{p}}, ColumnWidth
		f.Fit(200)
		var r recorder.Canvas
		f.Draw(draw.NewCanvas(&r, f.Width, f.Height))
		var last color.Color
		var got vg.Length
		for _, a := range r.Actions {
			switch a := a.(type) {
			case *recorder.SetColor:
				last = a.Color
			case *recorder.Fill:
				if last == p.BackgroundColor {
					lo, hi := f.Height, vg.Length(0)
					for _, e := range a.Path {
						if e.Type != vg.CloseComp {
							lo, hi = min(lo, e.Pos.Y), max(hi, e.Pos.Y)
						}
					}
					got = hi - lo
				}
			}
		}
		if got < 199.9 || got > 201 {
			t.Errorf("%s: the panel is %v high in a figure of %v; want 200", name, got, f.Height)
		}
	}
	f := &Figure{Panels: [][]*plot.Plot{{Panel("", "")}}}
	if f.Fit(100); f.Width != PageWidth || f.Height != 100+f.Extra() {
		t.Errorf("no size: %v x %v", f.Width, f.Height)
	}
}

// Axes of the same scale make panels of 120 to 700 points.
func TestLevel(t *testing.T) {
	for ratio, want := range map[float64]vg.Length{.01: 120, 100: 700} {
		f := &Figure{Width: ColumnWidth, Panels: [][]*plot.Plot{{Panel("x", "y")}, {Panel("x", "y")}}}
		f.Fit(300)
		f.Level(ratio)
		c := f.Align(draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: f.Width - 2*Edge, Y: f.Height - f.Extra()}}})
		for r, row := range c {
			if a := f.Panels[r][0].DataCanvas(row[0]); !(math.Abs(float64(a.Max.Y-a.Min.Y-want)) <= .5) {
				t.Errorf("ratio %v: panel %d is %v high; want %v", ratio, r, a.Max.Y-a.Min.Y, want)
			}
		}
	}
}

// Titles make the room that they need: with the label of an axis below, or one of the two alone.
func TestTopLabelRoom(t *testing.T) {
	title, axis := Heading("").Style().Height("Title"), Write(TickSize, Muted).Height("axis")
	for l, want := range map[TopLabel]vg.Length{{}: 4, {Title: "Title"}: 6 + title, {Axis: "axis"}: 4 + axis, {"Title", "axis"}: 6 + title + axis} {
		if got := l.GlyphBoxes(nil)[0].Rectangle.Max.Y; !(math.Abs(float64(got-want)) <= 1e-9) {
			t.Errorf("%+v: %v; want %v", l, got, want)
		}
	}
}

// Every other lane is striped, from a first one on; a lane without a name has a tick all the same.
func TestLanes(t *testing.T) {
	for first, want := range map[int][]vg.Length{0: {50, 250}, 1: {150}, 3: nil} {
		p := plot.New()
		Lanes(p, []string{"a", "", "a name that is much too long for the room left of a panel"})
		ticks := p.Y.Tick.Marker.Ticks(0, 0)
		if ticks[0] != (plot.Tick{Value: 2, Label: "a"}) || ticks[1] != (plot.Tick{Value: 1, Label: " "}) || !strings.HasSuffix(ticks[2].Label, "…") {
			t.Errorf("ticks %+v", ticks)
		}
		var r recorder.Canvas
		Stripes(first, 3)(draw.NewCanvas(&r, 90, 300), p)
		var middles []vg.Length
		for _, a := range r.Actions {
			if fill, ok := a.(*recorder.Fill); ok {
				middles = append(middles, 300-(fill.Path[0].Pos.Y+fill.Path[2].Pos.Y)/2)
			}
		}
		if !slices.Equal(middles, want) {
			t.Errorf("from lane %d on: stripes at %v; want %v", first, middles, want)
		}
	}
}
