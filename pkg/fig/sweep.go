package fig

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot/vg"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/tidy"
)

// SweepSeries is a line in a figure of Sweep, for a method or a reference.
type SweepSeries struct {
	Name   string
	Points []SweepPoint // points in any order
	// If Grey is true, the line is thin and grey, without a name at its end; a note lists the grey
	// lines.
	Grey bool
}

// SweepPanel is a panel of [Sweep], with lines as functions of problem size.
type SweepPanel struct {
	Title  string
	XLabel string        // label of the x axis, with the unit
	LogX   bool          // whether the x axis is logarithmic
	Series []SweepSeries // lines of the methods
	// References, such as bounds, are drawn as dashed lines without markers.
	References []SweepSeries
}

// SweepOptions are the settings of [Sweep]; the zero value selects the defaults.
type SweepOptions struct {
	// Title is the title of the figure.
	Title string
	// YLabel is the label of the y axis, printed above it; empty means "pulls until stopping".
	YLabel string
	// Interval is a note that explains points and bars; empty means "Markers and bars: median with
	// its 95 % confidence interval."
	Interval string
	// If LinearY is true, the y axis is linear; otherwise, it is logarithmic.
	LinearY bool
	// Y is a range that the y axis must include, such as {0, 1} for scores; zero means no such
	// range.
	Y [2]float64
	// Palette determines the looks of methods, and should be the same in related figures; nil means
	// a palette in order of first appearance.
	Palette Palette
}

// Sweep draws how the number of pulls grows with the size of a problem, in panels one below the
// other. A method is a line with a marker and an interval at each size, and with its name at the
// end. All panels share the y axis, which is logarithmic by default; panels whose x axes have the
// same label and scale share the x axis. If o is nil, Sweep uses the zero value.
//
// A panel has at most seven coloured lines; any further lines are grey. If lines coincide, the
// first two of them are visible, one around the other, and a note names all coinciding lines.
//
// The figure resembles Figure 1 of the RAGE paper (Fiez et al., 2019).
func Sweep(panels []SweepPanel, o *SweepOptions) (*Figure, error) {
	o = cmp.Or(o, new(SweepOptions))
	if len(panels) == 0 {
		return nil, fmt.Errorf("fig: Sweep: the list of panels is empty; expected at least one panel")
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	if o.Y[0] < o.Y[1] {
		lo, hi = o.Y[0], o.Y[1]
	}
	for _, p := range panels {
		if err := p.check(!o.LinearY); err != nil {
			return nil, err
		}
		a, b := p.limits(!o.LinearY)
		lo, hi = min(lo, a), max(hi, b)
	}
	panels, palette := inColour(panels, o.Palette)
	ylabel := cmp.Or(o.YLabel, "pulls until stopping")
	f := &Figure{Title: o.Title, Width: canvas.ColumnWidth}
	var words []string
	for i, s := range panels {
		p := canvas.Panel(s.XLabel, "")
		axis := "" // only the first panel has the label
		if i == 0 {
			axis = ylabel
		}
		if i+1 < len(panels) && panels[i+1].sharesX(&s) {
			p.X.Label.Text = ""
		}
		canvas.Span(&p.Y, lo, hi, !o.LinearY, .04)
		s.draw(p, palette, s.places(panels))
		p.Add(canvas.TopLabel{Title: canvas.Pretty(s.Title), Axis: axis})
		f.Panels = append(f.Panels, p)
		words = append(words, s.words(ylabel))
	}
	f.Notes = sweepNotes(panels, cmp.Or(o.Interval, "Markers and bars: median with its 95 % confidence interval."))
	f.Description = strings.Join(words, " ")
	if o.Title != "" {
		f.Description = canvas.Pretty(o.Title) + ". " + f.Description
	}
	height := vg.Length(200)
	if len(f.Panels) > 1 {
		height = 150
	}
	for _, p := range panels {
		height = max(height, endNames{SweepPanel: &p, palette: palette}.height()+axisRoom)
	}
	f.Fit(height * vg.Length(len(f.Panels)))
	return f, nil
}

// axisRoom is the approximate height of the labels above and below a panel.
const axisRoom = vg.Length(70)

// inColour makes all lines of a panel after the first seven grey, and returns a palette of the
// coloured lines. Grey lines do not use up hues of the palette.
func inColour(panels []SweepPanel, palette Palette) ([]SweepPanel, Palette) {
	panels = slices.Clone(panels)
	for i, p := range panels {
		panels[i].Series = slices.Clone(p.Series)
		n := 0
		for k := range p.Series {
			s := &panels[i].Series[k]
			if s.Grey = s.Grey || n == canvas.Hues; !s.Grey {
				n++
				palette = palette.With(s.Name)
			}
		}
	}
	return panels, palette
}

// sweepNotes returns notes that explain markers, bars and lines.
func sweepNotes(panels []SweepPanel, interval string) []string {
	note := interval
	var grey, together []string
	barless, refs := false, false
	for _, p := range panels {
		barless = barless || p.barless()
		refs = refs || len(p.References) > 0
		for _, s := range p.Series {
			if name := canvas.Pretty(s.Name); s.Grey && !slices.Contains(grey, name) {
				grey = append(grey, name)
			}
		}
		for _, names := range p.together() {
			s := strings.Join(names, " and ")
			if p.Title != "" && len(panels) > 1 {
				s = canvas.Pretty(p.Title) + ": " + s
			}
			together = append(together, s)
		}
	}
	if barless {
		note += " No bar: too few runs for an interval."
	}
	if refs {
		note += " Dashed lines without markers: bounds."
	}
	notes := []string{note}
	if grey != nil {
		notes = append(notes, "Grey: "+strings.Join(grey, "; ")+".")
	}
	if together != nil {
		notes = append(notes, "On one line: "+strings.Join(together, "; ")+".")
	}
	return notes
}

// SweepPoint is a point of a line: the value Center at X, with the interval from Lo to Hi. If Lo or
// Hi is infinite or NaN, no interval is drawn.
type SweepPoint struct{ X, Center, Lo, Hi float64 }

// MedianPoint returns the median of a sample with its interval from order statistics; see
// tidy.Median. If the sample is too small for a confidence interval, Lo and Hi are infinite.
func MedianPoint(x float64, sample []float64, confidence float64) SweepPoint {
	m := tidy.Median(sample, confidence)
	return SweepPoint{x, m.Center, m.Lo, m.Hi}
}

// MeanPoint returns the mean of a sample with an interval of one standard error on each side. For a
// single value, no interval is drawn, because its standard error is unknown.
func MeanPoint(x float64, sample []float64) SweepPoint {
	m, sd := stat.MeanStdDev(sample, nil)
	e := sd / math.Sqrt(float64(len(sample)))
	return SweepPoint{x, m, m - e, m + e}
}

// bar reports whether the interval of a point can be drawn.
func (q SweepPoint) bar() bool { return canvas.Finite(q.Lo, q.Hi) }

func sorted(ps []SweepPoint) []SweepPoint {
	ps = slices.Clone(ps)
	slices.SortStableFunc(ps, func(a, b SweepPoint) int { return cmp.Compare(a.X, b.X) })
	return ps
}
