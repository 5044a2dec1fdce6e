package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/tidy"
)

// A Map is instances that differ in three settings, and who needs the fewest pulls on them: two
// settings span a panel, and a third one changes from panel to panel.
type Map struct {
	Panel, X, Y Axis
	// Name returns the name of the instance with some settings: those of the experiment are Names.
	Name func(panel, x, y float64) string
	// Methods are compared, with the given constants: the first one with the second, and with the
	// fewest of all.
	Methods   []string
	Constants string
	// Title and Notes are those of the table, Remarks are notes of the figure.
	Title          string
	Notes, Remarks []string
}

// An Axis is a setting in words, for the column of a table and for a figure, and its values.
type Axis struct {
	Column, Label string
	Values        []float64
}

// many is how many times the pulls of the first method have a class of their own.
const many = 10

// Names are those of all instances, panel by panel, and row by row.
func (m *Map) Names() []string {
	var names []string
	m.each(func(panel, x, y float64) { names = append(names, m.Name(panel, x, y)) })
	return names
}

// At returns the settings of an instance, by its place in Names.
func (m *Map) At(place int) (panel, x, y float64) {
	nx, ny := len(m.X.Values), len(m.Y.Values)
	return m.Panel.Values[place/(nx*ny)], m.X.Values[place%nx], m.Y.Values[place/nx%ny]
}

func (m *Map) each(do func(panel, x, y float64)) {
	for _, p := range m.Panel.Values {
		for _, y := range m.Y.Values {
			for _, x := range m.X.Values {
				do(p, x, y)
			}
		}
	}
}

// pulls are the medians of the methods on an instance; nil if one was not run.
func (m *Map) pulls(r *Results, name string) (pulls []float64) {
	for _, method := range m.Methods {
		rows := r.On(name, method, m.Constants)
		if len(rows) == 0 {
			return nil
		}
		pulls = append(pulls, MedianPulls(rows).Center)
	}
	return pulls
}

// Table has the median numbers of pulls on each instance that all methods were run on.
func (m *Map) Table(r *Results) *tidy.Table {
	own, other := m.Methods[0], m.Methods[1]
	t := &tidy.Table{Title: m.Title, Notes: m.Notes,
		Columns: tidy.Columns(m.Panel.Column, m.X.Column, m.Y.Column)}
	for _, method := range m.Methods {
		t.Columns = append(t.Columns, tidy.Column{Name: method, Unit: "pulls"})
	}
	t.Columns = append(t.Columns, tidy.Column{Name: other + " / " + own},
		tidy.Column{Name: "fewest"})
	m.each(func(panel, x, y float64) {
		pulls := m.pulls(r, m.Name(panel, x, y))
		if pulls == nil {
			return
		}
		row := []any{panel, x, y}
		for _, p := range pulls {
			row = append(row, p)
		}
		t.Rows = append(t.Rows, append(row, fmt.Sprintf("%.2f", pulls[1]/pulls[0]),
			m.Methods[slices.Index(pulls, slices.Min(pulls))]))
	})
	return t
}

// Figure draws the table: how many times the pulls of the first method the second one needs, and
// whether the first one needs the fewest of all.
func (m *Map) Figure(r *Results) (*fig.Figure, error) {
	own, other := m.Methods[0], m.Methods[1]
	tiles := fig.TileMap{
		Title:  "Pulls of " + other + " / " + own + " (medians)",
		XLabel: m.X.Label, YLabel: m.Y.Label, X: decimals(m.X.Values), Y: decimals(m.Y.Values),
		Classes: []string{
			fmt.Sprintf("%s needs the fewest, %s at least %d times as many", own, other, many),
			own + " needs the fewest",
			own + " needs fewer than " + other + ", but more than " +
				strings.Join(m.Methods[2:], " or "),
			other + " needs as few or fewer"},
		Notes: m.Remarks,
	}
	for _, p := range m.Panel.Values {
		panel := fig.TilePanel{Title: fmt.Sprintf("%s %.3f", m.Panel.Label, p)}
		for _, y := range m.Y.Values {
			var words []string
			var class []int
			for _, x := range m.X.Values {
				name := m.Name(p, x, y)
				pulls := m.pulls(r, name)
				if pulls == nil {
					return nil, fmt.Errorf("study: no runs of %s; run all methods of %s", name,
						r.Experiment.Name)
				}
				words = append(words, twoDigits(pulls[1]/pulls[0]))
				class = append(class, tile(pulls))
			}
			panel.Text, panel.Class = append(panel.Text, words), append(panel.Class, class)
		}
		tiles.Panels = append(tiles.Panels, panel)
	}
	return fig.Tiles(tiles)
}

// tile is the class of an instance in a figure.
func tile(pulls []float64) int {
	q := pulls[1] / pulls[0]
	switch fewest := pulls[0] == slices.Min(pulls); {
	case fewest && q >= many:
		return 0
	case fewest:
		return 1
	case q > 1:
		return 2
	}
	return 3
}

// twoDigits writes a ratio with two significant digits, plainly: 1.3, 130.
func twoDigits(x float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 2, 64), 64)
	if err != nil {
		panic(err) // it was written as it is read
	}
	return tidy.Number(rounded)
}

func decimals(x []float64) []string {
	return strings.Fields(strings.Trim(fmt.Sprintf("%.3f", x), "[]"))
}
