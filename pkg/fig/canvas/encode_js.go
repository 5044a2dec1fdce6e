package canvas

import (
	"errors"
	"io"

	"gonum.org/v1/plot/vg"
)

// errPage is the error for formats other than SVG in a browser. Their encoders would be larger than the
// rest of the program.
var errPage = errors.New("fig: a browser has no encoder for PNG and PDF; use SVG")

// PNG returns an error; use [SVG].
func PNG(io.Writer, Drawing, vg.Length, vg.Length) error { return errPage }

// PDF returns an error; use [SVG].
func PDF(io.Writer, Drawing, vg.Length, vg.Length) error { return errPage }
