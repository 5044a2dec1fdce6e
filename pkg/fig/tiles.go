package fig

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// A TilePanel is one table of [Tiles].
type TilePanel struct {
	Title string
	// Text and Class have one row for each of Y and one entry in it for each of X: what is
	// written in a tile, and the place of its class in TileMap.Classes.
	Text  [][]string
	Class [][]int
}

// A TileMap is a question asked on a grid of two settings, with tiles for answers.
type TileMap struct {
	Title          string
	XLabel, YLabel string
	X, Y           []string // values of the settings: from the left, and from the bottom
	Panels         []TilePanel
	Classes        []string // of tiles, which have different colours; at most 4
	Notes          []string
}

// shades are the colours of the classes of tiles.
var shades = []struct {
	c     Look
	share float64
}{
	{Look{Color: canvas.Blue}, .65}, {Look{Color: canvas.SkyBlue}, .35},
	{Look{Color: canvas.Orange}, .3}, {Look{Color: canvas.Grey}, .3},
}

// Tiles draws the panels of a map one below the other. It is an error if a panel has not a text and a
// class for each tile.
func Tiles(m TileMap) (*Figure, error) {
	if len(m.Classes) > len(shades) {
		return nil, fmt.Errorf("fig: %d classes of tiles; want at most %d", len(m.Classes),
			len(shades))
	}
	f := &Figure{Title: m.Title, Notes: m.Notes, Width: canvas.ColumnWidth}
	var words []string
	for _, panel := range m.Panels {
		if err := m.check(panel); err != nil {
			return nil, err
		}
		p := canvas.Panel(m.XLabel, "")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -.5, float64(len(m.X))-.5, -.5, float64(len(m.Y))-.5
		p.X.Tick.Marker, p.Y.Tick.Marker = places(m.X), places(m.Y)
		p.Add(canvas.TopLabel{Title: panel.Title, Axis: m.YLabel}, canvas.Paint(panel.draw))
		f.Panels = append(f.Panels, []*plot.Plot{p})
		words = append(words, m.words(panel))
	}
	for i, c := range m.Classes {
		f.Legend = append(f.Legend,
			canvas.MarkerEntry(c, Look{Color: canvas.Light(shades[i].c.Color, shades[i].share),
				Marker: canvas.Square}))
	}
	f.Description, f.Loose = strings.Join(words, " "), words
	f.Fit((80 + 30*vg.Length(len(m.Y))) * vg.Length(len(m.Panels)))
	return f, nil
}

// check reports whether a panel has what it needs.
func (m *TileMap) check(p TilePanel) error {
	if len(p.Text) != len(m.Y) || len(p.Class) != len(m.Y) {
		return fmt.Errorf("fig: tiles %q: rows: %d of text and %d of classes; want %d", p.Title,
			len(p.Text), len(p.Class), len(m.Y))
	}
	for y := range m.Y {
		if len(p.Text[y]) != len(m.X) || len(p.Class[y]) != len(m.X) {
			return fmt.Errorf("fig: tiles %q, row %d: %d texts and %d classes; want %d", p.Title, y,
				len(p.Text[y]), len(p.Class[y]), len(m.X))
		}
		for _, c := range p.Class[y] {
			if c < 0 || c >= len(m.Classes) {
				return fmt.Errorf("fig: tiles %q, row %d: class %d of %d", p.Title, y, c,
					len(m.Classes))
			}
		}
	}
	return nil
}

// words says how many tiles of a panel have each class.
func (m *TileMap) words(p TilePanel) string {
	count := make([]int, len(m.Classes))
	for _, row := range p.Class {
		for _, c := range row {
			count[c]++
		}
	}
	var list []string
	for c, n := range count {
		list = append(list, fmt.Sprintf("%s: %s", m.Classes[c], plural(n, "tile")))
	}
	return p.Title + ": " + strings.Join(list, "; ") + "."
}

// draw draws the tiles.
func (t TilePanel) draw(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	sty := canvas.Aligned(canvas.Write(canvas.TickSize, canvas.Ink), text.XCenter, text.YCenter)
	for j, row := range t.Class {
		for i, class := range row {
			x0, x1, y0, y1 := x(float64(i)-.5), x(float64(i)+.5), y(float64(j)-.5), y(float64(j)+.5)
			c.FillPolygon(canvas.Light(shades[class].c.Color, shades[class].share), []vg.Point{
				{X: x0 + 1, Y: y0 + 1}, {X: x1 - 1, Y: y0 + 1}, {X: x1 - 1, Y: y1 - 1},
				{X: x0 + 1, Y: y1 - 1}})
			canvas.Put(c, sty, vg.Point{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}, t.Text[j][i])
		}
	}
}

// places ticks an axis at 0, 1, ... with names.
type places []string

// Ticks implements plot.Ticker.
func (p places) Ticks(float64, float64) []plot.Tick {
	ts := make([]plot.Tick, len(p))
	for i, s := range p {
		ts[i] = plot.Tick{Value: float64(i), Label: s}
	}
	return ts
}
