// Package fig draws figures of the result rows of studies, and of instances. Figures of rows show
// the distribution of the number of pulls of each method, and how the number grows with problem
// size. Other figures show the plane of two objectives with the feasible region, the course of one
// run, the measurements of each arm, and the arms relative to a threshold.
//
//	f, err := fig.SampleComplexity(rows, nil) // rows of package mc
//	err = f.WriteFile("pulls.svg")
//
// Every function that draws returns a [Figure] with panels of the package gonum.org/v1/plot, which
// you can change before writing the figure. Only [Figure.WriteFile] writes files; [Figure.PNG],
// [Figure.SVG] and [Figure.PDF] write to any writer. For the same input, the output always has the
// same bytes.
//
// The colour and marker of a method depend on its position in the figure's [Palette]; by default,
// this is the order of appearance. The dashes of a line depend on the constants of the method.
// Figures with the same palette draw a method in the same way. Names are at the ends of lines, and
// a panel has at most seven coloured lines. Figures with one panel are as narrow as a column, so
// that their text is readable on a phone. The colours are those of Okabe and Ito (Color Universal
// Design, 2008), which people with colour vision deficiencies can distinguish. Markers and dashes
// carry the same information as colours, for printing in greyscale. Estimates are drawn with their
// confidence intervals.
//
// Package canvas provides panels, styles, text and labels for custom figures.
package fig
