package canvas

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Figure is a grid of panels with one title and one legend.
type Figure struct {
	Title string
	// Panels are rows of panels, from the top. A nil panel leaves its place
	// empty. Their data areas are aligned along rows and columns.
	Panels [][]*plot.Plot
	// RowWeights share the height among the rows. Nil means equal rows.
	RowWeights []float64
	// Legend is drawn between the title and the panels, outside of all axes.
	Legend []Entry
	// Notes stand below the panels in small print, one a line.
	Notes []string
	// Description is a sentence or two for those who cannot see the figure.
	Description string
	// Loose describes each row in the same way, of a figure whose rows can stand alone. Nil means that
	// they belong together. See [Figure.Parts].
	Loose []string
	// Width and Height are the size of the figure.
	Width, Height vg.Length
}

// Alt returns the text for those who cannot see the figure: Description, or the
// title if there is none.
func (f *Figure) Alt() string {
	if f.Description == "" {
		return f.Title
	}
	return f.Description
}

// Width of the figures of this package: what a notebook shows at 900 pixels.
const PageWidth = 675 * vg.Length(1)

// ColumnWidth is the width of figures that a telephone shows whole: its 390 pixels make the smallest
// text, 9.5 points, 12 pixels high.
const ColumnWidth = 308 * vg.Length(1)

// Distances in a figure.
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
	for r, row := range f.Align(c) {
		for k, pc := range row {
			if p := f.Panels[r][k]; p != nil {
				p.Draw(pc)
			}
		}
	}
}

// frame is the space that a panel needs around its data area.
type frame struct{ left, right, bottom, top vg.Length }

func (a frame) union(b frame) frame {
	return frame{
		max(a.left, b.left),
		max(a.right, b.right),
		max(a.bottom, b.bottom),
		max(a.top, b.top),
	}
}

// Align returns a canvas for each panel such that data areas line up and share
// what the widest frames of rows and columns leave. Unlike plot.Align it knows
// rows of different height.
func (f *Figure) Align(c draw.Canvas) [][]draw.Canvas {
	rows, cols := len(f.Panels), 0
	for _, row := range f.Panels {
		cols = max(cols, len(row))
	}
	if rows == 0 || cols == 0 {
		return nil
	}
	weight := func(r int) vg.Length {
		if r < len(f.RowWeights) && f.RowWeights[r] > 0 {
			return vg.Length(f.RowWeights[r])
		}
		return 1
	}
	total := vg.Length(0)
	for r := range rows {
		total += weight(r)
	}
	width, height := c.Max.X-c.Min.X, c.Max.Y-c.Min.Y
	areas := make([][]vg.Rectangle, rows)
	for r := range areas {
		areas[r] = make([]vg.Rectangle, cols)
		for k := range areas[r] {
			areas[r][k] = vg.Rectangle{
				Max: vg.Point{X: width / vg.Length(cols), Y: height * weight(r) / total},
			}
		}
	}
	frames := make([][]frame, rows)
	around := func(r, k int) vg.Rectangle { // the canvas of a panel
		a, fr := areas[r][k], frames[r][k]
		return vg.Rectangle{
			Min: vg.Point{X: a.Min.X - fr.left, Y: a.Min.Y - fr.bottom},
			Max: vg.Point{X: a.Max.X + fr.right, Y: a.Max.Y + fr.top},
		}
	}
	for r := range frames {
		frames[r] = make([]frame, cols)
	}
	// The frame of a panel depends a little on its size, through tick labels
	// that stand out: three rounds are enough.
	for range 3 {
		byCol, byRow := make([]frame, cols), make([]frame, rows)
		for r, row := range f.Panels {
			for k, p := range row {
				if p == nil {
					continue
				}
				out := around(r, k)
				in := p.DataCanvas(draw.Canvas{Canvas: c.Canvas, Rectangle: out}).Rectangle
				fr := frame{
					in.Min.X - out.Min.X,
					out.Max.X - in.Max.X,
					in.Min.Y - out.Min.Y,
					out.Max.Y - in.Max.Y,
				}
				frames[r][k] = fr
				byCol[k], byRow[r] = byCol[k].union(fr), byRow[r].union(fr)
			}
		}
		w, h := width-panelGap*vg.Length(cols-1), height-panelGap*vg.Length(rows-1)
		for _, fr := range byCol {
			w -= fr.left + fr.right
		}
		for _, fr := range byRow {
			h -= fr.bottom + fr.top
		}
		w, h = max(w/vg.Length(cols), 20), max(h, 20*vg.Length(rows))
		y := c.Max.Y
		for r := range rows {
			hr := h * weight(r) / total
			x := c.Min.X
			y -= byRow[r].top
			for k := range cols {
				x += byCol[k].left
				areas[r][k] = vg.Rectangle{
					Min: vg.Point{X: x, Y: y - hr},
					Max: vg.Point{X: x + w, Y: y},
				}
				x += w + byCol[k].right + panelGap
			}
			y -= hr + byRow[r].bottom + panelGap
		}
	}
	out := make([][]draw.Canvas, rows)
	for r, row := range f.Panels {
		for k := range row {
			out[r] = append(out[r], draw.Canvas{Canvas: c.Canvas, Rectangle: around(r, k)})
		}
	}
	return out
}
