package canvas

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// Parts returns the figures that a page shows side by side where there is room, and one below the other
// where there is none: each panel of a loose figure, or f alone. Title and legend are on the first
// one, notes on the last.
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
