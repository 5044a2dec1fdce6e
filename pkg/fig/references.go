package fig

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/tidy"
)

// mostRows is the number of lines of names above the lanes of a panel.
const mostRows = 4

// markReferences draws dashed lines, with their names above the lanes, where also the room to the left
// of the panel is free. A line ends at its name; names that a line or the axis crosses are on white.
func markReferences(c draw.Canvas, p *plot.Plot, refs []Reference, lanes int) {
	sty := canvas.Write(canvas.NoteSize, canvas.Ink)
	top := c.Y(p.Y.Norm(float64(lanes) - .35))
	left := c.Min.X
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		left = min(left, c.Min.X-p.Y.Tick.Label.Width(t.Label))
	}
	x, w, names := make([]vg.Length, len(refs)), make([]vg.Length, len(refs)), make([]string, len(refs))
	for i, r := range refs {
		number := ": " + tidy.Number(r.Pulls)
		names[i] = canvas.Clip(sty, canvas.Pretty(r.Name), c.Max.X-left-sty.Width(number)) + number
		x[i], w[i] = c.X(p.X.Norm(r.Pulls)), sty.Width(names[i])
	}
	rows, at := besideLines(x, w, left, c.Max.X)
	step := (c.Max.Y - top) / vg.Length(min(len(refs), mostRows))
	floor := func(i int) vg.Length { return c.Max.Y - step*vg.Length(rows[i]+1) }
	for i := range refs {
		c.StrokeLine2(canvas.Line(canvas.Black, 1, []vg.Length{4, 3}), x[i], c.Min.Y, x[i], floor(i)+step)
	}
	for i, name := range names {
		pt := vg.Point{X: at[i], Y: floor(i)}
		if at[i] < c.Min.X || linesThrough(i, rows, x, at, w) > 0 {
			c.SetColor(color.White)
			c.Fill(vg.Rectangle{Min: pt, Max: vg.Point{X: pt.X + w[i], Y: pt.Y + sty.Height(name)}}.Path())
		}
		canvas.Put(c, sty, pt, name)
	}
}

// besideLines returns the row, from the top, and the left end of names of the given widths, each beside its
// vertical line at x, or over it where there is no room between left and right, such that as few lines as
// possible cross names. Lines are in the order of x. Those of more names than rows take turns.
func besideLines(x, w []vg.Length, left, right vg.Length) (rows []int, at []vg.Length) {
	n := len(x)
	rows, at = make([]int, n), make([]vg.Length, n)
	for i := range x {
		rows[i], at[i] = i%mostRows, x[i]+3
		if at[i]+w[i] > right {
			if at[i] = x[i] - 3 - w[i]; at[i] < left {
				at[i] = right - w[i]
			}
		}
	}
	if n > mostRows {
		return rows, at
	}
	// Few enough to try all orders, and both sides where there is room on both.
	best, bestAt, least := append([]int(nil), rows...), append([]vg.Length(nil), at...), -1
	var try func(i int)
	try = func(i int) {
		if i == n {
			cost := 0
			for k := range n {
				cost += linesThrough(k, rows, x, at, w)
			}
			if least < 0 || cost < least {
				least = cost
				copy(best, rows)
				copy(bestAt, at)
			}
			return
		}
		places := []vg.Length{at[i]}
		if other := x[i] - 3 - w[i]; at[i] > x[i] && other >= left {
			places = append(places, other)
		}
		for j := i; j < n; j++ {
			rows[i], rows[j] = rows[j], rows[i]
			for _, place := range places {
				at[i] = place
				try(i + 1)
			}
			at[i] = places[0]
			rows[i], rows[j] = rows[j], rows[i]
		}
	}
	try(0)
	return best, bestAt
}

// linesThrough counts the lines that cross name i: a line goes up to the row of its own name.
func linesThrough(i int, rows []int, x, at, w []vg.Length) int {
	count := 0
	for j := range x {
		if rows[j] <= rows[i] && x[j] > at[i]-1 && x[j] < at[i]+w[i]+1 {
			count++
		}
	}
	return count
}
