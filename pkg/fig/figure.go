package fig

import (
	"image/color"
	"math"

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
	// Width and Height are the size of the figure.
	Width, Height vg.Length
}

// An Entry explains a symbol.
type Entry struct {
	Name string
	// Symbol draws it into the canvas that it is given, 22 points wide.
	Symbol func(c draw.Canvas)
}

// Size returns the width and the height.
func (f *Figure) Size() (width, height vg.Length) { return f.Width, f.Height }

// Alt returns the text for those who cannot see the figure: Description, or the
// title if there is none.
func (f *Figure) Alt() string {
	if f.Description == "" {
		return f.Title
	}
	return f.Description
}

// Width of the figures of this package: what a notebook shows at 900 pixels.
const pageWidth = 675 * vg.Length(1)

// Distances in a figure.
const (
	edge        = vg.Length(8)
	panelGap    = vg.Length(14)
	symbolWidth = vg.Length(22)
	entryGap    = vg.Length(14)
)

// Draw draws the figure onto c.
func (f *Figure) Draw(c draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, edge, -edge, edge, -edge)

	if f.Title != "" {
		sty := aligned(strong(write(titleSize, ink)), draw.XLeft, draw.YTop)
		text := wrap(sty, f.Title, c.Max.X-c.Min.X)
		put(c, sty, vg.Point{X: c.Min.X, Y: c.Max.Y}, text)
		c.Max.Y -= sty.Height(text) + 6
	}
	c.Max.Y -= f.legend(c)

	note := write(noteSize, muted)
	for i := len(f.Notes) - 1; i >= 0; i-- {
		text := wrap(note, f.Notes[i], c.Max.X-c.Min.X)
		put(c, note, c.Min, text)
		c.Min.Y += note.Height(text) + 1
	}
	if len(f.Notes) > 0 {
		c.Min.Y += 5
	}
	for r, row := range f.align(c) {
		for k, pc := range row {
			if p := f.Panels[r][k]; p != nil {
				p.Draw(pc)
			}
		}
	}
}

// legend draws the legend at the top of c and returns the height that it takes.
func (f *Figure) legend(c draw.Canvas) vg.Length {
	if len(f.Legend) == 0 {
		return 0
	}
	sty := aligned(write(tickSize, ink), draw.XLeft, draw.YCenter)
	step := sty.Height("X") + 4
	pt := vg.Point{X: c.Min.X, Y: c.Max.Y - step/2}
	for _, e := range f.Legend {
		w := symbolWidth + 5 + sty.Width(e.Name)
		if pt.X > c.Min.X && pt.X+w > c.Max.X {
			pt.X, pt.Y = c.Min.X, pt.Y-step
		}
		if e.Symbol != nil {
			e.Symbol(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: pt.X, Y: pt.Y - step/2 + 1},
				Max: vg.Point{X: pt.X + symbolWidth, Y: pt.Y + step/2 - 1},
			}})
		}
		put(c, sty, vg.Point{X: pt.X + symbolWidth + 5, Y: pt.Y}, e.Name)
		pt.X += w + entryGap
	}
	return c.Max.Y - pt.Y + step/2 + 6
}

// frame is the space that a panel needs around its data area.
type frame struct{ left, right, bottom, top vg.Length }

func (a frame) union(b frame) frame {
	return frame{max(a.left, b.left), max(a.right, b.right), max(a.bottom, b.bottom), max(a.top, b.top)}
}

// align returns a canvas for each panel such that data areas line up and share
// what the widest frames of rows and columns leave. Unlike plot.Align it knows
// rows of different height.
func (f *Figure) align(c draw.Canvas) [][]draw.Canvas {
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
			areas[r][k] = vg.Rectangle{Max: vg.Point{X: width / vg.Length(cols), Y: height * weight(r) / total}}
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
				fr := frame{in.Min.X - out.Min.X, out.Max.X - in.Max.X, in.Min.Y - out.Min.Y, out.Max.Y - in.Max.Y}
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
				areas[r][k] = vg.Rectangle{Min: vg.Point{X: x, Y: y - hr}, Max: vg.Point{X: x + w, Y: y}}
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

// markerEntry explains the marker of a look.
func markerEntry(name string, l Look) Entry {
	return Entry{name, func(c draw.Canvas) { l.Marker.draw(c, l.Color, c.Center(), 4) }}
}

// lineEntry explains a line.
func lineEntry(name string, sty draw.LineStyle) Entry {
	return Entry{name, func(c draw.Canvas) {
		y := c.Center().Y
		c.StrokeLine2(sty, c.Min.X, y, c.Max.X, y)
	}}
}

// extra returns the height that title, legend and notes take in a figure
// of the usual width, so that panels can have the height that they need.
func (f *Figure) extra() vg.Length {
	h := 2 * edge
	w := f.Width - 2*edge
	if f.Title != "" {
		sty := strong(write(titleSize, ink))
		h += sty.Height(wrap(sty, f.Title, w)) + 6
	}
	if len(f.Legend) > 0 {
		sty := write(tickSize, ink)
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
	sty := write(noteSize, muted)
	for _, n := range f.Notes {
		h += sty.Height(wrap(sty, n, w)) + 1
	}
	if len(f.Notes) > 0 {
		h += 5
	}
	return vg.Length(math.Ceil(float64(h)))
}
