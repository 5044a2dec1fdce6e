package report

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/fig"
)

// Width selects the width of a figure.
type Width bool

// The following constants are the widths of figures for a page and for a telephone.
const (
	Wide   Width = false
	Narrow Width = true
)

// Figure is a drawing with a text alternative for people who do not see it.
type Figure struct {
	SVG string `json:"svg"`
	Alt string `json:"alt"`
}

// Plane returns the PlaneFigure as SVG, or a text that explains that there are no results yet.
func (v *View) Plane(x, y int, width Width) (Figure, error) {
	f, err := v.PlaneFigure(x, y, width)
	if errors.Is(err, ErrNothing) {
		return words("Nothing has been measured yet. Estimates with their intervals will appear here."), nil
	}
	if err != nil {
		return Figure{}, err
	}
	return drawn(f)
}

// ErrNothing reports that there are no results to draw.
var ErrNothing = errors.New("report: there are no results to draw; report results first")

// PlaneFigure draws estimates and intervals of the arms in the plane of objectives x and y, and the
// feasible region. For a problem with one objective, PlaneFigure draws the arms in the order of
// their estimates. PlaneFigure omits arms without an estimate. If no arm has an estimate, the error
// is ErrNothing. If x or y is out of range, PlaneFigure returns an error.
func (v *View) PlaneFigure(x, y int, width Width) (*fig.Figure, error) {
	d := len(v.Columns)
	if x < 0 || y < 0 || x >= d || y >= d || (x == y && d > 1) {
		return nil, fmt.Errorf("report: axes %d and %d; expected two different objectives from 0 to %d", x, y, d-1)
	}
	shown := slices.DeleteFunc(slices.Clone(v.Arms), func(a campaign.ArmStatus) bool {
		return !a.Available || slices.ContainsFunc(a.Estimate, math.IsNaN)
	})
	if len(shown) == 0 {
		return nil, ErrNothing
	}
	e := v.estimates(shown)
	o := &fig.PlaneOptions{X: x, Y: y, Title: "Estimates of the candidates"}
	if width == Narrow {
		o.Width, o.Height = 330, 400
	}
	return e.Plane(o)
}

// estimates returns the shown arms with the same intervals as in the report's table. All figures
// are oriented so that better values are to the right and at the top.
func (v *View) estimates(shown []campaign.ArmStatus) *fig.Estimates {
	d := len(v.Columns)
	e := &fig.Estimates{Axes: v.axes, Objectives: v.Objectives, Means: mat.NewDense(len(shown), d, nil),
		Low: mat.NewDense(len(shown), d, nil), High: mat.NewDense(len(shown), d, nil), Region: v.region}
	for i, a := range shown {
		e.Items = append(e.Items, a.Arm)
		e.Classes = append(e.Classes, a.Class)
		for c, axis := range v.axes {
			ends := []float64{axis.In(a.Low[c]), axis.In(a.High[c])} // NaN draws no box: the arm has no interval yet
			e.Means.Set(i, c, axis.In(a.Estimate[c]))
			e.Low.Set(i, c, min(ends[0], ends[1]))
			e.High.Set(i, c, max(ends[0], ends[1]))
		}
	}
	return e
}

// Effort returns the EffortFigure as SVG.
func (v *View) Effort(width Width) (Figure, error) {
	f, err := v.EffortFigure(width)
	if err != nil {
		return Figure{}, err
	}
	return drawn(f)
}

// EffortFigure draws the number of measurements of each arm.
func (v *View) EffortFigure(width Width) (*fig.Figure, error) {
	arms := make([]fig.ArmEffort, len(v.Arms))
	for i, a := range v.Arms {
		arms[i] = fig.ArmEffort{Name: a.Arm, Used: a.Used, Pending: a.Pending, Lost: a.Failed + a.Unused}
	}
	o := &fig.EffortOptions{Title: "Measurements of each candidate"}
	if width == Narrow {
		o.Width = 330
	}
	return fig.Effort(arms, o)
}

// drawn converts a figure to SVG for embedding in HTML.
func drawn(f *fig.Figure) (Figure, error) {
	var b bytes.Buffer
	if err := f.SVG(&b); err != nil {
		return Figure{}, err
	}
	// HTML does not allow the XML declaration and the doctype of an SVG file, so drawn removes
	// both.
	svg := b.Bytes()
	if i := bytes.Index(svg, []byte("<svg")); i > 0 {
		svg = svg[i:]
	}
	return Figure{SVG: string(svg), Alt: f.Alt()}, nil
}

// words returns a Figure that shows only a text.
func words(text string) Figure {
	return Figure{Alt: text, SVG: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 675 60" ` +
		`width="675" height="60"><title>` + html.EscapeString(text) + `</title><text x="8" y="36" ` +
		`font-family="sans-serif" font-size="16" fill="#585858">` + html.EscapeString(text) +
		`</text></svg>`}
}
