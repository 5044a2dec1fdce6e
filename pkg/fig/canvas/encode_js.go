package canvas

import (
	"errors"
	"io"

	"gonum.org/v1/plot/vg"
)

// errPage says which format pages have: the encoders of the others are larger than all of the rest.
var errPage = errors.New("fig: in a page figures are SVG")

// PNG returns an error: see [SVG].
func PNG(io.Writer, Drawing, vg.Length, vg.Length) error { return errPage }

// PDF returns an error: see [SVG].
func PDF(io.Writer, Drawing, vg.Length, vg.Length) error { return errPage }
