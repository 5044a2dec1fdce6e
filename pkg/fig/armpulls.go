package fig

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// armShare is the mean pulls of each arm by one method.
type armShare struct {
	name string
	look Look
	arms []tidy.Summary // without rows: nil
}

// ArmPulls draws the mean pulls of each arm by each method, with bootstrap
// intervals (see tidy.Mean): a lane for each arm, a marker for each method.
// Instances and constants are panels from top to bottom. The
// axis is logarithmic where means range over more than a factor of 8; an arm
// that is never pulled then has no marker. A nil o means the zero value.
func ArmPulls(rows []mc.Row, o *RowOptions) (*Figure, error) {
	s, err := arrange(rows, o)
	if err != nil {
		return nil, err
	}
	f := &Figure{Title: cmp.Or(s.o.Title, "Pulls of each arm")}
	for _, inst := range s.instances {
		names, err := s.armNames(inst)
		if err != nil {
			return nil, err
		}
		f.Width = max(f.Width, laneWidth(names))
	}
	var words []string
	height := vg.Length(0)
	explained := map[laneKey]bool{}
	for i, inst := range s.instances {
		names, err := s.armNames(inst)
		if err != nil {
			return nil, err
		}
		lane := armLane(len(s.keys[inst]))
		for _, c := range s.constants {
			var shares []armShare
			for _, key := range s.keys[inst] {
				sh := armShare{name: s.name(key), look: s.o.Palette.Look(key.method)}
				if l := s.lane(inst, c, key); len(l.rows) > 0 {
					x := make([]float64, len(l.rows))
					for a := range names {
						for j, r := range l.rows {
							x[j] = float64(r.ArmPulls[a])
						}
						sh.arms = append(sh.arms, tidy.Mean(x, confidence))
					}
					words = append(words,
						fmt.Sprintf("%s, %s: %s.", s.label(inst, c), sh.name, sh.mostPulled(names)))
				}
				shares = append(shares, sh)
				if !explained[key] {
					explained[key] = true
					f.Legend = append(f.Legend, canvas.MarkerEntry(sh.name, sh.look))
				}
			}
			p := armPanel(shares, names)
			s.head(p, f.Width, inst, c)
			if i == len(s.instances)-1 {
				p.X.Label.Text = "mean pulls of the arm"
			}
			f.Panels = append(f.Panels, p)
			f.RowWeights = append(f.RowWeights, float64(lane)*float64(len(names)))
			height += lane*vg.Length(len(names)) + s.headRoom()
		}
	}
	f.Notes = append(
		[]string{
			fmt.Sprintf(
				"Bars: %s confidence intervals of the means (hidden where they are narrower "+
					"than the marker).",
				percent(confidence)),
		},
		s.notes()...)
	f.Description = "Mean pulls of each arm. " + strings.Join(words, " ")
	f.Fit(height)
	return f, nil
}

// armLane is the height of the lane of an arm with so many methods.
func armLane(methods int) vg.Length { return max(17, 7+5*vg.Length(methods)) }

// mostPulled names the arm that is pulled most.
func (sh armShare) mostPulled(names []string) string {
	best, total := 0, 0.
	for a, m := range sh.arms {
		total += m.Center
		if m.Center > sh.arms[best].Center {
			best = a
		}
	}
	if total == 0 {
		return "no pulls"
	}
	return fmt.Sprintf("most pulls (%s of %s) on %s", tidy.Number(sh.arms[best].Center),
		tidy.Number(total), names[best])
}

// armNames returns the names of the arms of an instance, once it is clear that
// all its rows have as many arms.
func (s *sheet) armNames(instance string) ([]string, error) {
	k := -1
	for _, c := range s.constants {
		for _, key := range s.keys[instance] {
			for _, r := range s.lane(instance, c, key).rows {
				if k < 0 {
					k = len(r.ArmPulls)
				}
				if len(r.ArmPulls) != k {
					return nil, fmt.Errorf(
						"fig: rows of instance %q have %d and %d arms (method %s, replicate "+
							"%d); select rows of one instance",
						instance, k, len(r.ArmPulls), r.Method, r.Rep)
				}
				for a, n := range r.ArmPulls {
					if n < 0 {
						return nil, fmt.Errorf(
							"fig: instance %q, method %s, replicate %d: arm %d has %d pulls; "+
								"want 0 or more",
							instance, r.Method, r.Rep, a, n)
					}
				}
			}
		}
	}
	given := s.o.ArmNames[instance]
	if k < 0 { // all runs failed
		k = len(given)
	}
	if k <= 0 {
		return nil, fmt.Errorf(
			"fig: the rows of instance %q do not say how often each arm was pulled", instance)
	}
	if given != nil && len(given) != k {
		return nil, fmt.Errorf("fig: there are %d names for the %d arms of instance %q", len(given),
			k, instance)
	}
	names := make([]string, k)
	for a := range names {
		names[a] = fmt.Sprintf("arm %d", a)
		if given != nil {
			names[a] = canvas.Pretty(given[a])
		}
	}
	return names, nil
}

// armPanel draws a lane for each arm.
func armPanel(shares []armShare, names []string) *plot.Plot {
	p := canvas.Panel("", "")
	lo, hi, least := math.Inf(1), 0., math.Inf(1)
	for _, sh := range shares {
		for _, m := range sh.arms {
			hi = max(hi, m.Center)
			if canvas.Finite(m.Hi) {
				hi = max(hi, m.Hi)
			}
			if m.Center > 0 {
				least = min(least, m.Center)
				lo = min(lo, m.Center)
				if m.Lo > 0 {
					lo = min(lo, m.Lo)
				}
			}
		}
	}
	log := canvas.WantsLog(least, hi)
	switch {
	case log:
		canvas.Span(&p.X, lo, hi, true, .04)
	case hi == 0:
		p.X.Min, p.X.Max = 0, 1
	default: // lengths from zero can be compared
		p.X.Min, p.X.Max = 0, hi*1.05
	}
	n := len(names)
	canvas.Lanes(p, names)
	p.Add(canvas.Stripes(0, n), canvas.Grid(false))
	methods := float64(len(shares))
	r := min(3.4, .55*armLane(len(shares))/vg.Length(methods))
	for j, sh := range shares {
		bars := &plotter.XErrorBars{LineStyle: sh.look.Solid(1.4)}
		for a, m := range sh.arms {
			if log && m.Center <= 0 {
				continue
			}
			lo, hi := m.Center, m.Center
			if canvas.Finite(m.Lo) && (m.Lo > 0 || !log) {
				lo = m.Lo
			}
			if canvas.Finite(m.Hi) {
				hi = m.Hi
			}
			y := canvas.Lane(a, n) + .78*((methods-1)/2-float64(j))/methods
			bars.XYs = append(bars.XYs, plotter.XY{X: m.Center, Y: y})
			bars.XErrors = append(bars.XErrors,
				struct{ Low, High float64 }{m.Center - lo, hi - m.Center})
		}
		canvas.Add(p, bars, &plotter.Scatter{XYs: bars.XYs, GlyphStyle: sh.look.Glyph(r)})
	}
	return p
}
