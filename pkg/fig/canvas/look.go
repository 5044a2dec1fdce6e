package canvas

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The following colours are grey and the palette of Okabe and Ito (Color Universal Design, 2008),
// which people with colour vision deficiencies can distinguish. One colour of Okabe and Ito,
// yellow, is omitted because it is hard to see on white.
var (
	Black     = color.NRGBA{A: 255}
	Orange    = color.NRGBA{R: 0xE6, G: 0x9F, A: 255}
	SkyBlue   = color.NRGBA{R: 0x56, G: 0xB4, B: 0xE9, A: 255}
	Green     = color.NRGBA{G: 0x9E, B: 0x73, A: 255}
	Blue      = color.NRGBA{G: 0x72, B: 0xB2, A: 255}
	Vermilion = color.NRGBA{R: 0xD5, G: 0x5E, A: 255}
	Purple    = color.NRGBA{R: 0xCC, G: 0x79, B: 0xA7, A: 255}
	Grey      = color.NRGBA{R: 0x80, G: 0x80, B: 0x80, A: 255}
)

// The following colours are those of text and of the background of data areas.
var (
	Ink    = color.NRGBA{R: 0x20, G: 0x20, B: 0x20, A: 255}
	Faint  = color.NRGBA{R: 0xE4, G: 0xE4, B: 0xE4, A: 255}
	Muted  = color.NRGBA{R: 0x58, G: 0x58, B: 0x58, A: 255}
	Stripe = color.NRGBA{R: 0xF5, G: 0xF5, B: 0xF5, A: 255}
)

// Light returns a mixture of c and white, in which share is the fraction of c.
func Light(c color.NRGBA, share float64) color.NRGBA {
	mix := func(x uint8) uint8 { return uint8(math.Round(255 - (255-float64(x))*share)) }
	return color.NRGBA{R: mix(c.R), G: mix(c.G), B: mix(c.B), A: c.A}
}

// Look is the colour, marker and line style of a method or of a class of arms.
type Look struct {
	Color  color.NRGBA
	Marker Marker
	Dashes []vg.Length // dashes of lines; nil means solid
}

// Glyph returns the style of a marker with the given radius, for plotter.Scatter.
func (l Look) Glyph(radius vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: l.Color, Radius: radius, Shape: l.Marker}
}

// Line returns a line style of the given width in points.
func (l Look) Line(width float64) draw.LineStyle { return Line(l.Color, width, l.Dashes) }

// Solid returns a line style without dashes, for example for error bars.
func (l Look) Solid(width float64) draw.LineStyle { return Line(l.Color, width, nil) }

// hues are the colours that a [Palette] assigns to methods, in this order. Grey is not among them,
// because grey is used for background lines.
var hues = [...]color.NRGBA{Blue, Vermilion, Green, Orange, Purple, SkyBlue, Black}

// Hues is the number of colours for methods, and the largest number of coloured lines in a panel.
const Hues = len(hues)

// shapes has one entry more than hues, so that methods with the same hue have different markers.
var shapes = [...]Marker{Circle, Square, Triangle, Diamond, Nabla, Cross, Plus, Ring}

// dashes maps the constants of a method to the dashes of its lines, in the same way for all
// methods.
var dashes = map[string][]vg.Length{"": nil, "theory": nil, "paper": {6, 3}, "code": {2, 2}}

// otherDashes are the dashes for constants that are not in dashes.
var otherDashes = []vg.Length{8, 2, 2, 2}

// Palette is a list of distinct methods. The position of a method in the list determines its look,
// so figures with the same palette draw the method in the same way. The hue of a method is
// determined by its position modulo [Hues]. An empty entry "" skips a position, to give the methods
// in a comparison different hues.
type Palette []string

// With returns p, extended by the given methods that are not in p. The methods already in p keep
// their looks. With ignores the constants in method names; see [Palette.Look].
func (p Palette) With(methods ...string) Palette {
	p = slices.Clip(p)
	for _, m := range methods {
		if p.index(m) < 0 {
			name, _ := p.split(m)
			p = append(p, name)
		}
	}
	return p
}

// Look returns the look of a method whose name may include its constants, as in "RAGE (paper)". The
// method determines the colour and the marker, and the constants determine the dashes. Lines are
// solid for "theory" or no constants, and have long dashes for "paper", short dashes for "code",
// and mixed dashes for any other constants. A method that is not in p has the look of the position
// after the last method.
//
// The first 7 positions differ in both hue and marker, and any 56 consecutive positions differ in
// hue or marker.
func (p Palette) Look(method string) Look {
	i := p.index(method)
	if i < 0 {
		i = len(p)
	}
	_, constants := p.split(method)
	dash, ok := dashes[constants]
	if !ok {
		dash = otherDashes
	}
	hue := i % len(hues)
	return Look{hues[hue], shapes[(hue+i/len(hues))%len(shapes)], dash}
}

// index returns the position of a method, whose name may include constants, or -1.
func (p Palette) index(label string) int {
	name, _ := p.split(label)
	return slices.Index(p, name)
}

// split splits a label into the method and the constants; names of methods may contain parentheses.
func (p Palette) split(label string) (method, constants string) {
	if i := strings.LastIndex(label, " ("); i > 0 && strings.HasSuffix(label, ")") && !slices.Contains(p, label) {
		return label[:i], label[i+2 : len(label)-1]
	}
	return label, ""
}
