package fig

import (
	"hash/fnv"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/explore"
)

// The colours of Okabe and Ito, but for the yellow, which white paper swallows.
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

var (
	ink   = color.NRGBA{R: 0x20, G: 0x20, B: 0x20, A: 255}
	faint = color.NRGBA{R: 0xE4, G: 0xE4, B: 0xE4, A: 255}
	muted = color.NRGBA{R: 0x58, G: 0x58, B: 0x58, A: 255}
	band  = color.NRGBA{R: 0xF5, G: 0xF5, B: 0xF5, A: 255}
)

// light returns c mixed with white; share is what stays of c.
func light(c color.NRGBA, share float64) color.NRGBA {
	mix := func(x uint8) uint8 { return uint8(math.Round(255 - (255-float64(x))*share)) }
	return color.NRGBA{R: mix(c.R), G: mix(c.G), B: mix(c.B), A: c.A}
}

// A Look is how a method or a class of arms is drawn.
type Look struct {
	Color  color.NRGBA
	Marker Marker
	Dashes []vg.Length // of its lines; nil is solid
}

// looks of the methods that the studies compare.
var looks = map[string]Look{
	"e-cAPE":     {Blue, Circle, nil},
	"MD-APT+APE": {Vermilion, Square, dashes[1]},
	"Racing":     {Green, Triangle, dashes[2]},
	"Uniform":    {Orange, Diamond, dashes[3]},
	"GEGE":       {Blue, Circle, nil},
	"LinFACT-G":  {Blue, Circle, nil},
	"LinFACT-XY": {SkyBlue, Square, dashes[1]},
	"PFIwR":      {Blue, Circle, nil},
	"RAGE":       {Vermilion, Square, dashes[1]},
	"APE":        {Purple, Nabla, dashes[4]},
	"PAL":        {Vermilion, Square, dashes[1]},
	"EGE-SH":     {Vermilion, Square, dashes[1]},
	"EGE-SR":     {Green, Triangle, dashes[2]},
	"Auer":       {Green, Triangle, dashes[2]},
	"PSIPS":      {SkyBlue, Diamond, dashes[1]},
	"XY-Oracle":  {Black, Plus, dashes[2]},
	"Oracle":     {Black, Plus, dashes[2]},

	"XY-oracle":      {Black, Plus, dashes[2]},
	"XY-adaptive":    {SkyBlue, Triangle, dashes[4]},
	"XY-static":      {Orange, Nabla, dashes[3]},
	"G-allocation":   {Grey, Ring, dashes[2]},
	"LinGapE":        {Blue, Circle, nil},
	"LinGapE greedy": {Blue, Ring, dashes[1]},
	"ALBA":           {Green, Diamond, dashes[1]},
	"LinGame":        {Purple, Cross, nil},
	"Lazy TTS":       {Purple, Square, dashes[3]},
	"FWS":            {Green, Circle, dashes[4]},
	"PEACE":          {Vermilion, Circle, dashes[3]},
	"OD-LinBAI":      {SkyBlue, Diamond, nil},
	"GSE":            {Orange, Square, dashes[4]},

	// Solvers of designs, by design.Method.
	"certified":           {Blue, Circle, nil},
	"Frank-Wolfe (paper)": {Vermilion, Square, dashes[1]},
}

var (
	hues   = []color.NRGBA{Blue, Vermilion, Green, Orange, Purple, SkyBlue, Black, Grey}
	shapes = []Marker{Circle, Square, Triangle, Diamond, Nabla, Cross, Plus, Ring}
	dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 2, 2, 2}, {4, 1.5}}
)

// Method returns the look of a method. It depends on the name alone: methods
// that the studies compare have theirs fixed, others get one of 320 from a hash
// of the name (FNV-1a).
func Method(name string) Look {
	if l, ok := looks[name]; ok {
		return l
	}
	h := fnv.New32a()
	h.Write([]byte(name)) // never fails
	s := h.Sum32()
	n := func(k int) int {
		// The low bits of FNV-1a are the weakest: fold before each draw.
		s ^= s >> 15
		i := int(s % uint32(k))
		s /= uint32(k)
		return i
	}
	return Look{hues[n(len(hues))], shapes[n(len(shapes))], dashes[n(len(dashes))]}
}

// Class returns the look of arms of a class.
func Class(c explore.Class) Look {
	switch c {
	case explore.Optimal:
		return Look{Color: Green, Marker: Circle}
	case explore.Dominated:
		return Look{Color: Blue, Marker: Square}
	case explore.Infeasible:
		return Look{Color: Vermilion, Marker: Cross}
	}
	return Look{Color: Grey, Marker: Ring}
}

// A Marker is the shape of a point.
type Marker int

// The markers.
const (
	Circle Marker = iota
	Square
	Triangle
	Diamond
	Nabla // a triangle that points down
	Cross
	Plus
	Ring
)

// path returns the outline of m around pt; r is the radius of a circle of
// about the same area.
func (m Marker) path(pt vg.Point, r vg.Length) vg.Path {
	poly := func(xy ...vg.Length) vg.Path {
		var p vg.Path
		for i := 0; i < len(xy); i += 2 {
			q := vg.Point{X: pt.X + r*xy[i], Y: pt.Y + r*xy[i+1]}
			if i == 0 {
				p.Move(q)
			} else {
				p.Line(q)
			}
		}
		p.Close()
		return p
	}
	switch m {
	case Square:
		const a = .9
		return poly(-a, -a, a, -a, a, a, -a, a)
	case Triangle:
		return poly(-1.15, -.8, 1.15, -.8, 0, 1.2)
	case Nabla:
		return poly(-1.15, .8, 1.15, .8, 0, -1.2)
	case Diamond:
		return poly(0, -1.25, 1.25, 0, 0, 1.25, -1.25, 0)
	case Plus:
		const a, b = .33, 1.15
		return poly(-a, -b, a, -b, a, -a, b, -a, b, a, a, a, a, b, -a, b, -a, a, -b, a, -b, -a, -a, -a)
	case Cross:
		const a, b = .42, 1.05
		return poly(0, a, b-a, b, b, b-a, a, 0, b, a-b, b-a, -b, 0, -a, a-b, -b, -b, a-b, -a, 0, -b, b-a, a-b, b)
	}
	return ellipse(pt, r, r, 0)
}

// draw draws m at pt: filled and with a thin white edge, so that markers that
// overlap stay apart.
func (m Marker) draw(c draw.Canvas, col color.NRGBA, pt vg.Point, r vg.Length) {
	if m == Ring {
		c.SetColor(color.White)
		c.Fill(m.path(pt, r))
		c.SetLineStyle(draw.LineStyle{Color: col, Width: r * .4})
		c.Stroke(m.path(pt, r*.85))
		return
	}
	c.SetColor(color.White)
	c.Fill(m.path(pt, r+.8))
	c.SetColor(col)
	c.Fill(m.path(pt, r))
}

// ellipse returns an ellipse with half axes a and b, a turned by angle, as four
// Bézier curves: back-ends disagree on arcs.
func ellipse(pt vg.Point, a, b vg.Length, angle float64) vg.Path {
	const k = .5522847498 // 4/3 (sqrt 2 - 1)
	sin, cos := math.Sincos(angle)
	at := func(x, y vg.Length) vg.Point {
		x, y = x*a, y*b
		return vg.Point{X: pt.X + x*vg.Length(cos) - y*vg.Length(sin), Y: pt.Y + x*vg.Length(sin) + y*vg.Length(cos)}
	}
	var p vg.Path
	p.Move(at(1, 0))
	p.CubeTo(at(1, k), at(k, 1), at(0, 1))
	p.CubeTo(at(-k, 1), at(-1, k), at(-1, 0))
	p.CubeTo(at(-1, -k), at(-k, -1), at(0, -1))
	p.CubeTo(at(k, -1), at(1, -k), at(1, 0))
	p.Close()
	return p
}

func line(c color.Color, width float64, dashes []vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: vg.Points(width), Dashes: dashes}
}

// A paint is a plotter without a range of its own.
type paint func(c draw.Canvas, p *plot.Plot)

func (f paint) Plot(c draw.Canvas, p *plot.Plot) { f(c, p) }

// panel returns an empty panel in the style of the package: axes without
// padding, so that limits must be set with a margin.
func panel(xlabel, ylabel string) *plot.Plot {
	p := plot.New()
	p.TextHandler = outlines{}
	p.BackgroundColor = nil // the figure has painted it; a panel must not cut what stands out of its neighbour
	p.Title.TextStyle = aligned(strong(write(labelSize, ink)), draw.XCenter, draw.YTop)
	p.Title.Padding = 5
	p.Legend.TextStyle = write(tickSize, ink)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Padding = 0
		a.LineStyle = line(muted, .6, nil)
		a.Tick.LineStyle = line(muted, .6, nil)
		a.Tick.Length = 5
		a.Label.TextStyle = aligned(write(labelSize, ink), draw.XCenter, draw.YBottom)
		a.Label.Padding = 3
		a.Tick.Marker = linearTicks{6}
	}
	p.X.Tick.Label = aligned(write(tickSize, ink), draw.XCenter, draw.YTop)
	p.Y.Tick.Label = aligned(write(tickSize, ink), draw.XRight, draw.YCenter)
	p.X.Label.Text, p.Y.Label.Text = xlabel, ylabel
	return p
}

// heading is a title above the left end of the data area. (That of a plot.Plot
// stands above the middle of panel and tick labels.)
type heading string

func (h heading) style() text.Style { return strong(write(labelSize, ink)) }

// Plot implements plot.Plotter.
func (h heading) Plot(c draw.Canvas, _ *plot.Plot) {
	put(c, h.style(), vg.Point{X: c.Min.X, Y: c.Max.Y + 3}, string(h))
}

// GlyphBoxes implements plot.GlyphBoxer: it makes room above the data.
func (h heading) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{{X: 0, Y: 1, Rectangle: vg.Rectangle{Max: vg.Point{Y: h.style().Height(string(h)) + 3}}}}
}

// grid draws faint lines at the labelled ticks of x, and of y if wanted.
func grid(y bool) paint {
	return func(c draw.Canvas, p *plot.Plot) {
		sty := line(faint, .6, nil)
		for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
			if x := c.X(p.X.Norm(t.Value)); !t.IsMinor() && c.ContainsX(x) {
				c.StrokeLine2(sty, x, c.Min.Y, x, c.Max.Y)
			}
		}
		if !y {
			return
		}
		for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
			if y := c.Y(p.Y.Norm(t.Value)); !t.IsMinor() && c.ContainsY(y) {
				c.StrokeLine2(sty, c.Min.X, y, c.Max.X, y)
			}
		}
	}
}
