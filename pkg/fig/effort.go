package fig

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/tidy"
)

// ArmEffort contains the numbers of measurements of one arm so far in a run.
type ArmEffort struct {
	Name    string
	Used    int // results that the policy uses
	Pending int // requested measurements without a result yet
	Lost    int // failed measurements, and results that the policy does not use
}

func (a ArmEffort) total() int { return a.Used + a.Pending + a.Lost }

// EffortOptions are the settings of [Effort]; the zero value selects the defaults.
type EffortOptions struct {
	// Title is the title of the figure; empty means "Measurements of each arm".
	Title string
	// Width is the width of the figure; zero means 308 points or, for long names, 675 points.
	Width vg.Length
}

// mostEfforts is the largest number of arms that Effort draws.
const mostEfforts = 30

// The following colours are those of the bar segments in Effort, from left to right.
var (
	usedColour    = canvas.Blue
	pendingColour = canvas.SkyBlue
	lostColour    = canvas.Orange
)

// Effort draws the measurements of one run: for each arm, a bar of used, pending and lost
// measurements. If there are more than 30 arms, Effort draws the 30 arms with the most
// measurements, and adds a note. If o is nil, Effort uses the zero value.
func Effort(arms []ArmEffort, o *EffortOptions) (*Figure, error) {
	set := *cmp.Or(o, new(EffortOptions))
	if len(arms) == 0 {
		return nil, fmt.Errorf("fig: Effort: the list of arms is empty; expected at least one arm")
	}
	for _, a := range arms {
		if a.Used < 0 || a.Pending < 0 || a.Lost < 0 {
			return nil, fmt.Errorf("fig: Effort: arm %q: Used, Pending and Lost are %d, %d and %d; expected at least 0",
				a.Name, a.Used, a.Pending, a.Lost)
		}
	}
	f := &Figure{Title: cmp.Or(set.Title, "Measurements of each arm"), Width: set.Width}
	var sum ArmEffort
	for _, a := range arms {
		sum.Used, sum.Pending, sum.Lost = sum.Used+a.Used, sum.Pending+a.Pending, sum.Lost+a.Lost
	}
	shown := arms
	if len(arms) > mostEfforts {
		shown = slices.Clone(arms)
		slices.SortStableFunc(shown, func(a, b ArmEffort) int { return b.total() - a.total() })
		shown = shown[:mostEfforts]
		rest := sum.total()
		for _, a := range shown {
			rest -= a.total()
		}
		f.Notes = []string{fmt.Sprintf("The figure shows the %d of %s arms with the most measurements; the other "+
			"arms have %s in total.",
			mostEfforts, tidy.Int(len(arms)), tidy.Int(rest))}
	}
	for _, part := range []struct {
		n    int
		name string
		col  color.NRGBA
	}{
		{max(sum.Used, 1), "used", usedColour}, {sum.Pending, "pending", pendingColour},
		{sum.Lost, "failed or not used", lostColour},
	} {
		if part.n > 0 {
			f.Legend = append(f.Legend, Entry{Name: part.name, Symbol: swatch(part.col)})
		}
	}
	f.Width = cmp.Or(f.Width, laneWidth(names(shown)))
	f.Panels = []*plot.Plot{effortPanel(shown)}
	if f.Width < canvas.PageWidth {
		canvas.Narrow(f.Panels[0], 2)
	}
	f.Description = effortWords(arms, sum)
	f.Fit(16*vg.Length(len(shown)) + 40)
	return f, nil
}

// names returns the names of the arms.
func names(arms []ArmEffort) []string {
	list := make([]string, len(arms))
	for i, a := range arms {
		list[i] = canvas.Pretty(a.Name)
	}
	return list
}

// swatch returns a function that draws a legend symbol filled with col.
func swatch(col color.NRGBA) func(draw.Canvas) {
	return func(c draw.Canvas) {
		c.SetColor(col)
		c.Fill(canvas.Grow(c.Rectangle, -2).Path())
	}
}

// effortPanel draws a bar for each arm, from top to bottom.
func effortPanel(arms []ArmEffort) *plot.Plot {
	p := canvas.Panel("measurements", "")
	most, n := 1, len(arms)
	for _, a := range arms {
		most = max(most, a.total())
	}
	p.X.Min, p.X.Max = 0, float64(most)*1.08
	canvas.Lanes(p, names(arms))
	p.Add(canvas.Stripes(1, n), canvas.Grid(false))
	p.Add(canvas.Paint(func(c draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&c)
		sty := canvas.Aligned(canvas.Write(canvas.NoteSize, canvas.Muted), draw.XLeft, draw.YCenter)
		for i, a := range arms {
			y, from := canvas.Lane(i, n), 0
			for _, part := range []struct {
				n   int
				col color.NRGBA
			}{{a.Used, usedColour}, {a.Pending, pendingColour}, {a.Lost, lostColour}} {
				if part.n == 0 {
					continue
				}
				to := from + part.n
				bar := vg.Rectangle{
					Min: vg.Point{X: tx(float64(from)), Y: ty(y - .3)},
					Max: vg.Point{X: tx(float64(to)), Y: ty(y + .3)},
				}
				c.SetColor(part.col)
				c.Fill(bar.Path())
				from = to
			}
			canvas.Put(c, sty, vg.Point{X: tx(float64(from)) + 3, Y: ty(y)}, tidy.Int(a.total()))
		}
	}))
	return p
}

// effortWords describes the figure in words for people who cannot see it.
func effortWords(arms []ArmEffort, sum ArmEffort) string {
	s := fmt.Sprintf("Measurements of %s: %s used, %s pending, %s failed or not used.",
		plural(len(arms), "arm"), tidy.Int(sum.Used), tidy.Int(sum.Pending), tidy.Int(sum.Lost))
	most := slices.Clone(arms)
	slices.SortStableFunc(most, func(a, b ArmEffort) int { return b.total() - a.total() })
	var words []string
	for _, a := range most[:min(len(most), 5)] {
		if a.total() > 0 {
			words = append(words, fmt.Sprintf("%s (%s)", a.Name, tidy.Int(a.total())))
		}
	}
	if len(words) > 0 {
		s += " Most on " + strings.Join(words, ", ") + "."
	}
	return s
}
