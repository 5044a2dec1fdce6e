package fig

import (
	"math"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// A window is a part of the plane.
type window struct{ x0, x1, y0, y1 float64 }

func (w *window) add(q canvas.Point) {
	w.x0, w.x1 = min(w.x0, q.X), max(w.x1, q.X)
	w.y0, w.y1 = min(w.y0, q.Y), max(w.y1, q.Y)
}

// addBoxes adds the confidence boxes of a, as far as they are within all.
func (w *window) addBoxes(fr *front, a *FrontAnswer, all window) {
	for _, i := range fr.marked(a) {
		if b, ok := fr.box(a, i); ok && b.x0 < all.x1 && b.x1 > all.x0 && b.y0 < all.y1 &&
			b.y1 > all.y0 {
			w.add(canvas.Point{X: max(b.x0, all.x0), Y: max(b.y0, all.y0)})
			w.add(canvas.Point{X: min(b.x1, all.x1), Y: min(b.y1, all.y1)})
		}
	}
}

// Margins of the windows, as a share of their size, with room for names at the
// right; and the smallest part of all that is shown enlarged, so that there is
// something to compare with.
const (
	cloudMargin = .05
	nearMargin  = .18
	nameMargin  = .4
	leastPart   = .03
)

// enlarged returns the part of the plane around the front, and whether it is small
// enough to be enlarged: less than half of the plane, and not all that there is.
func (fr *front) enlarged() (near window, ok bool) {
	all := fr.window(true)
	near = fr.window(false)
	if (near.x1-near.x0)*(near.y1-near.y0) >= .5*(all.x1-all.x0)*(all.y1-all.y0) {
		return near, false
	}
	for i := range fr.m {
		if q := fr.at(i); q.X < near.x0 || q.X > near.x1 || q.Y < near.y0 || q.Y > near.y1 {
			return near, true
		}
	}
	return near, false
}

// window returns the part of the plane that holds all items, or only those that
// are optimal or were returned, with their estimates. It has a margin.
func (fr *front) window(all bool) window {
	inf := math.Inf(1)
	w := window{inf, -inf, inf, -inf}
	for i := range fr.m {
		if all || fr.is[i] {
			w.add(fr.at(i))
		}
	}
	for k := range fr.answers {
		a := &fr.answers[k]
		for _, i := range a.Items {
			w.add(fr.at(i))
		}
		if a.Means == nil {
			continue
		}
		for _, i := range fr.marked(a) {
			if q, ok := a.estimate(i); ok {
				w.add(q)
			}
		}
	}
	if all {
		w.x0, w.x1 = widen(w.x0, w.x1, 0, cloudMargin, cloudMargin)
		w.y0, w.y1 = widen(w.y0, w.y1, 0, cloudMargin, cloudMargin)
		return w
	}
	whole := fr.window(true)
	for k := range fr.answers {
		w.addBoxes(fr, &fr.answers[k], whole)
	}
	w.x0, w.x1 = widen(w.x0, w.x1, leastPart*(whole.x1-whole.x0), nearMargin, nameMargin)
	w.y0, w.y1 = widen(w.y0, w.y1, leastPart*(whole.y1-whole.y0), nearMargin, nearMargin)
	w.x0, w.y0 = max(w.x0, whole.x0), max(w.y0, whole.y0) // nothing is beyond
	return w
}

// widen returns an interval of length at least least around lo to hi, with
// margins, as a share of its length. What is dominated is below: there is more to
// be seen there.
func widen(lo, hi, least, before, after float64) (float64, float64) {
	if d := least - (hi - lo); d > 0 {
		lo, hi = lo-.8*d, hi+.2*d
	}
	if hi == lo {
		lo, hi = lo-.5, hi+.5
	}
	d := hi - lo
	return lo - before*d, hi + after*d
}

func (fr *front) at(i int) canvas.Point {
	return canvas.Point{X: fr.mu.At(i, 0), Y: fr.mu.At(i, 1)}
}
