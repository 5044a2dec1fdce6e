package fig

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// shown is the largest number of points that a lane shows.
const shown = 200

// spread is the distribution of the pulls of a lane.
type spread struct {
	name   string
	sub    string // errors among the runs
	look   Look
	pulls  []float64 // sorted
	early  []float64 // of the runs that a limit ended, sorted
	median tidy.Summary
}

// newSpread summarises a lane.
func newSpread(name string, l lane, confidence float64) spread {
	sp := spread{name: name, look: Method(l.method)}
	stopped, wrong := 0, 0
	for _, r := range l.rows {
		sp.pulls = append(sp.pulls, float64(r.Pulls))
		if r.Status == explore.Stopped.String() {
			stopped++
			if !r.Correct {
				wrong++
			}
		} else {
			sp.early = append(sp.early, float64(r.Pulls))
		}
	}
	slices.Sort(sp.pulls)
	slices.Sort(sp.early)
	if len(sp.pulls) == 0 {
		sp.sub = "not run"
		if l.reps > 0 {
			sp.sub = "all runs failed"
		}
		return sp
	}
	sp.median = tidy.Median(sp.pulls, confidence)
	sp.sub = fmt.Sprintf("%s/%s wrong", tidy.Int(wrong), tidy.Int(stopped))
	if n := len(sp.early); n > 0 {
		sp.sub += fmt.Sprintf(", %s cut short", tidy.Int(n))
	}
	return sp
}

// String returns the median in words.
func (sp spread) String() string {
	if len(sp.pulls) == 0 {
		return sp.name + " " + sp.sub
	}
	s := fmt.Sprintf("%s median %s pulls", sp.name, tidy.Number(sp.median.Center))
	if finite(sp.median.Lo, sp.median.Hi) {
		s = fmt.Sprintf("%s median %s pulls", sp.name, sp.median)
	}
	return s + ", " + sp.sub
}

// center formats the median; a median among runs cut short is a lower bound.
func (sp spread) center() string {
	s := tidy.Int(int(math.Round(sp.median.Center)))
	if len(sp.early) > 0 && sp.median.Center >= sp.early[0] {
		s = "≥ " + s
	}
	return s
}

// SampleComplexity draws the distribution of the number of pulls of each
// method: a point for each run, a box from the first to the third quartile with
// whiskers to the 5 % and 95 % quantiles, and the median with its interval
// (order statistics, see tidy.Quantile). Instances are panels from top to
// bottom, constants from left to right. The axis is logarithmic where pulls
// range over more than a factor of 8. A nil o means the zero value.
//
// It is Figure 4 of the e-cAPE paper. Labels count wrong answers among the runs
// that ended by themselves; runs that a limit cut short have hollow points and
// count with the pulls that they had, which are too few.
func SampleComplexity(rows []mc.Row, o *RowOptions) (*Figure, error) {
	s, err := arrange(rows, o)
	if err != nil {
		return nil, err
	}
	f := &Figure{Title: s.o.Title, Width: s.o.Width, Height: s.o.Height}
	if f.Title == "" {
		f.Title = "Number of pulls"
	}
	var words []string
	height := vg.Length(0)
	thinned, few := false, false
	for i, inst := range s.instances {
		refs := s.references(inst)
		row := make([]*plot.Plot, 0, len(s.constants))
		for k, c := range s.constants {
			var sps []spread
			var told []string
			for _, key := range s.keys[inst] {
				l := s.lane(inst, c, key)
				l.method = key.method
				sp := newSpread(s.name(key), l, s.o.Confidence)
				sps = append(sps, sp)
				told = append(told, sp.String())
				few = few || len(sp.pulls) > 0 && !finite(sp.median.Lo, sp.median.Hi)
				thinned = thinned || len(sp.pulls) > shown
			}
			p := complexityPanel(sps, refs, k == 0)
			s.head(p, inst, c)
			if i == len(s.instances)-1 {
				p.X.Label.Text = "pulls until stopping"
			}
			row = append(row, p)
			words = append(words, s.label(inst, c)+": "+strings.Join(told, "; ")+".")
		}
		lanes := float64(len(s.keys[inst])) + refRoom(refs)
		f.Panels = append(f.Panels, row)
		f.RowWeights = append(f.RowWeights, lanes)
		height += vg.Length(lanes)*46 + s.headRoom()
	}
	f.Notes = append([]string{fmt.Sprintf("Box: quartiles. Whiskers: 5 %% and 95 %% quantiles. Marker and bar: median with its %s confidence interval.", percent(s.o.Confidence))}, s.notes()...)
	if thinned {
		f.Notes[0] += fmt.Sprintf(" Points: %d runs of each method, evenly spaced in rank.", shown)
	} else {
		f.Notes[0] += " Points: single runs."
	}
	if few {
		f.Notes[0] += " No bar: too few runs for an interval."
	}
	f.Description = "Distribution of the number of pulls. " + strings.Join(words, " ")
	f.size(height)
	return f, nil
}

// references returns those of an instance, by value.
func (s *sheet) references(instance string) []Reference {
	var rs []Reference
	for _, r := range s.o.References {
		if r.Instance == "" || r.Instance == instance {
			rs = append(rs, r)
		}
	}
	slices.SortStableFunc(rs, func(a, b Reference) int {
		switch {
		case a.Pulls < b.Pulls:
			return -1
		case a.Pulls > b.Pulls:
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return rs
}

// refRoom is the height of the names of references, in lanes.
func refRoom(refs []Reference) float64 {
	if len(refs) == 0 {
		return 0
	}
	return .15 + .3*float64(min(len(refs), 4))
}

// complexityPanel draws lanes from top to bottom.
func complexityPanel(sps []spread, refs []Reference, named bool) *plot.Plot {
	p := panel("", "")
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, sp := range sps {
		if n := len(sp.pulls); n > 0 {
			lo, hi = min(lo, sp.pulls[0]), max(hi, sp.pulls[n-1])
		}
	}
	for _, r := range refs {
		lo, hi = min(lo, r.Pulls), max(hi, r.Pulls)
	}
	if lo > hi {
		lo, hi = 1, 10 // nothing to show but the names
	}
	span(&p.X, lo, hi, wantsLog(lo, hi), .05)
	n := len(sps)
	p.Y.Min, p.Y.Max = -.5, float64(n)-.5+refRoom(refs)
	ticks := make(plot.ConstantTicks, n)
	for i, sp := range sps {
		ticks[i] = plot.Tick{Value: float64(n - 1 - i), Label: sp.sub}
		if named {
			ticks[i].Label = sp.name + "\n" + sp.sub
		}
	}
	p.Y.Tick.Marker = ticks
	p.Y.Tick.Length = 0
	p.Add(grid(false), paint(func(c draw.Canvas, p *plot.Plot) {
		markReferences(c, p, refs, n)
		for i, sp := range sps {
			sp.draw(c, p, float64(n-1-i))
		}
	}))
	return p
}

// markReferences draws dashed lines, with their names above the lanes.
func markReferences(c draw.Canvas, p *plot.Plot, refs []Reference, lanes int) {
	sty := write(noteSize, ink)
	top := c.Y(p.Y.Norm(float64(lanes) - .35))
	for i, r := range refs {
		x := c.X(p.X.Norm(r.Pulls))
		step := (c.Max.Y - top) / vg.Length(min(len(refs), 4))
		y := c.Max.Y - step*vg.Length(i%4+1)
		c.StrokeLine2(line(Black, 1, []vg.Length{4, 3}), x, c.Min.Y, x, y+step)
		s := clip(sty, fmt.Sprintf("%s: %s", pretty(r.Name), tidy.Number(r.Pulls)), c.Max.X-c.Min.X-8)
		at := vg.Point{X: x + 3, Y: y}
		if w := sty.Width(s); at.X+w > c.Max.X {
			at.X = max(c.Min.X, x-3-w)
		}
		put(c, sty, at, s)
	}
}

// draw draws a spread at the given height.
func (sp spread) draw(c draw.Canvas, p *plot.Plot, at float64) {
	n := len(sp.pulls)
	if n == 0 {
		return
	}
	tx, ty := p.Transforms(&c)
	y := ty(at)
	lane := ty(at+1) - y
	half := min(9, lane*.24)
	col := sp.look.Color

	// One point a run, or evenly spaced ranks of many. Heights within the lane
	// follow the golden ratio: no two neighbours alike, and no randomness.
	count := min(n, shown)
	var filled, hollow vg.Path
	left := 0 // early runs that are in sp.pulls before this rank
	for k := range count {
		r := k
		if n > shown {
			r = k * (n - 1) / (shown - 1)
		}
		_, u := math.Modf(.5 + float64(k)*.6180339887498949)
		q := vg.Point{X: tx(sp.pulls[r]), Y: y + half*1.5*vg.Length(2*u-1)}
		for left < len(sp.early) && sp.early[left] < sp.pulls[r] {
			left++
		}
		if left < len(sp.early) && sp.early[left] == sp.pulls[r] {
			hollow = append(hollow, ellipse(q, 1.7, 1.7, 0)...)
			continue
		}
		filled = append(filled, ellipse(q, 1.5, 1.5, 0)...)
	}
	if len(filled) > 0 {
		c.SetColor(light(col, .45))
		c.Fill(filled)
	}
	if len(hollow) > 0 {
		c.SetLineStyle(line(light(col, .8), .6, nil))
		c.Stroke(hollow)
	}

	if n >= 5 { // fewer runs are their own summary
		q := func(u float64) vg.Length { return tx(stat.Quantile(u, stat.LinInterp, sp.pulls, nil)) }
		q1, q3, w0, w1 := q(.25), q(.75), q(.05), q(.95)
		if n < 20 {
			w0, w1 = tx(sp.pulls[0]), tx(sp.pulls[n-1])
		}
		box := []vg.Point{{X: q1, Y: y - half}, {X: q3, Y: y - half}, {X: q3, Y: y + half}, {X: q1, Y: y + half}}
		fill := color.NRGBAModel.Convert(col).(color.NRGBA)
		fill.A = 50
		c.FillPolygon(fill, box)
		sty := line(col, 1.2, nil)
		c.StrokeLines(sty, append(box, box[0]))
		for _, w := range [][2]vg.Length{{q1, w0}, {q3, w1}} {
			c.StrokeLine2(sty, w[0], y, w[1], y)
			c.StrokeLine2(sty, w[1], y-half/2, w[1], y+half/2)
		}
	}
	m := tx(sp.median.Center)
	if n >= 5 {
		c.StrokeLine2(line(col, 2, nil), m, y-half, m, y+half)
	}
	if finite(sp.median.Lo, sp.median.Hi) && sp.median.N > 1 {
		lo, hi := tx(sp.median.Lo), tx(sp.median.Hi)
		c.StrokeLine2(line(ink, 1.6, nil), lo, y, hi, y)
		c.StrokeLine2(line(ink, 1.2, nil), lo, y-3, lo, y+3)
		c.StrokeLine2(line(ink, 1.2, nil), hi, y-3, hi, y+3)
	}
	sp.look.Marker.draw(c, col, vg.Point{X: m, Y: y}, 3.4)
	sty := aligned(strong(write(noteSize, ink)), draw.XCenter, draw.YBottom)
	s := sp.center()
	w := sty.Width(s)
	x := min(max(m, c.Min.X+w/2), c.Max.X-w/2)
	put(c, sty, vg.Point{X: x, Y: y + half*1.5 + 1}, s)
}
