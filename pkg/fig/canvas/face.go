package canvas

import (
	"strings"
	"sync"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"codeberg.org/go-fonts/dejavu/dejavusansbold"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// glyph is the outline of one character, in units of the em, with the y axis pointing upwards.
type glyph struct {
	segments []sfnt.Segment
	advance  float64
}

// face is a font with a cache of character outlines.
type face struct {
	font            *sfnt.Font
	em              float64
	ascent, descent float64 // in units of the em, both positive

	mu     sync.Mutex
	buf    sfnt.Buffer
	glyphs map[rune]*glyph
}

func newFace(ttf []byte) *face {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic("fig: the embedded font cannot be parsed: " + err.Error())
	}
	fc := &face{font: f, em: float64(f.UnitsPerEm()), glyphs: map[rune]*glyph{}}
	m, err := f.Metrics(&fc.buf, fixed.Int26_6(f.UnitsPerEm()), xfont.HintingNone)
	if err != nil {
		panic("fig: the embedded font has no metrics: " + err.Error())
	}
	fc.ascent, fc.descent = float64(m.Ascent)/fc.em, float64(m.Descent)/fc.em
	return fc
}

// Lacks reports whether the font of PNG figures has no glyph for some character of s; SVG figures
// contain characters as text.
func Lacks(s string) bool {
	f := regular()
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.ContainsFunc(s, func(r rune) bool {
		i, err := f.font.GlyphIndex(&f.buf, r)
		return r >= ' ' && (err != nil || i == 0)
	})
}

// glyph returns the outline of the character r. For a character that the font lacks, glyph returns
// an empty box, which is glyph 0 of the font.
func (f *face) glyph(r rune) *glyph {
	f.mu.Lock()
	defer f.mu.Unlock()
	if g, ok := f.glyphs[r]; ok {
		return g
	}
	g := &glyph{}
	f.glyphs[r] = g
	i, err := f.font.GlyphIndex(&f.buf, r)
	if err != nil {
		i = 0
	}
	size := fixed.Int26_6(f.font.UnitsPerEm())
	if a, err := f.font.GlyphAdvance(&f.buf, i, size, xfont.HintingNone); err == nil {
		g.advance = float64(a) / f.em
	}
	if i == 0 && r >= 0x1100 { // East Asian characters and emoji are square
		g.advance = 1
	}
	if s, err := f.font.LoadGlyph(&f.buf, i, size, nil); err == nil {
		g.segments = append(g.segments, s...) // s is valid only until the next use of buf
	}
	return g
}

// width returns the width of s in units of the em.
func (f *face) width(s string) float64 {
	w := 0.
	for _, r := range s {
		w += f.glyph(r).advance
	}
	return w
}

// appendPath appends the outlines of the text s in the given size, starting at pt.
func (f *face) appendPath(p vg.Path, s string, size vg.Length, pt vg.Point) vg.Path {
	scale := size / vg.Length(f.em)
	for _, r := range s {
		g := f.glyph(r)
		at := func(a fixed.Point26_6) vg.Point {
			return vg.Point{X: pt.X + vg.Length(a.X)*scale, Y: pt.Y - vg.Length(a.Y)*scale}
		}
		for i, s := range g.segments {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				if i > 0 {
					p.Close()
				}
				p.Move(at(s.Args[0]))
			case sfnt.SegmentOpLineTo:
				p.Line(at(s.Args[0]))
			case sfnt.SegmentOpQuadTo:
				p.QuadTo(at(s.Args[0]), at(s.Args[1]))
			case sfnt.SegmentOpCubeTo:
				p.CubeTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
			}
		}
		if len(g.segments) > 0 {
			p.Close()
		}
		pt.X += vg.Length(g.advance) * size
	}
	return p
}

var (
	regular = sync.OnceValue(func() *face { return newFace(dejavusans.TTF) })
	bold    = sync.OnceValue(func() *face { return newFace(dejavusansbold.TTF) })
)

func faceOf(f font.Font) *face {
	if f.Weight == xfont.WeightBold {
		return bold()
	}
	return regular()
}

// Outlines is a text.Handler that draws plain text as outlines, so that no output format needs the
// font. In SVG output, Outlines writes text instead; see [SVG].
type Outlines struct{}

// Cache implements text.Handler.
func (Outlines) Cache() *font.Cache { return font.DefaultCache }

// Extents implements text.Handler.
func (Outlines) Extents(f font.Font) font.Extents {
	fc := faceOf(f)
	a, d := f.Size*vg.Length(fc.ascent), f.Size*vg.Length(fc.descent)
	return font.Extents{Ascent: a, Descent: d, Height: a + d}
}

// Lines implements text.Handler.
func (Outlines) Lines(s string) []string { return strings.Split(strings.TrimRight(s, "\n"), "\n") }

// Box implements text.Handler.
func (o Outlines) Box(s string, f font.Font) (width, height, depth vg.Length) {
	e := o.Extents(f)
	return f.Size * vg.Length(faceOf(f).width(s)), e.Ascent, e.Descent
}

// Draw implements text.Handler.
func (o Outlines) Draw(c vg.Canvas, s string, sty text.Style, pt vg.Point) {
	if strings.TrimSpace(s) == "" {
		return
	}
	c.Push()
	defer c.Pop()
	c.SetColor(sty.Color)
	c.Translate(pt)
	if sty.Rotation != 0 {
		c.Rotate(sty.Rotation)
	}
	e := o.Extents(sty.Font)
	lines := o.Lines(s)
	// If YAlign is 0, the base line of the last line is at pt, as in gonum/plot. If YAlign is -1,
	// the text is lower by its height.
	y := e.Height*vg.Length(len(lines))*(1+vg.Length(sty.YAlign)) - e.Height
	svg, isText := below(c).(svgCanvas)
	var p vg.Path
	for _, l := range lines {
		w, _, _ := o.Box(l, sty.Font)
		at := vg.Point{X: vg.Length(sty.XAlign) * w, Y: y}
		if isText && strings.TrimSpace(l) != "" {
			svg.write(l, sty, at)
		} else {
			p = faceOf(sty.Font).appendPath(p, l, sty.Font.Size, at)
		}
		y -= e.Height
	}
	if len(p) > 0 {
		c.Fill(p)
	}
}
