// Package canvas draws figures. A [Figure] combines panels with a title, a legend and notes. A
// [Palette] assigns colours, markers and dashes to methods. Other functions draw text, axes with
// readable ticks, labels that do not overlap, and polygons. Package canvas does not depend on
// studies or policies; package fig draws their results.
//
//	p := canvas.Panel("pulls", "error (%)")      // an empty *plot.Plot
//	canvas.Add(p, &plotter.Scatter{XYs: points, GlyphStyle: look.Glyph(4)})
//	f := &canvas.Figure{Title: "Errors", Panels: []*plot.Plot{p}}
//	err := f.WriteFile("errors.svg")
//
// Panels are plots of the package gonum.org/v1/plot, and a [Marker] is a glyph of that package.
// Panels therefore accept plotter.Scatter, plotter.Line and all other plotters.
//
// PNG and PDF files contain text as outlines of DejaVu Sans, so figures look the same on every
// machine. SVG files contain text that can be selected. A character that the font lacks appears as
// an empty box.
package canvas
