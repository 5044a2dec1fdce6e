package fig

import (
	"math"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// directions returns the ends of the critical directions.
func (d *DesignPanel) directions() []canvas.Point {
	items := d.items()
	var ps []canvas.Point
	for _, y := range d.Design.Critical {
		p := canvas.Point{X: items.At(y.I, 0), Y: items.At(y.I, 1)}
		if y.J >= 0 {
			p.X -= items.At(y.J, 0)
			p.Y -= items.At(y.J, 1)
		}
		ps = append(ps, p)
	}
	return ps
}

// ellipse returns points on {y : y'M^-1 y = Value}, M^1/2 times a circle, so
// that it is a segment where M is singular. Nil if there is no value.
func (d *DesignPanel) ellipse() []canvas.Point {
	v := d.Design.Value
	if !(v > 0) || !canvas.Finite(v) {
		return nil
	}
	var a, b, c float64 // M = [a b; b c]
	for i, w := range d.Design.Weights {
		x, y := d.Points.At(i, 0), d.Points.At(i, 1)
		a, b, c = a+w*x*x, b+w*x*y, c+w*y*y
	}
	// The root of a positive semidefinite 2 x 2 matrix (Cayley and Hamilton).
	det := math.Sqrt(max(0, a*c-b*b))
	tr := math.Sqrt(a + c + 2*det)
	if tr == 0 {
		return nil
	}
	a, b, c = (a+det)/tr, b/tr, (c+det)/tr
	const n = 180
	ps := make([]canvas.Point, n+1)
	r := math.Sqrt(v)
	for i := range ps {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		ps[i] = canvas.Point{X: r * (a*cos + b*sin), Y: r * (b*cos + c*sin)}
	}
	return ps
}
