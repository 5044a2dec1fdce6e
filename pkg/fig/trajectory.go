package fig

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/tidy"
)

// TrajectoryOptions are the settings of [Trajectory]; the zero value selects the defaults.
type TrajectoryOptions struct {
	// Title is the title of the figure; empty means "One run".
	Title string
}

// step is the part of a lane between two consecutive samples.
type step struct {
	from, to float64 // total pulls at both ends
	share    float64 // share of the arm in the pulls between the samples
	class    explore.Class
}

// course holds the data for the lane of one arm.
type course struct {
	name  string
	steps []step
	pulls int // number of pulls at the end
	// certified lists the samples at which the class of the arm changed from undecided to a
	// verdict.
	certified []step
}

// Trajectory draws one run as a function of the number of pulls, with a lane for each arm. The
// height of the area in a lane is the arm's share of the pulls at that time. The colour of the area
// is the class of the arm; undecided arms are grey. Vertical lines show when the arm was certified,
// to within one sample; a marker shows the last certification. Because confidence intervals widen
// with the logarithm of time, a barely certified arm can become undecided again. Above the lane are
// the name of the arm and, at the right end, the final number of pulls. If o is nil, Trajectory
// uses the zero value.
//
// The items of prob must be the arms.
func Trajectory(prob *explore.Problem, t *Trace, o *TrajectoryOptions) (*Figure, error) {
	o = cmp.Or(o, new(TrajectoryOptions))
	if prob == nil || t == nil || len(t.Samples) == 0 {
		return nil, fmt.Errorf("fig: the trace is empty; set the trace as Recorder in explore.Settings, and run a " +
			"policy")
	}
	if prob.M() != prob.K() {
		return nil, fmt.Errorf(
			"fig: the problem has %d items that are not its %d arms; leave Z nil",
			prob.M(), prob.K())
	}
	for i := range t.Samples {
		s := &t.Samples[i]
		if len(s.ArmPulls) > prob.K() || len(s.Reasons) > prob.M() {
			return nil, fmt.Errorf(
				"fig: sample %d of the trace has %d arms; expected %d; use the trace of a run of this problem",
				i, max(len(s.ArmPulls), len(s.Reasons)), prob.K())
		}
		if s.Pulls <= 0 || i > 0 && s.Pulls < t.Samples[i-1].Pulls {
			return nil, fmt.Errorf(
				"fig: sample %d of the trace has %d pulls in total; expected positive numbers in ascending order",
				i, s.Pulls)
		}
	}
	cs, top := courses(prob, t)
	f := &Figure{
		Title:  cmp.Or(o.Title, "One run"),
		Width:  canvas.ColumnWidth,
		Legend: classLegend(cs),
		Notes: []string{
			fmt.Sprintf(
				"Height of a lane: share of the pulls at that time; a full lane is %.0f %%. Vertical lines: "+
					"certifications of the arm; marker: the last certification. Numbers above a lane: pulls of the "+
					"arm, and their share of the total.",
				100*top),
		},
	}
	last := t.Samples[len(t.Samples)-1]
	f.Panels = []*plot.Plot{coursePanel(cs, top, float64(t.Samples[0].Pulls), float64(last.Pulls))}
	var words []string
	for _, c := range cs {
		w := fmt.Sprintf("%s: %s pulls, undecided", c.name, tidy.Int(c.pulls))
		if n := len(c.certified); n > 0 {
			s := c.certified[n-1]
			w = fmt.Sprintf("%s: %s pulls, %s after %s pulls in total", c.name, tidy.Int(c.pulls),
				s.class, tidy.Number(s.to))
		}
		words = append(words, w)
	}
	f.Description = fmt.Sprintf("One run of %s pulls. %s.", tidy.Int(last.Pulls), strings.Join(words, "; "))
	lane := max(30, min(44, 420/vg.Length(len(cs))))
	f.Fit(lane*vg.Length(len(cs)) + 45)
	return f, nil
}

// courses splits a trace into lanes, and returns the largest share of the pulls of one arm in any
// step after the first, but at least 1/K for K arms.
func courses(prob *explore.Problem, t *Trace) ([]course, float64) {
	cs := make([]course, prob.K())
	last := t.Samples[len(t.Samples)-1]
	top := 1 / float64(prob.K())
	for i := range cs {
		c := &cs[i]
		c.name, c.pulls = canvas.Pretty(prob.Arm(i)), last.of(i)
		class := explore.Undecided
		var before Sample
		for k := range t.Samples {
			s := t.Samples[k]
			st := step{from: float64(before.Pulls), to: float64(s.Pulls), class: class}
			if d := s.Pulls - before.Pulls; d > 0 {
				st.share = float64(s.of(i)-before.of(i)) / float64(d)
				// The first sample follows a round that pulls every arm, so its shares carry no
				// information.
				if k > 0 {
					top = max(top, st.share)
				}
				c.steps = append(c.steps, st)
			}
			if now := s.class(i); now != class {
				class = now
				if class != explore.Undecided {
					c.certified = append(c.certified, step{to: st.to, class: class})
				}
			}
			before = s
		}
		if now := class; len(c.steps) == 0 || now != c.steps[len(c.steps)-1].class {
			c.steps = append(c.steps, step{from: float64(last.Pulls), to: float64(last.Pulls), class: now})
		}
	}
	return cs, min(1, top)
}

// classLegend explains the classes that occur in the figure.
func classLegend(cs []course) []Entry {
	seen := map[explore.Class]bool{explore.Undecided: true}
	for _, c := range cs {
		for _, s := range c.certified {
			seen[s.class] = true
		}
	}
	names := map[explore.Class]string{
		explore.Undecided: "undecided", explore.Optimal: "certified optimal",
		explore.Dominated: "certified dominated", explore.Infeasible: "certified infeasible",
	}
	var es []Entry
	for _, k := range append([]explore.Class{explore.Undecided}, classes[:3]...) {
		if !seen[k] {
			continue
		}
		es = append(es, Entry{Name: names[k], Symbol: func(c draw.Canvas) {
			r := vg.Rectangle{
				Min: vg.Point{X: c.Min.X, Y: c.Min.Y + 3},
				Max: vg.Point{X: c.Max.X, Y: c.Max.Y - 3},
			}
			c.SetColor(effort(k))
			c.Fill(r.Path())
			if k != explore.Undecided {
				c.DrawGlyphNoClip(Class(k).Glyph(4), c.Center())
			}
		}})
	}
	return es
}

// effort returns the colour of the area for arms of a class.
func effort(k explore.Class) color.Color {
	if k == explore.Undecided {
		return color.NRGBA{R: 0xB0, G: 0xB0, B: 0xB0, A: 255}
	}
	return canvas.Light(Class(k).Color, .45)
}

// coursePanel draws the lanes of all arms.
func coursePanel(cs []course, top, first, last float64) *plot.Plot {
	p := canvas.Panel("pulls in total", "")
	log := canvas.WantsLog(first, last)
	canvas.Span(&p.X, first, last, log, 0)
	canvas.Lanes(p, make([]string, len(cs)))
	canvas.Narrow(p, 2)
	p.Add(canvas.Grid(false), &lanes{cs, top})
	return p
}

// lanes is a plotter that draws the lanes of a trajectory.
type lanes struct {
	cs  []course
	top float64
}

// final returns the text above the right end of a lane: the arm's final number of pulls, and their
// share of all pulls.
func (l *lanes) final(i int) string {
	total := 0
	for _, c := range l.cs {
		total += c.pulls
	}
	return fmt.Sprintf("%s (%.2g %%)", tidy.Int(l.cs[i].pulls), 100*float64(l.cs[i].pulls)/float64(max(1, total)))
}

// Plot implements plot.Plotter.
func (l *lanes) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	name := canvas.Aligned(canvas.Write(canvas.NoteSize, canvas.Ink), draw.XLeft, draw.YBottom)
	end := canvas.Aligned(name, draw.XRight, draw.YBottom)
	room := name.Height("X") + 2
	height := max((ty(1)-ty(0))*.92-room, 6)
	x := func(pulls float64) vg.Length { return tx(min(max(pulls, p.X.Min), p.X.Max)) }
	for i, crs := range l.cs {
		base := ty(canvas.Lane(i, len(l.cs))) - (height+room)/2
		c.StrokeLine2(canvas.Line(canvas.Faint, .6, nil), c.Min.X, base, c.Max.X, base)
		// Consecutive steps with the same class are drawn as one area, to avoid visible seams.
		for k := 0; k < len(crs.steps); {
			var area vg.Path
			class := crs.steps[k].class
			area.Move(vg.Point{X: x(crs.steps[k].from), Y: base})
			end := x(crs.steps[k].from)
			for ; k < len(crs.steps) && crs.steps[k].class == class; k++ {
				s := crs.steps[k]
				h := height * vg.Length(min(1, s.share/l.top))
				if h > 0 {
					h = max(h, .7) // keeps small shares visible
				}
				end = x(s.to)
				area.Line(vg.Point{X: x(s.from), Y: base + h})
				area.Line(vg.Point{X: end, Y: base + h})
			}
			area.Line(vg.Point{X: end, Y: base})
			area.Close()
			c.SetColor(effort(class))
			c.Fill(area)
			if class != explore.Undecided {
				// A base line marks a certified arm, even in steps without pulls of the arm.
				from := crs.steps[k-1].from
				for j := k - 1; j >= 0 && crs.steps[j].class == class; j-- {
					from = crs.steps[j].from
				}
				c.StrokeLine2(canvas.Line(Class(class).Color, 1.6, nil), x(from), base, end, base)
			}
		}
		for k, s := range crs.certified {
			look := Class(s.class)
			at := vg.Point{X: x(s.to), Y: base + height/2}
			c.StrokeLine2(canvas.Line(look.Color, 1, nil), at.X, base, at.X, base+height)
			if k == len(crs.certified)-1 {
				c.DrawGlyphNoClip(look.Glyph(4.2), at)
			}
		}
		above, final := base+height+1, l.final(i)
		canvas.Put(c, end, vg.Point{X: c.Max.X, Y: above}, final)
		canvas.Put(c, name, vg.Point{X: c.Min.X + 2, Y: above},
			canvas.Clip(name, crs.name, c.Max.X-c.Min.X-end.Width(final)-12))
	}
}

// Trace records the course of a run for [Trajectory]. The zero value is ready to use as the
// Recorder in explore.Settings:
//
//	var trace fig.Trace
//	res, err := explore.Run(policy, problem, sampler, &explore.Settings{Recorder: &trace})
//	trace.End(res)
//
// A Trace requests the policy's answer only at samples, which are evenly spaced on a logarithmic
// scale of total pulls. Between samples, a Trace only adds up the pulls of each arm, which takes
// O(1) per batch and allocates nothing. A change of class is therefore recorded at the next sample.
// A new run starts a new trace.
type Trace struct {
	// PerDecade is the number of samples for each factor of ten in total pulls; zero means 60.
	PerDecade int
	// Samples are the recorded states in the order of the run.
	Samples []Sample

	round    int
	pulls    int
	armPulls []int
	next     float64 // total pulls at the next sample
}

// Sample is the state of a run after a round.
type Sample struct {
	Round    int
	Pulls    int   // total number of pulls
	ArmPulls []int // number of pulls of each arm; arms beyond the end have no pulls yet
	// Items and Reasons are copies of the fields of the policy's answer after the round.
	Items   []int
	Reasons []explore.Reason
}

// Record implements explore.Recorder.
func (t *Trace) Record(e explore.Event) error {
	if e.Round <= t.round {
		*t = Trace{PerDecade: t.PerDecade}
	}
	t.round, t.pulls = e.Round, e.Pulls
	for _, b := range e.Obs {
		for b.Arm >= len(t.armPulls) {
			t.armPulls = append(t.armPulls, 0)
		}
		t.armPulls[b.Arm] += b.N
	}
	if float64(e.Pulls) < t.next {
		return nil
	}
	per := 60.
	if t.PerDecade > 0 {
		per = float64(t.PerDecade)
	}
	t.next = float64(e.Pulls) * math.Pow(10, 1/per)
	t.sample(e.Policy.Answer())
	return nil
}

// End adds the final state of the run, which may lie between two samples. End does nothing if the
// run has no rounds, or if res is nil.
func (t *Trace) End(res *explore.Result) {
	if res == nil || t.round == 0 {
		return
	}
	if n := len(t.Samples); n > 0 && t.Samples[n-1].Round == t.round {
		t.Samples = t.Samples[:n-1]
	}
	t.round, t.pulls = res.Rounds, res.Pulls
	t.armPulls = append(t.armPulls[:0], res.ArmPulls...)
	t.sample(res.Answer)
}

func (t *Trace) sample(a explore.Answer) {
	t.Samples = append(t.Samples, Sample{
		Round: t.round, Pulls: t.pulls, ArmPulls: slices.Clone(t.armPulls),
		Items: slices.Clone(a.Items), Reasons: slices.Clone(a.Reasons),
	})
}

// class returns the class of item i, or undecided if the sample has no reasons.
func (s *Sample) class(i int) explore.Class {
	if i < len(s.Reasons) {
		return s.Reasons[i].Class
	}
	return explore.Undecided
}

// of returns the number of pulls of arm i in the sample.
func (s *Sample) of(i int) int {
	if i < len(s.ArmPulls) {
		return s.ArmPulls[i]
	}
	return 0
}
