package fig

import (
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// sketched is a panel with something of everything.
func sketched() Sketch {
	return Sketch{
		Title: "Two regions", XLabel: "x", YLabel: "y", X: [2]float64{0, 2}, Y: [2]float64{0, 2},
		Regions: []SketchRegion{
			{Name: "left", Color: canvas.Light(canvas.Blue, .3),
				Pieces: [][]canvas.Point{canvas.Rectangle(-1, 1, -1, 3)}},
			{Name: "right", Color: canvas.Light(canvas.Orange, .3),
				Pieces: [][]canvas.Point{canvas.Rectangle(1, 2, 0, 1),
					canvas.Rectangle(1, 2, 1, 2)}},
		},
		Lines: []SketchLine{{Points: []canvas.Point{{X: 1, Y: -1}, {X: 1, Y: 3}},
			Style: canvas.Line(canvas.Ink, 1, nil)}},
		Arrows: []SketchArrow{{From: canvas.Point{X: .2, Y: .2}, To: canvas.Point{X: 1.7, Y: .3},
			Color: canvas.Vermilion}},
		Points: []SketchPoint{{Point: canvas.Point{X: .5, Y: 1}, Name: "in the middle",
			Look: Look{Color: canvas.Ink}}},
	}
}

// laned is a panel with names on both axes.
func laned() Sketch {
	s := Sketch{Title: "Lanes", X: [2]float64{.5, 2.5}, XNames: []string{"one", "two"},
		YNames: []string{"above", "below"}}
	for i := range 2 {
		s.Points = append(s.Points, SketchPoint{Point: canvas.Point{X: float64(i + 1),
			Y: canvas.Lane(i, 2)},
			Look: Look{Color: canvas.Blue, Marker: canvas.Square}})
	}
	return s
}

func TestSketches(t *testing.T) {
	f, err := Sketches([]Sketch{sketched(), laned()}, &SketchOptions{Title: "Both"})
	if err != nil || len(f.Panels) != 2 || len(f.Parts()) != 2 {
		t.Fatalf("%v, %v", f, err)
	}
	if f.Alt() != "Both: Two regions; Lanes." {
		t.Errorf("alt text %q", f.Alt())
	}
	for name, c := range map[string]struct {
		edit func(*Sketch)
		says string
	}{
		"height": {func(s *Sketch) { s.Y = [2]float64{2, 2} }, "axes from 0 to 2 and 2 to 2; want ranges from less to more"},
		"from":   {func(s *Sketch) { s.Arrows[0].From.Y = math.NaN() }, "the point (0.2, NaN); want finite numbers"},
		"range":  {func(s *Sketch) { s.X = [2]float64{1, 1} }, "ranges from less to more"},
		"region": {func(s *Sketch) { s.Regions[0].Pieces[0][0].X = math.NaN() }, "finite"},
		"line":   {func(s *Sketch) { s.Lines[0].Points[0].Y = math.Inf(1) }, "finite"},
		"arrow":  {func(s *Sketch) { s.Arrows[0].To.X = math.Inf(-1) }, "finite"},
		"point":  {func(s *Sketch) { s.Points[0].Y = math.NaN() }, "finite"},
	} {
		s := sketched()
		c.edit(&s)
		if _, err := Sketches([]Sketch{s}, nil); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want an error that says %q", name, err, c.says)
		}
	}
	for i, tick := range f.Panels[1][0].X.Tick.Marker.Ticks(0, 0) { // names stand at 1, 2 and so on
		if tick.Value != float64(i+1) || tick.Label != []string{"one", "two"}[i] {
			t.Errorf("name %d: %+v", i, tick)
		}
	}
	if f := must(Sketches([]Sketch{sketched()}, &SketchOptions{Title: "One", Words: "Said."})); f.Alt() != "Said." {
		t.Errorf("alt text %q", f.Alt())
	}
	if _, err := Sketches(nil, nil); err == nil {
		t.Error("no panels are drawn")
	}
}
