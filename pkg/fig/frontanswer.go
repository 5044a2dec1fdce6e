package fig

import (
	"fmt"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// sides returns the items that a found, missed and returned by mistake, each in
// ascending order.
func (fr *front) sides(a *FrontAnswer) (found, missed, wrong []int) {
	for _, i := range fr.optimal {
		if slices.Contains(a.Items, i) {
			found = append(found, i)
		} else {
			missed = append(missed, i)
		}
	}
	for _, i := range a.Items {
		if !fr.is[i] {
			wrong = append(wrong, i)
		}
	}
	slices.Sort(wrong)
	return found, missed, wrong
}

// score is the title of the panel of an answer.
func (fr *front) score(a *FrontAnswer) string {
	found, _, wrong := fr.sides(a)
	s := fmt.Sprintf("%s: %d of %d found", canvas.Pretty(a.Name), len(found), len(fr.optimal))
	if len(wrong) > 0 {
		s += fmt.Sprintf(", %d wrong", len(wrong))
	}
	return s
}

// estimate returns the estimate of item i, and whether there is one to draw.
func (a *FrontAnswer) estimate(i int) (canvas.Point, bool) {
	if a.Means == nil {
		return canvas.Point{}, false
	}
	q := canvas.Point{X: a.Means.At(i, 0), Y: a.Means.At(i, 1)}
	return q, canvas.Finite(q.X, q.Y)
}

// marked returns the items that a panel marks: those that are optimal or were
// returned.
func (fr *front) marked(a *FrontAnswer) []int {
	if a == nil {
		return fr.optimal
	}
	_, _, wrong := fr.sides(a)
	return slices.Concat(fr.optimal, wrong)
}

// box returns the confidence box of item i, and whether there is one to draw.
func (fr *front) box(a *FrontAnswer, i int) (b window, ok bool) {
	q, ok := a.estimate(i)
	if a.Means == nil {
		q, ok = fr.at(i), true
	}
	if !ok || a.Radius == nil || !canvas.Finite(a.Radius[i]) || a.Radius[i] == 0 {
		return b, false
	}
	r := math.Abs(a.Radius[i])
	return window{q.X - r, q.X + r, q.Y - r, q.Y + r}, true
}
