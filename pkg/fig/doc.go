// Package fig draws rows and instances: the plane of two objectives with the
// feasible region, the distribution of the number of pulls of each method, how it
// grows with the problem, the pulls of each arm, and the course of one run; and
// optimal designs: points and weights, and the convergence of solvers.
//
// Every function returns a [Figure], which holds ordinary panels of the package
// gonum.org/v1/plot and can be changed before it is drawn. Nothing is written
// to a file but by [Figure.WriteFile]; [Figure.PNG] and its like write to any
// writer. The same input gives the same bytes.
//
// Colour, marker and dash of a method depend on its name alone (see [Method]),
// so that e-cAPE looks the same in every figure, whatever it is compared with.
// Colours are those of Okabe and Ito (Color Universal Design, 2008), which
// people with colour vision deficiencies tell apart; markers and dashes say the
// same thing again for print in grey. Estimates are drawn with their intervals.
//
// Text is drawn as outlines of DejaVu Sans: figures look the same on every
// machine, SVG and PDF need no fonts, and a character that the font lacks shows
// as an empty box instead of vanishing.
package fig
