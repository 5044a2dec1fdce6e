package canvas

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// An svgCanvas is written text on as text, which can be selected, searched and read aloud, instead of
// as outlines. It has the width of the outlines whatever font a page has: see measured.
type svgCanvas struct{ *vgsvg.Canvas }

// below returns what a canvas draws on, without the rectangles that it is cropped to.
func below(c vg.Canvas) vg.Canvas {
	for {
		switch in := c.(type) {
		case draw.Canvas:
			c = in.Canvas
		case *draw.Canvas:
			c = in.Canvas
		default:
			return c
		}
	}
}

// write writes a line of text with its base line at pt.
func (c svgCanvas) write(s string, sty text.Style, pt vg.Point) {
	c.FillString(font.Face{Font: sty.Font, Face: faceOf(sty.Font).font}, pt, s)
}

// written is a line of text as vgsvg writes it.
var written = regexp.MustCompile(`<text (x="[^"]*" y="[^"]*" transform="scale\(1, -1\)")\s+` +
	`style="font-family:[^;]*;[^"]*font-weight:(\w+);[^"]*font-size:([0-9.e+-]+)px([^"]*)">([^<]*)</text>`)

// measured gives lines of text their lengths, so that a font of other widths neither cuts them nor
// makes them overlap.
func measured(svg []byte) []byte {
	return written.ReplaceAllFunc(svg, func(m []byte) []byte {
		part := written.FindSubmatch(m)
		size, err := strconv.ParseFloat(string(part[3]), 64)
		if err != nil {
			return m
		}
		f, weight := regular(), ""
		if string(part[2]) == "bold" {
			f, weight = bold(), ";font-weight:bold"
		}
		s := string(part[5])
		// White space at the ends is not drawn, and counts in the length.
		s = strings.TrimSpace(html.UnescapeString(s))
		return fmt.Appendf(nil, `<text %s style="font-family:'DejaVu Sans',Verdana,sans-serif;`+
			`font-size:%spx%s%s" textLength="%.4g" lengthAdjust="spacingAndGlyphs">%s</text>`,
			part[1], part[3], weight, part[4], f.width(s)*size, html.EscapeString(s))
	})
}
