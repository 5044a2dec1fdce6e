package fig

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// RowOptions are the settings of figures that show result rows; the zero value selects the defaults.
type RowOptions struct {
	// Title is the title of the figure.
	Title string
	// Methods selects the methods to draw, and their order; nil means all methods, in order of
	// first appearance.
	Methods []string
	// References are numbers of pulls for comparison, drawn as dashed lines in SampleComplexity.
	References []Reference
	// Palette determines the looks of methods, and should be the same in related figures; nil means
	// a palette in the order of Methods.
	Palette Palette
}

// confidence is the confidence level of the intervals in figures.
const confidence = .95

// Reference is a number of pulls for comparison, such as a lower bound or a complexity term.
type Reference struct {
	Instance string // name of an instance; empty means all instances
	Name     string // name in the legend
	Pulls    float64
}

// lane is one method in a panel, with its runs.
type lane struct {
	rows []mc.Row // runs that did not fail
	reps int      // number of runs, including failed runs
}

// sheet arranges rows in panels, one panel for each instance and set of constants.
type sheet struct {
	o                    RowOptions
	instances, constants []string
	keys                 map[string][]laneKey // lanes of each instance, the same for all constants
	lanes                map[laneCell]lane
	failed               int
	deltas               bool // whether some method has rows with different error probabilities
}

// laneKey identifies a lane in all panels of an instance.
type laneKey struct {
	method string
	delta  float64
}

// laneCell identifies a lane in one panel.
type laneCell struct {
	instance, constants string
	laneKey
}

// arrange checks rows and sorts them into panels and lanes.
func arrange(rows []mc.Row, o *RowOptions) (*sheet, error) {
	s := &sheet{o: *cmp.Or(o, new(RowOptions)), keys: map[string][]laneKey{}, lanes: map[laneCell]lane{}}
	for _, r := range s.o.References {
		if !canvas.Finite(r.Pulls) || r.Pulls <= 0 {
			return nil, fmt.Errorf(
				"fig: the reference %q has %v pulls; expected a positive finite number", r.Name, r.Pulls)
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("fig: there are no rows to draw; run the study first, or select other rows")
	}
	appear := func(list []string, name string) []string {
		if slices.Contains(list, name) {
			return list
		}
		return append(list, name)
	}
	var methods []string
	delta := map[string]float64{}
	for i, r := range rows {
		if r.Pulls < 0 {
			return nil, fmt.Errorf(
				"fig: row %d (%s, %s, replicate %d) has %d pulls; expected 0 or more", i, r.Instance,
				r.Method, r.Rep, r.Pulls)
		}
		if s.o.Methods != nil && !slices.Contains(s.o.Methods, r.Method) {
			continue
		}
		s.instances, s.constants = appear(s.instances, r.Instance), appear(s.constants, r.Constants)
		methods = appear(methods, r.Method)
		if d, ok := delta[r.Method]; ok && d != r.Delta {
			s.deltas = true
		}
		delta[r.Method] = r.Delta
		k := laneKey{r.Method, r.Delta}
		if !slices.Contains(s.keys[r.Instance], k) {
			s.keys[r.Instance] = append(s.keys[r.Instance], k)
		}
		cell := laneCell{r.Instance, r.Constants, k}
		l := s.lanes[cell]
		l.reps++
		if r.Status == explore.Failure.String() {
			s.failed++
		} else {
			l.rows = append(l.rows, r)
		}
		s.lanes[cell] = l
	}
	if len(s.lanes) == 0 {
		return nil, fmt.Errorf("fig: none of the %d rows belongs to the methods %q; correct "+
			"RowOptions.Methods", len(rows), s.o.Methods)
	}
	if s.o.Methods != nil {
		methods = s.o.Methods
	}
	s.o.Palette = s.o.Palette.With(methods...)
	for _, ks := range s.keys {
		slices.SortStableFunc(ks, func(a, b laneKey) int {
			return slices.Index(methods, a.method) - slices.Index(methods, b.method)
		})
	}
	return s, nil
}

// name returns the name of a lane, including delta if the rows of some method have different
// deltas.
func (s *sheet) name(k laneKey) string {
	if s.deltas {
		return fmt.Sprintf("%s, δ = %g", canvas.Pretty(k.method), k.delta)
	}
	return canvas.Pretty(k.method)
}

// head sets the title of a panel to the instance; if there are several sets of constants, a second
// line states the constants.
func (s *sheet) head(p *plot.Plot, instance, constants string) {
	sty := canvas.Heading("").Style()
	const w = canvas.ColumnWidth - 100 // approximate width of the data area
	fit := func(t string) string {
		lines := strings.Split(canvas.Wrap(sty, t, w), "\n")
		for i, l := range lines {
			lines[i] = canvas.Clip(sty, l, w) // clips long words
		}
		return strings.Join(lines, "\n")
	}
	h := fit(canvas.Pretty(instance))
	if len(s.constants) > 1 {
		constants = cmp.Or(constants, "not named")
		h += "\n" + fit("constants: "+canvas.Pretty(constants))
	}
	p.Add(canvas.Heading(h))
	canvas.Narrow(p, 2)
}

// label returns the name of a panel for the description of the figure.
func (s *sheet) label(instance, constants string) string {
	if len(s.constants) == 1 || constants == "" {
		return instance
	}
	return instance + ", constants: " + constants
}

// headRoom returns the height of the title and axes of a panel.
func (s *sheet) headRoom() vg.Length {
	if len(s.constants) > 1 {
		return 84
	}
	return 58
}

// notes returns the notes of a figure of rows.
func (s *sheet) notes() []string {
	if s.failed == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Number of failed runs (left out): %s.", tidy.Int(s.failed))}
}

// Figure is a column of panels with one title and one legend. All drawing functions of this package
// return a Figure. See [canvas.Figure] for its fields and methods.
type Figure = canvas.Figure

// Entry is a symbol in the legend of a figure with its explanation; see [canvas.Entry].
type Entry = canvas.Entry

// Look is the colour, marker and line style of a method or of a class of arms; see [canvas.Look].
type Look = canvas.Look

// Palette determines the looks of methods by their order in a list; see [canvas.Palette].
type Palette = canvas.Palette
