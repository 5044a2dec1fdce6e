// Package canvas is what figures are drawn with: panels with a title, a
// legend and notes ([Figure]), colours, markers and looks ([Palette]), text as
// outlines, axes with readable ticks, labels that do not overlap, and polygons.
// It knows neither rows nor policies; package fig does.
//
//	p := canvas.Panel("pulls", "error (%)")      // an empty *plot.Plot
//	canvas.Add(p, &plotter.Scatter{XYs: points, GlyphStyle: look.Glyph(4)})
//	f := &canvas.Figure{Title: "Errors", Panels: []*plot.Plot{p}}
//	err := f.WriteFile("errors.svg")
//
// Panels are ordinary plots of gonum.org/v1/plot, and a [Marker] is one of its
// glyphs, so that plotter.Scatter, plotter.Line and their like work on them.
//
// Text is drawn as outlines of DejaVu Sans: figures look the same on every
// machine, SVG and PDF need no fonts, and a character that the font lacks shows
// as an empty box instead of vanishing.
package canvas
