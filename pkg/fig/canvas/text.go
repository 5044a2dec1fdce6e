package canvas

import (
	"image/color"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The following constants are font sizes in points. A notebook shows 675 points as 900 pixels, so
// 10 points are about 13 pixels.
const (
	titleSize = 12.
	labelSize = 10.5
	TickSize  = 9.5
	NoteSize  = 9.5
)

// Write returns a text style with the anchor at the lower left corner of the text box.
func Write(size float64, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.Font{Typeface: "DejaVu", Variant: "Sans", Size: vg.Points(size)},
		Handler: Outlines{},
	}
}

// Strong returns the style s in bold.
func Strong(s text.Style) text.Style {
	s.Font.Weight = xfont.WeightBold
	return s
}

// Aligned returns the style s with the anchor at the given position in the text box.
func Aligned(s text.Style, x text.XAlignment, y text.YAlignment) text.Style {
	s.XAlign, s.YAlign = x, y
	return s
}

// Put draws s so that the anchor of its text box is at pt.
func Put(c draw.Canvas, sty text.Style, pt vg.Point, s string) {
	pt.Y += sty.FontExtents().Descent
	Outlines{}.Draw(c.Canvas, s, sty, pt)
}

// Wrap breaks s into lines of at most the given width, at spaces, but not next to relations as in
// "delta = 0.1".
func Wrap(sty text.Style, s string, width vg.Length) string {
	var out strings.Builder
	for i, paragraph := range strings.Split(s, "\n") {
		if i > 0 {
			out.WriteByte('\n')
		}
		line := ""
		for _, word := range words(paragraph) {
			if line != "" && sty.Width(line+" "+word) > width {
				out.WriteString(line + "\n")
				line = word
				continue
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		out.WriteString(line)
	}
	return out.String()
}

// words splits s at spaces that are not next to a relation.
func words(s string) []string {
	var ws []string
	glue := false
	for _, w := range strings.Fields(s) {
		relation := w == "=" || w == "≤" || w == "≥" || w == "<" || w == ">"
		if n := len(ws); n > 0 && (glue || relation) {
			ws[n-1] += " " + w
		} else {
			ws = append(ws, w)
		}
		glue = relation
	}
	return ws
}

// Clip shortens s to the given width. An ellipsis replaces characters in front of the last third of
// the result, because names often differ only at their ends.
func Clip(sty text.Style, s string, width vg.Length) string {
	if sty.Width(s) <= width {
		return s
	}
	r, short := []rune(s), "…"
	for n := len(r) - 1; n > 0; n-- {
		short = strings.TrimRight(string(r[:n-n/3]), " ") + "…" + strings.TrimLeft(string(r[len(r)-n/3:]), " ")
		if sty.Width(short) <= width {
			break
		}
	}
	return short
}

// typeset replaces comparisons and arrows in ASCII, such as "<=", by single characters.
var typeset = strings.NewReplacer(">=", "≥", "<=", "≤", "->", "→")

// Pretty returns a name in the form in which figures show names, on one line.
func Pretty(name string) string { return strings.Join(strings.Fields(typeset.Replace(name)), " ") }
