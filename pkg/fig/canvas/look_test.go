package canvas

import (
	"fmt"
	"slices"
	"testing"
)

// Looks differ as promised by the doc comment of Palette.Look.
func TestPaletteLooks(t *testing.T) {
	var p Palette
	for i := range 56 {
		p = append(p, fmt.Sprint("method ", i))
	}
	for i, a := range p {
		x := p.Look(a)
		for j, b := range p[:i] {
			y := p.Look(b)
			hue, shape := x.Color == y.Color, x.Marker == y.Marker
			if i < Hues && (hue || shape) || hue && shape {
				t.Errorf("%d and %d look alike", j, i)
			}
		}
		if x.Color == Grey || len(x.Dashes) > 0 {
			t.Errorf("%d has the look %+v; grey and dashes mean something else", i, x)
		}
	}
}

// Colour and marker identify the method, and dashes identify the constants.
func TestPaletteConstants(t *testing.T) {
	p := Palette{"RAGE", "", "radius (35)"}
	for _, constants := range []string{"theory", "paper", "code", "price 10", "price 100"} {
		a, b := p.Look("RAGE ("+constants+")"), p.Look("radius (35) ("+constants+")")
		if own := p.Look("RAGE"); a.Color != own.Color || a.Marker != own.Marker {
			t.Errorf("%s: RAGE has another colour or marker", constants)
		}
		if a.Color == b.Color || !slices.Equal(a.Dashes, b.Dashes) {
			t.Errorf("%s: looks %+v and %+v; want two colours and one dash", constants, a, b)
		}
		if solid := len(a.Dashes) == 0; solid != (constants == "theory") {
			t.Errorf("%s: solid is %v", constants, solid)
		}
	}
	if l := p.Look("radius (35)"); l.Color != Green || l.Dashes != nil {
		t.Errorf("a method with parentheses in its name has the look %+v", l)
	}
	if q := p.With("RAGE (paper)", "ALBA (code)", "ALBA"); !slices.Equal(q, append(p, "ALBA")) {
		t.Errorf("with constants: %q", q)
	}
}

// A method keeps its look when methods are added or removed.
func TestPaletteWith(t *testing.T) {
	paper := Palette{"RAGE", "XY-static"}
	more := paper.With("LinGapE", "RAGE", "ALBA", "LinGapE")
	if !slices.Equal(more, Palette{"RAGE", "XY-static", "LinGapE", "ALBA"}) {
		t.Errorf("with others: %q", more)
	}
	if same(more.Look("LinGapE"), more.Look("ALBA")) || !same(more.Look("RAGE"), paper.Look("RAGE")) {
		t.Error("looks change when methods join")
	}
	// Two palettes that extend the same palette do not share memory.
	room := append(make(Palette, 0, 8), paper...)
	a, b := room.With("A"), room.With("B")
	if a[2] != "A" || b[2] != "B" {
		t.Errorf("%q and %q", a, b)
	}
	if !same(paper.Look("new"), more.Look("LinGapE")) {
		t.Error("an unknown method does not get the look after the last")
	}
}

func same(a, b Look) bool {
	return a.Color == b.Color && a.Marker == b.Marker && slices.Equal(a.Dashes, b.Dashes)
}
