// Package canvas provides the parts of figures. A [Figure] has panels, a title, a legend and notes. A
// [Palette] selects colours, markers and dashes. Other functions draw text, axes with readable ticks,
// labels that do not overlap, and polygons. It does not depend on rows or policies; package fig does.
//
//	p := canvas.Panel("pulls", "error (%)")      // an empty *plot.Plot
//	canvas.Add(p, &plotter.Scatter{XYs: points, GlyphStyle: look.Glyph(4)})
//	f := &canvas.Figure{Title: "Errors", Panels: []*plot.Plot{p}}
//	err := f.WriteFile("errors.svg")
//
// Panels are ordinary plots of gonum.org/v1/plot, and a [Marker] is a glyph of that package. So
// plotter.Scatter, plotter.Line and other plotters work with them.
//
// PNG and PDF files have text as outlines of DejaVu Sans, so figures look the same on every machine.
// SVG files have text that can be selected. A character missing in the font appears as an empty box.
package canvas
