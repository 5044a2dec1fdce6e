package canvas

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
)

// Looks differ as far as the doc comment of Palette.Look says.
func TestPaletteLooks(t *testing.T) {
	var p Palette
	for i := range 320 {
		p = append(p, fmt.Sprint("method ", i))
	}
	dash := func(l Look) string { return fmt.Sprint([]vg.Length(l.Dashes)) }
	for i, a := range p {
		x := p.Look(a)
		for j, b := range p[:i] {
			y := p.Look(b)
			hue, shape, line := x.Color == y.Color, x.Marker == y.Marker, dash(x) == dash(y)
			switch {
			case i < 8 && (hue || shape):
				t.Errorf("%d and %d share hue or marker", j, i)
			case i < 40 && hue && shape:
				t.Errorf("%d and %d have the same hue and marker", j, i)
			case i < 40 && shape && line:
				t.Errorf("%d and %d look the same in grey", j, i)
			case hue && shape && line:
				t.Errorf("%d and %d have the same look", j, i)
			}
		}
	}
}

// A method keeps its look when others join or when it is drawn with fewer.
func TestPaletteWith(t *testing.T) {
	paper := Palette{"RAGE", "XY-static"}
	more := paper.With("LinGapE", "RAGE", "ALBA", "LinGapE")
	if !slices.Equal(more, Palette{"RAGE", "XY-static", "LinGapE", "ALBA"}) {
		t.Errorf("with others: %q", more)
	}
	if same(more.Look("LinGapE"), more.Look("ALBA")) ||
		!same(more.Look("RAGE"), paper.Look("RAGE")) {
		t.Error("looks change when methods join")
	}
	// Two figures that extend the same palette do not share memory.
	a, b := paper.With("A"), paper.With("B")
	if a[2] != "A" || b[2] != "B" {
		t.Errorf("%q and %q", a, b)
	}
	if !same(paper.Look("new"), more.Look("LinGapE")) {
		t.Error("a method that the palette lacks has not the look after the last")
	}
}

func same(a, b Look) bool {
	return a.Color == b.Color && a.Marker == b.Marker && slices.Equal(a.Dashes, b.Dashes)
}
