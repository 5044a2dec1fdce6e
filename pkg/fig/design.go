package fig

import (
	"cmp"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/fig/canvas"
)

// A DesignPanel is a design on points in the plane.
type DesignPanel struct {
	Title string
	// Points are those that can be measured, K x 2, one a row.
	Points *mat.Dense
	// Names of the points. Nil means that they are not named.
	Names []string
	// Design on the points. Only the weights are needed: without a Value there
	// is no ellipse, and without Critical there are no directions.
	Design *design.Design
	// Items are what the numbers of Design.Critical refer to, M x 2: directions
	// (design.NewXY), or items whose differences are the directions
	// (design.NewPairs). Nil means the points.
	Items *mat.Dense
}

// DesignOptions are the settings of [Designs], [DesignWeights] and
// [Convergence]. The zero value works.
type DesignOptions struct {
	Title string
	// Palette gives methods their looks, the same in all figures that share it. Nil
	// means the order of the designs or series.
	Palette Palette
	// Width and Height are the size of the figure. Zero means 308 points, or 675 for long names in
	// DesignWeights, and the height that the content needs.
	Width, Height vg.Length
}

// Designs draws designs on points in the plane, one below the other on the same scale:
// points with an area proportional to their weight, the ellipse of directions y
// whose variance y'M(w)^-1 y is the design's value, and the directions that are
// critical. All directions of interest lie within the ellipse, and the critical
// ones touch it (but for the design's gap). A nil o means the zero value.
func Designs(panels []DesignPanel, o *DesignOptions) (*Figure, error) {
	if o == nil {
		o = &DesignOptions{}
	}
	if len(panels) == 0 {
		return nil, fmt.Errorf("fig: there are no designs to draw")
	}
	// One scale around the origin, from which directions start.
	var box rangeBox
	var words []string
	ellipses, arrows := false, false
	for _, d := range panels {
		if err := d.check(); err != nil {
			return nil, err
		}
		box.add(0, 0)
		k, _ := d.Points.Dims()
		for i := range k {
			box.add(d.Points.At(i, 0), d.Points.At(i, 1))
		}
		for _, q := range d.ellipse() {
			box.add(q.X, q.Y)
			ellipses = true
		}
		for _, q := range d.directions() {
			box.add(q.X, q.Y)
			arrows = true
		}
		words = append(words, d.words())
	}
	f := &Figure{
		Title:       o.Title,
		Width:       cmp.Or(o.Width, canvas.ColumnWidth),
		Height:      o.Height,
		Description: strings.Join(words, " "),
	}
	if f.Title == "" {
		f.Title = "Designs"
	}
	for _, d := range panels {
		p := canvas.Panel("feature 1", "feature 2")
		canvas.Span(&p.X, box.x0, box.x1, false, .08)
		canvas.Span(&p.Y, box.y0, box.y1, false, .08)
		canvas.Narrow(p, 2)
		d.draw(p)
		if d.Title != "" {
			title := canvas.Wrap(canvas.Heading("").Style(), canvas.Pretty(d.Title), f.Width-60)
			p.Add(canvas.Heading(title))
		}
		f.Panels = append(f.Panels, []*plot.Plot{p})
	}
	f.Loose = words
	f.Legend = []Entry{
		{
			Name:   "point, area: its weight",
			Symbol: func(c draw.Canvas) { c.DrawGlyphNoClip(disc(canvas.Blue, 4.5), c.Center()) },
		},
		{
			Name:   "point without weight",
			Symbol: func(c draw.Canvas) { c.DrawGlyphNoClip(disc(canvas.Grey, 1.8), c.Center()) },
		},
	}
	if ellipses {
		f.Legend = append(
			f.Legend,
			canvas.LineEntry("variance equals the design's value",
				canvas.Line(canvas.Black, 1, []vg.Length{4, 3})),
		)
	}
	if arrows {
		f.Legend = append(
			f.Legend,
			Entry{
				Name: "critical direction, width: its weight in the certificate",
				Symbol: func(c draw.Canvas) {
					mid := c.Center().Y
					arrow(c, canvas.Vermilion, vg.Point{X: c.Min.X, Y: mid},
						vg.Point{X: c.Max.X, Y: mid}, 1.6)
				},
			},
		)
	}
	f.Fit(240 * vg.Length(len(panels)))
	if o.Height <= 0 {
		f.Level((box.y1 - box.y0) / (box.x1 - box.x0))
	}
	return f, nil
}
