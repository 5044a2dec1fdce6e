// Package fig draws rows and instances: the plane of two objectives with the
// feasible region, the distribution of the number of pulls of each method, how it
// grows with the problem, the course of one run, where its measurements went, and
// arms about a threshold.
//
//	f, err := fig.SampleComplexity(rows, nil) // rows of package mc
//	err = f.WriteFile("pulls.svg")
//
// Every function returns a [Figure], which holds ordinary panels of the package
// gonum.org/v1/plot and can be changed before it is drawn. Nothing is written
// to a file but by [Figure.WriteFile]; [Figure.PNG] and its like write to any
// writer. The same input gives the same bytes.
//
// Colour and marker of a method depend on its place in the figure's [Palette], by default the order
// of the figure, and dashes on its constants. Figures that share a palette show a method
// alike, whatever it is compared with. Names stand at the ends of lines, and no more than seven lines
// of a panel are in colour. Figures of one panel are as wide as a column: a telephone shows them with
// text of 12 pixels.
// Colours are those of Okabe and Ito (Color Universal Design, 2008), which
// people with colour vision deficiencies tell apart; markers and dashes say the
// same thing again for print in grey. Estimates are drawn with their intervals.
//
// Panels, looks, text and labels are those of package canvas, for figures of your
// own.
package fig
