package canvas

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// Parts returns the figures that a page shows side by side where there is room, and one below the other
// where there is none: each row of a loose figure, or f alone. Title and legend are on the first
// one, notes on the last.
func (f *Figure) Parts() []*Figure {
	n := len(f.Panels)
	if n < 2 || len(f.Loose) != n {
		return []*Figure{f}
	}
	weight := func(r int) float64 {
		if r < len(f.RowWeights) && f.RowWeights[r] > 0 {
			return f.RowWeights[r]
		}
		return 1
	}
	total := 0.
	for r := range n {
		total += weight(r)
	}
	height := float64(f.Height - f.Extra())
	parts := make([]*Figure, n)
	for r := range parts {
		part := &Figure{Panels: [][]*plot.Plot{f.Panels[r]}, Description: f.Loose[r], Width: f.Width}
		if r == 0 {
			part.Title, part.Legend = f.Title, f.Legend
		}
		if r == n-1 {
			part.Notes = f.Notes
		}
		part.Height = vg.Length(math.Ceil(height*weight(r)/total)) + part.Extra()
		parts[r] = part
	}
	return parts
}
