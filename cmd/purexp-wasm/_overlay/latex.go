// Package text, without LaTeX and its four fonts: figures of purexp have none.
package text
