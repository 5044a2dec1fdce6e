package canvas

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Look is how a method or a class of arms is drawn.
type Look struct {
	Color  color.NRGBA
	Marker Marker
	Dashes []vg.Length // of its lines; nil is solid
}

// Glyph returns the style of a marker of the given radius, for plotter.Scatter.
func (l Look) Glyph(radius vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: l.Color, Radius: radius, Shape: l.Marker}
}

// Line returns the style of a line of the given width in points.
func (l Look) Line(width float64) draw.LineStyle { return Line(l.Color, width, l.Dashes) }

// Solid returns the style of a line without dashes, such as an error bar.
func (l Look) Solid(width float64) draw.LineStyle { return Line(l.Color, width, nil) }

// What looks are made of. Markers and dashes say the same as hues, for print in
// grey; the numbers of markers and dashes, 8 and 5, have no common factor.
var (
	hues   = []color.NRGBA{Blue, Vermilion, Green, Orange, Purple, SkyBlue, Black, Grey}
	shapes = []Marker{Circle, Square, Triangle, Diamond, Nabla, Cross, Plus, Ring}
	dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 2, 2, 2}, {4, 1.5}}
)

// A Palette is a list of methods, each once. A method has the look of its place in
// the list, so that figures that share a palette show a method alike, whatever
// it is compared with: list the methods of all experiments of a paper, and give
// that list to each of its figures.
type Palette []string

// With returns p followed by those of methods that it lacks, in their order.
// Methods of p keep their looks.
func (p Palette) With(methods ...string) Palette {
	p = slices.Clip(p)
	for _, m := range methods {
		if !slices.Contains(p, m) {
			p = append(p, m)
		}
	}
	return p
}

// Look returns the look of a method; one that p lacks has that of the place after
// the last. The first 8 differ in hue and in marker, the first 40 in both (hue,
// marker) and (marker, dashes), so that they can be told apart in grey, and the
// first 320 in one of the three.
func (p Palette) Look(method string) Look {
	i := slices.Index(p, method)
	if i < 0 {
		i = len(p)
	}
	// Each further 8 are shifted by 3 hues: else the hue would say no more than
	// the marker.
	hue := (i + 3*(i/len(hues))) % len(hues)
	return Look{hues[hue], shapes[i%len(shapes)], dashes[i%len(dashes)]}
}
