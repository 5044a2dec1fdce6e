package fig

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig/canvas"
)

// FrontOptions are the settings of [Front]. The zero value works.
type FrontOptions struct {
	// Negated says which objectives were minimised and have been negated for the
	// instance: their axes show the values as they were, from large to small. Nil
	// means what the Axes of the instance say.
	Negated []bool
	// Palette gives methods their looks, the same in all figures that share it. Nil
	// means the order of the answers.
	Palette Palette
	// Title of the figure. Empty means the name of the instance.
	Title string
}

// A FrontAnswer is what a method returned as the Pareto set.
type FrontAnswer struct {
	Name  string
	Items []int
	// Means holds the estimates of the run, M x d, one item a row. They are joined
	// to the true means of the items that are optimal or were returned. Nil draws
	// none.
	Means *mat.Dense
	// Radius holds the half-width of the confidence box of each item, the same
	// in every objective, around the estimate, or the true mean if there are no
	// Means. Items whose radius is not finite have no box. Nil draws none.
	Radius []float64
}

// Front draws the Pareto set of an instance with many items, and what methods
// returned: all items as a cloud in the plane of two objectives, the true front
// as a staircase, and a panel for each answer with the items that it has found,
// missed, and returned by mistake. Where the front is a small part of the plane,
// panels but the first enlarge the part that the first one frames. A nil o means
// the zero value.
//
// Better is always to the right and upwards. The staircase is left out if there
// are more than two objectives, where a plane does not show dominance.
func Front(inst *bandit.Instance, answers []FrontAnswer, o *FrontOptions) (*Figure, error) {
	fr, err := newFront(inst, answers, o)
	if err != nil {
		return nil, err
	}
	f := &Figure{
		Title: fr.o.Title, Legend: fr.legend(), Notes: fr.notes(), Description: fr.describe(),
		Width: canvas.ColumnWidth,
	}
	all := fr.window(true)
	near, zoom := fr.enlarged()
	overview := frontPanel{window: all, labels: !zoom, title: fmt.Sprintf("all %d arms", fr.m)}
	if zoom {
		overview.frame = &near
		overview.add(canvas.Point{X: near.x0, Y: near.y0})
		overview.add(canvas.Point{X: near.x1, Y: near.y1})
	} else {
		near = all
	}
	panels, says := []frontPanel{overview}, []string{fr.describe()}
	if zoom && len(answers) == 0 {
		const title = "the front, enlarged"
		panels = append(panels, frontPanel{window: near, labels: true, title: title})
		says = append(says, title)
	}
	for k := range answers {
		panels = append(
			panels,
			frontPanel{
				window: near,
				labels: zoom && k == 0,
				answer: &answers[k],
				title:  fr.score(&answers[k]),
			},
		)
		says = append(says, fr.judge(&answers[k]))
		f.Description += " " + says[len(says)-1]
	}
	f.Loose = says
	for _, pn := range panels {
		f.Panels = append(f.Panels, []*plot.Plot{fr.panel(pn)})
	}
	f.Fit(250 * vg.Length(len(f.Panels)))
	return f, nil
}

// front is what the panels share.
type front struct {
	*plane
	o       FrontOptions
	optimal []int // in ascending order
	is      []bool
	answers []FrontAnswer
}

// newFront checks the arguments.
func newFront(inst *bandit.Instance, answers []FrontAnswer, o *FrontOptions) (*front, error) {
	fr := &front{answers: answers}
	if o != nil {
		fr.o = *o
	}
	pl, err := newPlane(inst, &PlaneOptions{Title: fr.o.Title, Front: true})
	if err != nil {
		return nil, err
	}
	if pl.region != nil {
		return nil, fmt.Errorf(
			"fig: the question of %q has constraints, which Front does not draw; use Responses",
			inst.Name)
	}
	fr.plane, fr.o.Title = pl, pl.o.Title
	if n := len(fr.o.Negated); n != 0 && n != pl.d {
		return nil, fmt.Errorf("fig: Negated has %d entries; want one for each of %d objectives", n,
			pl.d)
	}
	if fr.o.Negated != nil {
		fr.axes = nil // said by the options
	}
	fr.is = make([]bool, pl.m)
	for i, c := range pl.classes {
		if fr.is[i] = c == explore.Optimal; fr.is[i] {
			fr.optimal = append(fr.optimal, i)
		}
	}
	for _, a := range answers {
		fr.o.Palette = fr.o.Palette.With(a.Name)
		seen := make(map[int]bool, len(a.Items))
		for _, i := range a.Items {
			if i < 0 || i >= pl.m || seen[i] {
				return nil, fmt.Errorf(
					"fig: the answer of %s names item %d, which is there twice or not one of %d",
					a.Name, i, pl.m)
			}
			seen[i] = true
		}
		if a.Means != nil {
			if m, d := a.Means.Dims(); m != pl.m || d != pl.d {
				return nil, fmt.Errorf(
					"fig: the means of %s are %d x %d; want one row for each of %d items and "+
						"one column for each of %d objectives",
					a.Name, m, d, pl.m, pl.d)
			}
		}
		if n := len(a.Radius); n != 0 && n != pl.m {
			return nil, fmt.Errorf(
				"fig: the radius of %s has %d entries; want one for each of %d items", a.Name, n,
				pl.m)
		}
	}
	return fr, nil
}
