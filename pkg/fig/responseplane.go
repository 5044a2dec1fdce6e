package fig

import (
	"cmp"
	"fmt"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/fig/canvas"
)

// PlaneOptions are the settings of [Responses] and [Estimates.Plane]; the zero value selects the defaults.
type PlaneOptions struct {
	// X and Y are the indices of the objectives on the axes; if both are zero, the axes show
	// objectives 0 and 1. With more than two objectives, the function Responses ignores X and Y.
	X, Y int
	// If Front is true, the figure shows the staircase of the optimal items; everything below the
	// staircase is dominated. With more than two objectives, there is no staircase, because
	// dominance is not visible in a plane.
	Front bool
	// Title is the title of the figure; empty means the name of the instance or of the Estimates.
	Title string
	// Units are the units of the objectives, for the axis labels; nil means no units.
	Units []string
	// Width and Height are the dimensions of the figure. A zero Width means 308 points or, for one
	// plane with many items, 675 points. A zero Height means a suitable height.
	Width, Height vg.Length
}

// pair draws the plane of the two objectives selected by the options.
func (pl *plane) pair() (*Figure, error) {
	if pl.d == 1 {
		return pl.line(), nil
	}
	x, y := pl.o.X, pl.o.Y
	if x == 0 && y == 0 {
		y = 1
	}
	if x < 0 || y < 0 || x >= pl.d || y >= pl.d || x == y {
		return nil, fmt.Errorf("fig: objectives %d and %d; expected two different numbers from 0 to %d", x, y, pl.d-1)
	}
	panel := pl.panel(x, y, pl.labels)
	f := &Figure{
		Title:  pl.o.Title,
		Panels: []*plot.Plot{panel},
		Legend: pl.legend(),
		Notes:  pl.notes(),
		Description: pl.describe(
			fmt.Sprintf("Mean responses of %d arms in %s and %s.", pl.m, pl.said(x), pl.said(y)),
		),
		Width:  pl.o.Width,
		Height: pl.o.Height,
	}
	height := vg.Length(400)
	if f.Width <= 0 && (pl.m <= fewItems || pl.m*pl.longest() <= fewLetters) {
		f.Width, height = canvas.ColumnWidth, 250
		canvas.Narrow(panel, 2)
	}
	f.Fit(height)
	return f, nil
}

// A plane is as wide as a column if it has at most fewItems items, or if its labels have at most
// about fewLetters letters in total.
const (
	fewItems   = 8
	fewLetters = 100
)

// numbered reports whether names are too long for small panels, so that panels show numbers
// instead.
func (pl *plane) numbered() bool {
	return pl.m > fewItems && pl.longest() > 3
}

// longest returns the number of letters of the longest name.
func (pl *plane) longest() int {
	n := 0
	for _, s := range pl.labels {
		n = max(n, utf8.RuneCountInString(s))
	}
	return n
}

// Responses draws the mean responses of the items of inst in the plane of two objectives. With more
// than two objectives, Responses draws the plane of each pair of objectives, one below the other.
// Markers show the classes of items, labels do not overlap, and the feasible region is shaded. If
// labels would be crowded in these small planes, items are numbered, and a last panel lists the
// names. If o is nil, Responses uses the zero value.
//
// With more than two objectives, a plane shows only the constraints that involve no objectives
// other than the two on its axes. A note lists the constraints that no plane shows. An arm inside
// all drawn regions may violate a constraint in the note.
//
// The figure resembles Figure 2 of the e-cAPE paper. An item that is both dominated and infeasible
// counts as infeasible.
func Responses(inst *bandit.Instance, o *PlaneOptions) (*Figure, error) {
	pl, err := newPlane(inst, o)
	if err != nil {
		return nil, err
	}
	if pl.d <= 2 {
		return pl.pair()
	}
	if pl.d > 6 {
		return nil, fmt.Errorf(
			"fig: %d objectives have %d pairs, too many for one figure; draw each pair with Estimates.Plane",
			pl.d, pl.d*(pl.d-1)/2)
	}
	labels := pl.labels
	if pl.numbered() {
		labels = make([]string, pl.m)
		for i := range labels {
			labels[i] = fmt.Sprint(i)
		}
	}
	f := &Figure{
		Title: pl.o.Title,
		Description: pl.describe(
			fmt.Sprintf("Mean responses of %d arms in the planes of all pairs of %d objectives.", pl.m, pl.d),
		),
		Width:  pl.o.Width,
		Height: pl.o.Height,
	}
	pl.stack(f, labels)
	return f, nil
}

// stack arranges the planes of all pairs of objectives in a column.
func (pl *plane) stack(f *Figure, labels []string) {
	f.Width = cmp.Or(f.Width, canvas.ColumnWidth)
	add := func(p *plot.Plot, weight float64, says string) {
		f.Panels, f.RowWeights, f.Loose = append(f.Panels, p), append(f.RowWeights, weight), append(f.Loose, says)
	}
	const height = 220
	for y := 1; y < pl.d; y++ {
		for x := range y {
			p := pl.panel(x, y, labels)
			canvas.Narrow(p, 2)
			add(p, height, fmt.Sprintf("Mean responses in %s and %s.", pl.said(x), pl.said(y)))
		}
	}
	f.Loose[0] = f.Description
	if pl.numbered() {
		add(key(pl.labels, pl.classes, 36), float64(keyRows(pl.labels))*13, "Names of the arms, by number.")
	}
	f.Legend, f.Notes = pl.legend(), pl.notes()
	total := 0.
	for _, w := range f.RowWeights {
		total += w
	}
	f.Fit(vg.Length(total) + 24*vg.Length(len(f.Panels)))
}

// keyRows returns the number of lines of the names in two columns, plus one.
func keyRows(names []string) int { return (len(names)+1)/2 + 1 }
