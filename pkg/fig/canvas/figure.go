package canvas

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Figure is a column of panels with one title and one legend.
type Figure struct {
	Title string
	// Panels are listed from top to bottom; the left and right ends of their data areas are
	// aligned.
	Panels []*plot.Plot
	// RowWeights are the relative heights of the panels; nil means equal heights.
	RowWeights []float64
	// Legend is drawn between the title and the panels, outside the axes.
	Legend []Entry
	// Notes are printed below the panels in small type, one note on each line.
	Notes []string
	// Description describes the figure in one or two sentences for people who cannot see it.
	Description string
	// If panels can be shown separately, Loose has a description of each panel; nil means that the
	// panels belong together. [Figure.Parts] uses Loose.
	Loose []string
	// Width and Height are the size of the figure.
	Width, Height vg.Length
}

// Alt returns a text for people who cannot see the figure: Description or, if it is empty, the
// title.
func (f *Figure) Alt() string {
	if f.Description == "" {
		return f.Title
	}
	return f.Description
}

// PageWidth is the width of wide figures: 900 pixels in a notebook.
const PageWidth = 675 * vg.Length(1)

// ColumnWidth is the width of narrow figures, which fit on a phone with a screen of 390 pixels. At
// ColumnWidth, the smallest text, 9.5 points, is 12 pixels high.
const ColumnWidth = 308 * vg.Length(1)

// The following constants are distances between the parts of a figure.
const (
	Edge        = vg.Length(8)
	panelGap    = vg.Length(14)
	symbolWidth = vg.Length(22)
	entryGap    = vg.Length(14)
)

// Draw draws the figure onto c.
func (f *Figure) Draw(c draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, Edge, -Edge, Edge, -Edge)

	if f.Title != "" {
		sty := Aligned(Strong(Write(titleSize, Ink)), draw.XLeft, draw.YTop)
		text := Wrap(sty, f.Title, c.Max.X-c.Min.X)
		Put(c, sty, vg.Point{X: c.Min.X, Y: c.Max.Y}, text)
		c.Max.Y -= sty.Height(text) + 6
	}
	c.Max.Y -= f.legend(c)

	note := Write(NoteSize, Muted)
	for i := len(f.Notes) - 1; i >= 0; i-- {
		text := Wrap(note, f.Notes[i], c.Max.X-c.Min.X)
		Put(c, note, c.Min, text)
		c.Min.Y += note.Height(text) + 1
	}
	if len(f.Notes) > 0 {
		c.Min.Y += 5
	}
	for i, part := range f.canvases(c) {
		f.Panels[i].Draw(part)
	}
}

// weight returns the relative height of panel i, before normalisation.
func (f *Figure) weight(i int) vg.Length {
	if i < len(f.RowWeights) && f.RowWeights[i] > 0 {
		return vg.Length(f.RowWeights[i])
	}
	return 1
}

// frame is the space around the data area of a panel, for labels and ticks.
type frame struct{ left, right, bottom, top vg.Length }

// canvases returns a canvas for each panel. The data areas are aligned, and share the space that
// remains after the frames. Unlike plot.Align, canvases supports panels of different heights.
func (f *Figure) canvases(c draw.Canvas) []draw.Canvas {
	n, total := len(f.Panels), vg.Length(0)
	for i := range n {
		total += f.weight(i)
	}
	width, height := c.Max.X-c.Min.X, c.Max.Y-c.Min.Y
	areas, frames, out := make([]vg.Rectangle, n), make([]frame, n), make([]draw.Canvas, n)
	for i := range areas {
		areas[i] = vg.Rectangle{Max: vg.Point{X: width, Y: height * f.weight(i) / total}}
	}
	around := func(i int) draw.Canvas { // returns the canvas of panel i
		a, fr := areas[i], frames[i]
		return draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: a.Min.X - fr.left, Y: a.Min.Y - fr.bottom},
			Max: vg.Point{X: a.Max.X + fr.right, Y: a.Max.Y + fr.top},
		}}
	}
	// The frame of a panel depends slightly on the panel's size, because tick labels can extend
	// beyond the axis. Three iterations suffice for convergence.
	for range 3 {
		var sides frame
		h := height - panelGap*vg.Length(n-1)
		for i, p := range f.Panels {
			out := around(i)
			in := p.DataCanvas(out)
			fr := frame{in.Min.X - out.Min.X, out.Max.X - in.Max.X, in.Min.Y - out.Min.Y, out.Max.Y - in.Max.Y}
			frames[i] = fr
			h -= fr.bottom + fr.top
			sides.left, sides.right = max(sides.left, fr.left), max(sides.right, fr.right)
		}
		w := max(width-(sides.left+sides.right), 20)
		h = max(h, 20*vg.Length(n))
		y := c.Max.Y
		for i, fr := range frames {
			y -= fr.top
			hi := h * f.weight(i) / total
			areas[i] = vg.Rectangle{Min: vg.Point{X: c.Min.X + sides.left, Y: y - hi},
				Max: vg.Point{X: c.Min.X + sides.left + w, Y: y}}
			y -= hi + fr.bottom + panelGap
		}
	}
	for i := range out {
		out[i] = around(i)
	}
	return out
}

// Fit sets the size of the figure, unless it is already set; the argument panels is the total
// height of the panels.
func (f *Figure) Fit(panels vg.Length) {
	if f.Width <= 0 {
		f.Width = PageWidth
	}
	if f.Height <= 0 {
		f.Height = panels + f.Extra()
	}
}

// Extra returns the total height of the title, legend, notes and margins for the current f.Width.
func (f *Figure) Extra() vg.Length {
	h := Edge + f.Head()
	w := f.Width - 2*Edge
	sty := Write(NoteSize, Muted)
	for _, n := range f.Notes {
		h += sty.Height(Wrap(sty, n, w)) + 1
	}
	if len(f.Notes) > 0 {
		h += 5
	}
	return vg.Length(math.Ceil(float64(h)))
}

// Head returns the distance from the top of the figure to its first panel.
func (f *Figure) Head() vg.Length {
	h := Edge
	w := f.Width - 2*Edge
	if f.Title != "" {
		sty := Strong(Write(titleSize, Ink))
		h += sty.Height(Wrap(sty, f.Title, w)) + 6
	}
	if len(f.Legend) > 0 {
		sty := Write(TickSize, Ink)
		rows, x := 1, vg.Length(0)
		for _, e := range f.Legend {
			ew := symbolWidth + 5 + sty.Width(e.Name)
			if x > 0 && x+ew > w {
				rows, x = rows+1, 0
			}
			x += ew + entryGap
		}
		h += vg.Length(rows)*(sty.Height("X")+4) + 6
	}
	return h
}

// Parts splits the figure into figures that a page shows side by side or, on a narrow page, one
// below the other. If f.Loose is set, each panel becomes a part; otherwise, f itself is the only
// part. The first part has the title and the legend, and the last part has the notes.
func (f *Figure) Parts() []*Figure {
	n := len(f.Panels)
	if n < 2 || len(f.Loose) != n {
		return []*Figure{f}
	}
	total := vg.Length(0)
	for r := range n {
		total += f.weight(r)
	}
	height := f.Height - f.Extra()
	parts := make([]*Figure, n)
	for r := range parts {
		part := &Figure{Panels: f.Panels[r : r+1], Description: f.Loose[r], Width: f.Width}
		if r == 0 {
			part.Title, part.Legend = f.Title, f.Legend
		}
		if r == n-1 {
			part.Notes = f.Notes
		}
		part.Height = vg.Length(math.Ceil(float64(height*f.weight(r)/total))) + part.Extra()
		parts[r] = part
	}
	return parts
}
