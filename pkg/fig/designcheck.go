package fig

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// check reports the first thing that cannot be drawn.
func (d *DesignPanel) check() error {
	if d.Points == nil || d.Design == nil {
		return fmt.Errorf("fig: design %q: Points or Design is nil", d.Title)
	}
	k, h := d.Points.Dims()
	if h != 2 {
		return fmt.Errorf(
			"fig: design %q: points have %d features; a plane has 2 (DesignWeights draws any "+
				"number)",
			d.Title, h)
	}
	if len(d.Design.Weights) != k {
		return fmt.Errorf("fig: design %q: %d weights for %d points", d.Title,
			len(d.Design.Weights), k)
	}
	if err := checkWeights(d.Title, d.Design.Weights); err != nil {
		return err
	}
	if d.Names != nil && len(d.Names) != k {
		return fmt.Errorf("fig: design %q: %d names for %d points", d.Title, len(d.Names), k)
	}
	items := d.items()
	m, c := items.Dims()
	if c != 2 {
		return fmt.Errorf("fig: design %q: items have %d features; want 2", d.Title, c)
	}
	for _, x := range []*mat.Dense{d.Points, items} {
		for i := range x.RawMatrix().Rows {
			if !canvas.Finite(x.At(i, 0), x.At(i, 1)) {
				return fmt.Errorf("fig: design %q: row %d, (%v, %v), is not finite", d.Title, i,
					x.At(i, 0), x.At(i, 1))
			}
		}
	}
	for _, y := range d.Design.Critical {
		if y.I < 0 || y.I >= m || y.J < -1 || y.J >= m {
			return fmt.Errorf(
				"fig: design %q: the critical direction %d, %d is not one of %d items; set "+
					"Items to what the design was computed for",
				d.Title, y.I, y.J, m)
		}
	}
	return nil
}

func checkWeights(name string, ws []float64) error {
	for i, w := range ws {
		if !(w >= 0) || !canvas.Finite(w) {
			return fmt.Errorf("fig: design %q: weight %d is %v; want a number of at least 0", name,
				i, w)
		}
	}
	return nil
}

func (d *DesignPanel) items() *mat.Dense {
	if d.Items != nil {
		return d.Items
	}
	return d.Points
}
