package canvas

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/plotter"
)

// bandOpacity is that of the bands of curves, of 255: several may overlap.
const bandOpacity = 36

// Band returns the area between two paths from left to right, from where both have
// begun, in a light tone of c.
func Band(lower, upper plotter.XYs, c color.NRGBA) *plotter.Polygon {
	c.A = bandOpacity
	from := max(lower[0].X, upper[0].X)
	begun := func(path plotter.XYs) plotter.XYs {
		for len(path) > 1 && path[1].X <= from {
			path = path[1:]
		}
		return path
	}
	around := slices.Clone(begun(lower))
	slices.Reverse(around)
	around = append(around, begun(upper)...)
	return &plotter.Polygon{XYs: []plotter.XYs{around}, Color: c}
}
