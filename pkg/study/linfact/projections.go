package linfact

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/fig/canvas"
)

// onLine are the features of the two arms of Projections: means are (1, 0.6) theta.
var onLine = canvas.Point{X: 1, Y: .6}

// A projection is the estimates of the means of the two arms of Projections from as many rewards of
// each.
type projection struct {
	linear     canvas.Point // Psi theta
	truth      canvas.Point // mu = Psi theta + Delta
	empirical  canvas.Point // means of rewards
	ols        canvas.Point // Psi theta-hat, the nearest linear means to the empirical ones
	adjusted   canvas.Point // (30), the nearest means that deviate by at most L_m
	orthogonal canvas.Point // Psi theta_t of (32), the nearest linear means to the true ones
}

// project returns the estimates for a deviation L_m, where means are Psi + L_m (0.8, 1).
func project(deviation float64) projection {
	p := projection{linear: onLine}
	p.truth = canvas.Point{X: onLine.X + .8*deviation, Y: onLine.Y + deviation}
	p.empirical = canvas.Point{X: p.truth.X - .05, Y: p.truth.Y + .45}
	p.ols = toBand(p.empirical, 0)
	p.adjusted = toBand(p.empirical, deviation)
	p.orthogonal = toBand(p.truth, 0)
	return p
}

// toBand returns the point closest to q whose two coordinates are within deviation of a multiple of
// onLine. These points are a band around the line: |f_1 y - f_2 x| <= deviation (|f_1| + |f_2|), f
// = onLine.
func toBand(q canvas.Point, deviation float64) canvas.Point {
	off := onLine.X*q.Y - onLine.Y*q.X
	half := deviation * (onLine.X + onLine.Y)
	move := math.Copysign(max(0, math.Abs(off)-half), off) / (onLine.X*onLine.X + onLine.Y*onLine.Y)
	return canvas.Point{X: q.X + move*onLine.Y, Y: q.Y - move*onLine.X}
}

// Projections is Fig. 2 and Fig. 3 for two arms with one feature, in the plane of their means:
// least squares if the model is linear; the estimate (30) if means deviate from it by at most L_m,
// a band around the line; and the true means as a linear part and a deviation, in two ways: as the
// model has them, and with the linear part nearest to them, to which least squares converges (32).
func Projections(deviation float64) (*fig.Figure, error) {
	if !(deviation > 0 && deviation <= .4) {
		return nil, fmt.Errorf("linfact: Projections for L_m = %v; want one above 0, and at most "+
			"0.4 to be drawn", deviation)
	}
	exact, p := project(0), project(deviation)
	plane := func(title string, band bool) fig.Sketch {
		s := fig.Sketch{Title: title, XLabel: "mean of arm 1", YLabel: "mean of arm 2",
			X: [2]float64{0, 1.6}, Y: [2]float64{0, 1.6}}
		s.Lines = []fig.SketchLine{{Style: border,
			Points: []canvas.Point{{}, {X: 1.6 * onLine.X, Y: 1.6 * onLine.Y}}}}
		if band {
			c := deviation * (onLine.X + onLine.Y)
			s.Regions = []fig.SketchRegion{{Name: "M", Color: canvas.Light(canvas.SkyBlue, .3),
				Pieces: [][]canvas.Point{canvas.Cut(canvas.Rectangle(0, 1.6, 0, 1.6),
					canvas.HalfPlane{A: -onLine.Y, B: onLine.X, C: c},
					canvas.HalfPlane{A: onLine.Y, B: -onLine.X, C: c})}}}
		}
		return s
	}
	arrow := func(from, to canvas.Point) fig.SketchArrow {
		return fig.SketchArrow{From: from, To: to, Color: canvas.Vermilion}
	}
	a, b, c := plane("Linear model: least squares", false),
		plane("Deviations: estimate (30)", true),
		plane("Orthogonal parts (32)", true)
	a.Points = []fig.SketchPoint{{Point: exact.truth, Name: "μ = Ψθ", Look: truthLook},
		{Point: exact.empirical, Name: "μ̃", Look: thetaLook},
		{Point: exact.ols, Name: "μ̂", Look: otherLook}}
	a.Arrows = []fig.SketchArrow{arrow(exact.empirical, exact.ols)}
	b.Points = []fig.SketchPoint{{Point: p.truth, Name: "μ", Look: truthLook},
		{Point: p.empirical, Name: "μ̃", Look: thetaLook},
		{Point: p.adjusted, Name: "μ̂", Look: otherLook},
		{Point: p.ols, Name: "least squares", Look: olsLook}}
	b.Arrows = []fig.SketchArrow{arrow(p.empirical, p.adjusted)}
	c.Points = []fig.SketchPoint{{Point: p.truth, Name: "μ", Look: truthLook},
		{Point: p.linear, Name: "Ψθ", Look: olsLook},
		{Point: p.orthogonal, Name: "Ψθ_t", Look: otherLook}}
	c.Arrows = []fig.SketchArrow{arrow(p.linear, p.truth), arrow(p.orthogonal, p.truth)}
	return fig.Sketches([]fig.Sketch{a, b, c}, &fig.SketchOptions{
		Title:  fmt.Sprintf("Estimates of two means with one feature, L_m = %v", deviation),
		Square: true,
		Legend: []fig.Entry{canvas.MarkerEntry("true means μ", truthLook),
			canvas.MarkerEntry("means of rewards μ̃", thetaLook),
			canvas.MarkerEntry("estimate μ̂", otherLook), canvas.LineEntry("linear means", border)},
		Notes: []string{"M: means within L_m of linear ones in each arm. Arms have as many " +
			"rewards, so that projections are " +
			"orthogonal. Arrows of the third: deviations Δ from Ψθ and Δ(t) from Ψθ_t."},
	})
}
