package fig

import (
	"image/color"
	"math"
	"regexp"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// cover is a constraint that involves only the two objectives of a plane.
type cover struct {
	canvas.HalfPlane
	name string
}

// covers returns the constraints that involve only x and y, and the names of constraints that
// involve other objectives.
func (pl *plane) covers(x, y int) (cs []cover, others []string) {
	if pl.region == nil {
		return nil, nil
	}
	for k := range pl.region.Rows() {
		c := pl.region.Constraint(k)
		if floats.Norm(c.A, 1) > math.Abs(c.A[x])+math.Abs(c.A[y]) {
			others = append(others, pl.constraint(k))
		} else if c.A[x] != 0 || c.A[y] != 0 {
			cs = append(cs, cover{canvas.HalfPlane{A: c.A[x], B: c.A[y], C: c.B}, pl.constraint(k)})
		}
	}
	return cs, others
}

// coordinate matches the name that package polyhedron gives to a coordinate.
var coordinate = regexp.MustCompile(`\bx\[(\d+)\]`)

// constraint returns the name of a constraint; with more than two objectives, it contains names of
// objectives instead of coordinates.
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

// feasible is the colour that shades the feasible region.
var feasible = canvas.Light(canvas.Green, .13)

// shade fills the part of the canvas in which all given constraints hold.
func shade(c draw.Canvas, p *plot.Plot, covers []cover) {
	if len(covers) == 0 {
		return
	}
	hs := make([]canvas.HalfPlane, len(covers))
	for i, k := range covers {
		hs[i] = k.HalfPlane
	}
	x, y := p.Transforms(&c)
	var path vg.Path
	for i, q := range canvas.Cut(canvas.Rectangle(p.X.Min, p.X.Max, p.Y.Min, p.Y.Max), hs...) {
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

// boundaries draws the boundary of each constraint across the canvas, with the name of the
// constraint. boundaries returns the boxes of the names, and the lines. Names are placed away from
// points and other lines.
func boundaries(c draw.Canvas, p *plot.Plot, covers []cover, points []vg.Point,
	others []canvas.Segment) (taken []vg.Rectangle, drawn []canvas.Segment) {
	x, y := p.Transforms(&c)
	sty := canvas.Write(canvas.NoteSize, color.NRGBA{G: 0x6A, B: 0x4D, A: 255})
	for _, k := range covers {
		a, b, ok := canvas.Chord(k.HalfPlane, p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
		if !ok {
			continue
		}
		from, to := vg.Point{X: x(a.X), Y: y(a.Y)}, vg.Point{X: x(b.X), Y: y(b.Y)}
		c.StrokeLine2(canvas.Line(canvas.Green, 1.2, []vg.Length{5, 3}), from.X, from.Y, to.X, to.Y)
		drawn = append(drawn, canvas.Segment{P: from, Q: to})
		// The name runs along the line on its feasible side, at the position where it hides least;
		// along a steep line, the name is rotated.
		if from.X > to.X {
			from, to = to, from
		}
		angle := math.Atan2(float64(to.Y-from.Y), float64(to.X-from.X))
		if angle < -math.Pi/3 {
			from, to, angle = to, from, angle+math.Pi
		}
		length := vg.Length(math.Hypot(float64(to.X-from.X), float64(to.Y-from.Y)))
		name := canvas.Clip(sty, k.name, length-8)
		w, h := sty.Width(name), sty.Height(name)
		sin, cos := math.Sincos(angle)
		up := vg.Point{X: vg.Length(-sin), Y: vg.Length(cos)}
		// The feasible side is the side on which a x + b y decreases.
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
