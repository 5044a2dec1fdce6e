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

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig/canvas"
)

// FrontOptions are the settings of [Front]; the zero value selects the defaults.
type FrontOptions struct {
	// Palette determines the looks of methods, and should be the same in related figures; nil means
	// a palette in the order of the answers.
	Palette Palette
	// Title is the title of the figure; empty means the name of the instance.
	Title string
}

// FrontAnswer is the Pareto set returned by the method Name, as indices of items.
type FrontAnswer struct {
	Name  string
	Items []int
}

// Front draws the Pareto set of an instance with many items, and the answers of methods. The first
// panel shows all items as a cloud in the plane of two objectives, with the true front as a
// staircase. For each answer, a further panel shows the items that were found, missed, or returned
// by mistake. If the front is in a small part of the plane, a frame marks this part in the first
// panel, and the other panels enlarge it. If o is nil, Front uses the zero value.
//
// In all panels, better is to the right and upwards. With more than two objectives, there is no
// staircase, because dominance is not visible in a plane.
func Front(inst *bandit.Instance, answers []FrontAnswer, o *FrontOptions) (*Figure, error) {
	fr, err := newFront(inst, answers, o)
	if err != nil {
		return nil, err
	}
	all, near, zoom := fr.windows()
	f := &Figure{Title: fr.o.Title, Legend: fr.legend(), Notes: fr.notes(zoom), Width: canvas.ColumnWidth}
	overview := frontPanel{window: all, radius: 3.4, title: fmt.Sprintf("all %d arms", fr.m)}
	if zoom {
		overview.radius, overview.frame = 2.6, &near
	}
	panels := []frontPanel{overview}
	f.Loose = []string{fmt.Sprintf("%d arms in the plane of %s and %s. Pareto-optimal arms: "+
		"%s.", fr.m, canvas.Pretty(fr.said(0)),
		canvas.Pretty(fr.said(1)), fr.list(fr.optimal))}
	if zoom && len(answers) == 0 {
		panels = append(panels, frontPanel{window: near, radius: 3.4, title: "the front, enlarged"})
		f.Loose = append(f.Loose, "The front, enlarged.")
	}
	for k := range answers {
		a := &answers[k]
		panels = append(panels, frontPanel{window: near, radius: 3.4, answer: a, title: fr.score(a)})
		f.Loose = append(f.Loose, fr.judge(a))
	}
	f.Description = strings.Join(f.Loose, " ")
	for _, pn := range panels {
		f.Panels = append(f.Panels, fr.panel(pn))
	}
	f.Fit(250 * vg.Length(len(f.Panels)))
	return f, nil
}

// front holds the data for all panels of a figure of Front.
type front struct {
	*plane
	o       FrontOptions
	optimal []int // optimal items, in ascending order
	answers []FrontAnswer
}

// newFront checks the arguments of Front.
func newFront(inst *bandit.Instance, answers []FrontAnswer, o *FrontOptions) (*front, error) {
	fr := &front{answers: answers, o: *cmp.Or(o, new(FrontOptions))}
	pl, err := newPlane(inst, &PlaneOptions{Title: fr.o.Title, Front: true})
	if err != nil {
		return nil, err
	}
	if pl.region != nil {
		return nil, fmt.Errorf("fig: the question of %q has constraints, which Front does not draw; use Responses",
			inst.Name)
	}
	fr.plane, fr.o.Title = pl, pl.o.Title
	for i, c := range pl.classes {
		if c == explore.Optimal {
			fr.optimal = append(fr.optimal, i)
		}
	}
	for _, a := range answers {
		fr.o.Palette = fr.o.Palette.With(a.Name)
		for k, i := range a.Items {
			if i < 0 || i >= pl.m || slices.Contains(a.Items[:k], i) {
				return nil, fmt.Errorf("fig: the answer of %s contains item %d, which is a duplicate or out of "+
					"range; there are %d items", a.Name, i, pl.m)
			}
		}
	}
	return fr, nil
}

// sides compares the answer a with the front. The results are the items found, missed, and returned
// by mistake, each list in ascending order.
func (fr *front) sides(a *FrontAnswer) (found, missed, wrong []int) {
	for i, c := range fr.classes {
		switch returned := slices.Contains(a.Items, i); {
		case returned && c == explore.Optimal:
			found = append(found, i)
		case returned:
			wrong = append(wrong, i)
		case c == explore.Optimal:
			missed = append(missed, i)
		}
	}
	return found, missed, wrong
}

// score returns the panel title for an answer.
func (fr *front) score(a *FrontAnswer) string {
	found, _, wrong := fr.sides(a)
	s := fmt.Sprintf("%s: %d of %d found", canvas.Pretty(a.Name), len(found), len(fr.optimal))
	if len(wrong) > 0 {
		s += fmt.Sprintf(", %d wrong", len(wrong))
	}
	return s
}

// judge describes in words how much of the front an answer contains, and which items it missed or
// returned by mistake.
func (fr *front) judge(a *FrontAnswer) string {
	_, missed, wrong := fr.sides(a)
	s := fr.score(a)
	if len(missed) > 0 {
		s += "; missed " + fr.list(missed)
	}
	if len(wrong) > 0 {
		s += "; by mistake " + fr.list(wrong)
	}
	return s + "."
}

// list returns the names of items as a text, at most a dozen.
func (fr *front) list(ids []int) string {
	const most = 12
	var names []string
	for k, i := range ids {
		if k == most {
			names = append(names, fmt.Sprintf("and %d more", len(ids)-most))
			break
		}
		names = append(names, fr.labels[i])
	}
	return strings.Join(names, ", ")
}

// window is a rectangle in the plane of two objectives.
type window struct{ x0, x1, y0, y1 float64 }

// around returns a window around items, with a margin and at least the given width and height.
func (fr *front) around(ids []int, margin, width, height float64) window {
	inf := math.Inf(1)
	w := window{inf, -inf, inf, -inf}
	for _, i := range ids {
		x, y := fr.mu.At(i, 0), fr.mu.At(i, 1)
		w = window{min(w.x0, x), max(w.x1, x), min(w.y0, y), max(w.y1, y)}
	}
	widen := func(lo, hi, least float64) (float64, float64) {
		least = max(least, hi-lo)
		least = cmp.Or(least, 1)
		spare := (least-(hi-lo))/2 + margin*least
		return lo - spare, hi + spare
	}
	w.x0, w.x1 = widen(w.x0, w.x1, width)
	w.y0, w.y1 = widen(w.y0, w.y1, height)
	return w
}

// windows returns the window of all items, and the window for panels of answers. The result zoom is
// true if the second window is smaller than the first. The second window is smaller if the optimal
// and returned items, with margins, fill less than half of the first window.
func (fr *front) windows() (all, near window, zoom bool) {
	items := make([]int, fr.m)
	for i := range items {
		items[i] = i
	}
	all = fr.around(items, .05, 0, 0)
	marked := fr.optimal
	for _, a := range fr.answers {
		marked = slices.Concat(marked, a.Items)
	}
	width, height := all.x1-all.x0, all.y1-all.y0
	near = fr.around(marked, .2, .03*width, .03*height)
	// No item is to the left of the window of all items, or below it.
	near = window{max(near.x0, all.x0), near.x1, max(near.y0, all.y0), near.y1}
	if (near.x1-near.x0)*(near.y1-near.y0) < width*height/2 {
		return all, near, true
	}
	return all, all, false
}

var (
	cloudColor = canvas.Light(canvas.Grey, .62)
	trueLook   = Look{Color: canvas.Ink, Marker: canvas.Circle}
	missedLook = Look{Color: canvas.Ink, Marker: canvas.Ring}
	wrongLook  = Look{Color: canvas.Ink, Marker: canvas.Cross}
)

// frontPanel describes one panel of Front.
type frontPanel struct {
	window
	title  string
	frame  *window // part that the other panels enlarge
	radius vg.Length
	answer *FrontAnswer
}

func (fr *front) panel(pn frontPanel) *plot.Plot {
	p := canvas.Panel(fr.better(0), fr.better(1))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = pn.x0, pn.x1, pn.y0, pn.y1
	fr.ticks(&p.X, 0)
	fr.ticks(&p.Y, 1)
	p.Add(canvas.Heading(pn.title), canvas.Grid(true))
	p.Add(canvas.Paint(func(c draw.Canvas, p *plot.Plot) {
		pts := fr.points(c, p, 0, 1)
		var cloud vg.Path // one path for all dots keeps files small
		for _, pt := range pts {
			if c.Contains(pt) {
				cloud = append(cloud, canvas.Ellipse(pt, 1.7, 1.7, 0)...)
			}
		}
		if len(cloud) > 0 {
			c.SetColor(cloudColor)
			c.Fill(cloud)
		}
		fr.staircase(c, p, 0, 1)
		if w := pn.frame; w != nil {
			tx, ty := p.Transforms(&c)
			c.StrokeLines(canvas.Line(canvas.Muted, .8, []vg.Length{3, 2}), c.ClipLinesXY([]vg.Point{
				{X: tx(w.x0), Y: ty(w.y0)}, {X: tx(w.x1), Y: ty(w.y0)}, {X: tx(w.x1), Y: ty(w.y1)},
				{X: tx(w.x0), Y: ty(w.y1)}, {X: tx(w.x0), Y: ty(w.y0)}})...)
		}
		show := func(ids []int, l Look) {
			for _, i := range ids {
				c.DrawGlyph(l.Glyph(pn.radius), pts[i])
			}
		}
		if pn.answer == nil {
			show(fr.optimal, trueLook)
			return
		}
		found, missed, wrong := fr.sides(pn.answer)
		show(found, fr.o.Palette.Look(pn.answer.Name))
		show(missed, missedLook)
		show(wrong, wrongLook)
	}))
	return p
}

// legend explains the symbols that occur in the figure.
func (fr *front) legend() []Entry {
	es := []Entry{
		{Name: "arm", Symbol: func(c draw.Canvas) {
			c.SetColor(cloudColor)
			c.Fill(canvas.Ellipse(c.Center(), 2, 2, 0))
		}},
		canvas.MarkerEntry("Pareto-optimal", trueLook),
	}
	if fr.d == 2 {
		es = append(es, canvas.LineEntry("Pareto front", canvas.Line(canvas.Ink, 1, nil)))
	}
	misses, mistakes := false, false
	for k := range fr.answers {
		a := &fr.answers[k]
		found, missed, wrong := fr.sides(a)
		misses, mistakes = misses || len(missed) > 0, mistakes || len(wrong) > 0
		if len(found) > 0 {
			es = append(es, canvas.MarkerEntry("found by "+canvas.Pretty(a.Name), fr.o.Palette.Look(a.Name)))
		}
	}
	if misses {
		es = append(es, canvas.MarkerEntry("missed", missedLook))
	}
	if mistakes {
		es = append(es, canvas.MarkerEntry("returned by mistake", wrongLook))
	}
	return es
}

// notes explains the frame and, for more than two objectives, states that the plane does not show
// all objectives.
func (fr *front) notes(zoom bool) (s []string) {
	if zoom {
		s = append(s, "The dashed frame marks the region that the other panels show.")
	}
	if fr.d > 2 {
		s = append(s, fmt.Sprintf("With %d objectives, an arm that looks dominated here may be better in another "+
			"objective.", fr.d))
	}
	return s
}
