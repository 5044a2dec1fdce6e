// Package text is a variant of gonum's package without LaTeX and its four fonts, because purexp
// draws its figures without LaTeX.
package text
