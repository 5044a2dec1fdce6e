package fig

import (
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// cover is an inequality that bounds the feasible region in the plane of two
// objectives: a constraint on these two alone, or an edge of the shadow that
// the region casts on the plane.
type cover struct {
	canvas.HalfPlane
	name string
	// from are the constraints that it comes from, by index; several if they
	// have other objectives, which cancel.
	from []int
}

// derived reports whether the cover is no constraint itself.
func (k cover) derived() bool { return len(k.from) > 1 }

// covers returns what bounds the feasible region in the plane of x and y.
func (pl *plane) covers(x, y int) []cover {
	if pl.region == nil {
		return nil
	}
	edges, _ := shadow(pl.region, x, y)
	cs := make([]cover, len(edges))
	for i, e := range edges {
		cs[i] = cover{e.HalfPlane, "", e.from}
		if cs[i].derived() {
			cs[i].name = inequality(e.HalfPlane, canvas.Pretty(pl.e.Objectives[x]),
				canvas.Pretty(pl.e.Objectives[y]))
		} else {
			cs[i].name = pl.constraint(e.from[0])
		}
	}
	return cs
}

// coordinate is how package polyhedron calls a coordinate that has no name.
var coordinate = regexp.MustCompile(`\bx\[(\d+)\]`)

// constraint returns the name of a constraint. Beside edges that are named by
// objectives, as only those of more than two objectives can have, so are
// constraints that have no other name.
func (pl *plane) constraint(k int) string {
	name := canvas.Pretty(pl.region.Constraint(k).Name)
	if pl.d == 2 {
		return name
	}
	return coordinate.ReplaceAllStringFunc(name, func(s string) string {
		c, err := strconv.Atoi(coordinate.FindStringSubmatch(s)[1])
		if err != nil || c >= pl.d {
			return s
		}
		return canvas.Pretty(pl.e.Objectives[c])
	})
}

// halfPlanes returns those of covers.
func halfPlanes(covers []cover) []canvas.HalfPlane {
	hs := make([]canvas.HalfPlane, len(covers))
	for i, k := range covers {
		hs[i] = k.HalfPlane
	}
	return hs
}

// whole returns the corners of a panel.
func whole(p *plot.Plot) []canvas.Point {
	return canvas.Rectangle(p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
}

// fills reports whether a panel is within a shadow. A region in the plane itself
// casts none.
func fills(p *plot.Plot, covers []cover) bool {
	if !slices.ContainsFunc(covers, cover.derived) {
		return false
	}
	for _, q := range whole(p) {
		for _, k := range covers {
			if k.Side(q) < 0 {
				return false
			}
		}
	}
	return true
}

// feasible is the colour of the feasible region.
var feasible = canvas.Light(canvas.Green, .13)

// shade fills the part of the canvas that all covers allow, but for a shadow that
// is all of it.
func shade(c draw.Canvas, p *plot.Plot, covers []cover) {
	if len(covers) == 0 || fills(p, covers) {
		return
	}
	hs := halfPlanes(covers)
	x, y := p.Transforms(&c)
	var path vg.Path
	for i, q := range canvas.Cut(whole(p), hs...) {
		pt := vg.Point{X: x(q.X), Y: y(q.Y)}
		if i == 0 {
			path.Move(pt)
			continue
		}
		path.Line(pt)
	}
	if len(path) > 2 {
		path.Close()
		c.SetColor(feasible)
		c.Fill(path)
	}
}

// dotted are the dashes of edges that several constraints make.
var dotted = []vg.Length{1.2, 2.2}

// boundaries draws the boundary of each constraint across the canvas, and of
// each derived cover along the shadow, with its name, and returns the boxes of
// the names and the lines. Names avoid points and other lines.
func boundaries(c draw.Canvas, p *plot.Plot, covers []cover, points []vg.Point,
	others []canvas.Segment) (taken []vg.Rectangle, drawn []canvas.Segment) {
	x, y := p.Transforms(&c)
	sty := canvas.Write(canvas.NoteSize, color.NRGBA{G: 0x6A, B: 0x4D, A: 255})
	for i, k := range covers {
		a, b, ok := canvas.Chord(k.HalfPlane, p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
		dashes := []vg.Length{5, 3}
		if ok && k.derived() {
			dashes = dotted
			a, b, ok = canvas.Side(k.HalfPlane,
				slices.Concat(halfPlanes(covers[:i]), halfPlanes(covers[i+1:])), a, b)
		}
		if !ok {
			continue
		}
		from, to := vg.Point{X: x(a.X), Y: y(a.Y)}, vg.Point{X: x(b.X), Y: y(b.Y)}
		c.StrokeLine2(canvas.Line(canvas.Green, 1.2, dashes), from.X, from.Y, to.X, to.Y)
		drawn = append(drawn, canvas.Segment{P: from, Q: to})
		// The name stands along the line where it hides least, on the feasible
		// side; along a steep line it is turned.
		if from.X > to.X {
			from, to = to, from
		}
		angle := math.Atan2(float64(to.Y-from.Y), float64(to.X-from.X))
		if angle < -math.Pi/3 {
			from, to, angle = to, from, angle+math.Pi
		}
		length := vg.Length(math.Hypot(float64(to.X-from.X), float64(to.Y-from.Y)))
		name := canvas.Clip(sty, k.name, length-8)
		if k.derived() && name != k.name {
			continue // half an inequality says nothing
		}
		w, h := sty.Width(name), sty.Height(name)
		sin, cos := math.Sincos(angle)
		up := vg.Point{X: vg.Length(-sin), Y: vg.Length(cos)}
		// Inside is where a x + b y decreases.
		dx, dy := x(p.X.Min+k.A)-x(p.X.Min), y(p.Y.Min+k.B)-y(p.Y.Min)
		shift := vg.Length(3)
		if dx*up.X+dy*up.Y > 0 {
			shift = -3 - h
		}
		best, cost := vg.Rectangle{}, math.Inf(1)
		var at vg.Point
		for i := range 13 {
			t := 4 + (length-w-8)*vg.Length(12-i)/12
			q := vg.Point{
				X: from.X + t*vg.Length(cos) + shift*up.X,
				Y: from.Y + t*vg.Length(sin) + shift*up.Y,
			}
			box := vg.Rectangle{Min: q, Max: q}
			for _, e := range []vg.Point{
				{X: w * vg.Length(cos), Y: w * vg.Length(sin)}, {X: h * up.X, Y: h * up.Y},
				{X: w*vg.Length(cos) + h*up.X, Y: w*vg.Length(sin) + h*up.Y},
			} {
				box.Min.X, box.Max.X = min(box.Min.X, q.X+e.X), max(box.Max.X, q.X+e.X)
				box.Min.Y, box.Max.Y = min(box.Min.Y, q.Y+e.Y), max(box.Max.Y, q.Y+e.Y)
			}
			v := float64(i) + 100*canvas.Outside(box, c.Rectangle)
			for _, pt := range points {
				if canvas.Contains(canvas.Grow(box, 7), pt) {
					v += 1000
				}
			}
			for _, l := range others {
				if canvas.Crosses(l.P, l.Q, box) {
					v += 50
				}
			}
			for _, o := range taken {
				v += 10 * canvas.Overlap(canvas.Grow(box, 2), o)
			}
			if v < cost {
				best, cost, at = box, v, q
			}
		}
		turned := sty
		turned.Rotation = angle
		d := sty.FontExtents().Descent
		canvas.Outlines{}.Draw(c.Canvas, name, turned, vg.Point{X: at.X + d*up.X, Y: at.Y + d*up.Y})
		taken = append(taken, best)
	}
	return taken, drawn
}
