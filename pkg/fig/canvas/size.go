package canvas

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// Fit sets the size of the figure where none was asked for: panels are as high
// as given.
func (f *Figure) Fit(panels vg.Length) {
	if f.Width <= 0 {
		f.Width = PageWidth
	}
	if f.Height <= 0 {
		f.Height = panels + f.Extra()
	}
}

// Extra returns the height that title, legend and notes take in a figure
// of the width that is set, so that panels can have the height that they need.
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

// Head returns the height from the top of the figure to its first panel.
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
