// Package text omits LaTeX and its four fonts, which figures of purexp do not use.
package text
