package fig

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// SampleComplexity draws the distribution of the number of pulls of each method. For each method,
// the figure has a point for each run, a box of the quartiles, and whiskers to the 5 % and 95 %
// quantiles. With fewer than 20 runs, the whiskers extend to the smallest and the largest number;
// with fewer than 5 runs, there is no box. The figure also shows the median with its confidence
// interval from order statistics (see tidy.Quantile). Each combination of an instance and a set of
// constants has a panel; panels are arranged from top to bottom. Panels of the same instance share
// an axis, which is logarithmic if its largest number of pulls, including references, is more than
// 8 times the smallest. If o is nil, SampleComplexity uses the zero value.
//
// The figure resembles Figure 4 of the e-cAPE paper. Labels state the number of wrong answers among
// the runs that stopped by themselves. A run that was ended by a limit has a hollow point at its
// number of pulls. Without the limit, the run would have needed more pulls.
func SampleComplexity(rows []mc.Row, o *RowOptions) (*Figure, error) {
	s, err := arrange(rows, o)
	if err != nil {
		return nil, err
	}
	stacked := len(s.constants) > 1
	f := &Figure{Title: cmp.Or(s.o.Title, "Number of pulls"), Width: canvas.ColumnWidth}
	var words []string
	height := vg.Length(0)
	thinned, few := false, false
	var beyond []string
	for i, inst := range s.instances {
		least, most := s.pullLimits(inst)
		lo, hi := least, most
		var refs []Reference
		var far []string
		for _, r := range s.references(inst) {
			if r.Pulls < least/farthest || r.Pulls > most*farthest {
				far = append(far, r.Name+": "+tidy.Number(r.Pulls))
				continue
			}
			refs, lo, hi = append(refs, r), min(lo, r.Pulls), max(hi, r.Pulls)
		}
		if far != nil {
			beyond = append(beyond, inst+" ("+strings.Join(far, "; ")+")")
		}
		lanes := float64(len(s.keys[inst])) + refRoom(refs)
		for _, c := range s.constants {
			var sps []spread
			var spreads []string
			for _, key := range s.keys[inst] {
				sp := newSpread(s.name(key), s.o.Palette.Look(key.method), s.lanes[laneCell{inst, c, key}])
				sps = append(sps, sp)
				spreads = append(spreads, sp.String())
				few = few || len(sp.pulls) > 0 && !canvas.Finite(sp.median.Lo, sp.median.Hi)
				thinned = thinned || len(sp.pulls) > shown
			}
			p := complexityPanel(sps, refs, lo, hi)
			s.head(p, inst, c)
			if stacked || i == len(s.instances)-1 {
				p.X.Label.Text = "pulls until stopping"
			}
			f.Panels = append(f.Panels, p)
			f.RowWeights = append(f.RowWeights, lanes)
			height += vg.Length(lanes)*46 + s.headRoom()
			words = append(words, s.label(inst, c)+": "+strings.Join(spreads, "; ")+".")
		}
	}
	if stacked {
		f.Loose = words
	}
	f.Notes = append(
		[]string{
			fmt.Sprintf(
				"Box: quartiles. Whiskers: 5 %% and 95 %% quantiles, or the extremes of fewer than 20 runs. "+
					"Marker and bar: median with its %.4g %% confidence interval.", 100*confidence),
		},
		s.notes()...)
	if thinned {
		f.Notes[0] += fmt.Sprintf(" Points: %d runs of each method, evenly spaced in rank.", shown)
	} else {
		f.Notes[0] += " Points: single runs."
	}
	if few {
		f.Notes[0] += " No bar: too few runs for an interval."
	}
	if beyond != nil {
		f.Notes = append(f.Notes, fmt.Sprintf("Left out, because they are more than %d times above or below all "+
			"runs: %s.", farthest, strings.Join(beyond, ", ")))
	}
	f.Description = "Distribution of the number of pulls. " + strings.Join(words, " ")
	f.Fit(height)
	return f, nil
}

// references returns the references of an instance, sorted by value.
func (s *sheet) references(instance string) []Reference {
	var rs []Reference
	for _, r := range s.o.References {
		if r.Instance == "" || r.Instance == instance {
			rs = append(rs, r)
		}
	}
	slices.SortStableFunc(rs, func(a, b Reference) int {
		return cmp.Or(cmp.Compare(a.Pulls, b.Pulls), strings.Compare(a.Name, b.Name))
	})
	return rs
}

// farthest is the largest factor by which a reference in the figure may be above or below the pulls
// of all runs. With references farther away, the runs could not be distinguished.
const farthest = 20

// pullLimits returns the smallest and the largest number of pulls of the runs on an instance;
// without runs, it returns 1 and 10.
func (s *sheet) pullLimits(instance string) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for cell, l := range s.lanes {
		if cell.instance == instance {
			for _, r := range l.rows {
				lo, hi = min(lo, float64(r.Pulls)), max(hi, float64(r.Pulls))
			}
		}
	}
	if lo > hi {
		return 1, 10 // without runs, the panel shows only names
	}
	return lo, hi
}

// refRoom returns the height that the names of references need, in units of lanes.
func refRoom(refs []Reference) float64 {
	if len(refs) == 0 {
		return 0
	}
	return .15 + .3*float64(min(len(refs), 4))
}

// complexityPanel draws the lanes of a panel from top to bottom.
func complexityPanel(sps []spread, refs []Reference, lo, hi float64) *plot.Plot {
	p := canvas.Panel("", "")
	canvas.Span(&p.X, lo, hi, canvas.WantsLog(lo, hi), .05)
	n, names := len(sps), make([]string, len(sps))
	for i, sp := range sps {
		names[i] = canvas.Wrap(p.Y.Tick.Label, sp.name+"\n"+sp.sub, laneRoom)
	}
	canvas.Lanes(p, names)
	p.Y.Max += refRoom(refs)
	p.Add(canvas.Grid(false), canvas.Paint(func(c draw.Canvas, p *plot.Plot) {
		markReferences(c, p, refs, n)
		for i, sp := range sps {
			sp.draw(c, p, float64(n-1-i))
		}
	}))
	return p
}

// laneRoom is the width at which lane names are broken into several lines, in a narrow figure.
const laneRoom = vg.Length(84)

// laneWidth returns the width of a figure whose lane names are to the left of the panel. If the
// names are short, this is the width of a column.
func laneWidth(names []string) vg.Length {
	sty := canvas.Write(canvas.TickSize, canvas.Ink)
	for _, name := range names {
		if sty.Width(canvas.Pretty(name)) > 1.3*laneRoom {
			return canvas.PageWidth
		}
	}
	return canvas.ColumnWidth
}
