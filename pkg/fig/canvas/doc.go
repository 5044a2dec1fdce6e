// Package canvas provides the parts from which figures are made. A [Figure] has panels, a title, a
// legend and notes. A [Palette] selects colours, markers and dashes. Other functions draw text,
// axes with readable ticks, labels that do not overlap, and polygons. Package canvas does not
// depend on rows or policies; package fig does.
//
//	p := canvas.Panel("pulls", "error (%)")      // an empty *plot.Plot
//	canvas.Add(p, &plotter.Scatter{XYs: points, GlyphStyle: look.Glyph(4)})
//	f := &canvas.Figure{Title: "Errors", Panels: []*plot.Plot{p}}
//	err := f.WriteFile("errors.svg")
//
// Panels are plots of the package gonum.org/v1/plot, and a [Marker] is a glyph of that package.
// Panels therefore work with plotter.Scatter, plotter.Line and other plotters.
//
// PNG and PDF files contain text as outlines of DejaVu Sans, so figures look the same on every
// machine. SVG files contain text that can be selected. A character that the font lacks appears as
// an empty box.
package canvas
