package canvas

import (
	"errors"
	"io"

	"gonum.org/v1/plot/vg"
)

// errPage is the error for PNG and PDF when the program runs in a browser. The browser program
// omits the encoders for PNG and PDF, which would be larger than the rest of the program.
var errPage = errors.New("fig: PNG and PDF are not available in a browser; use SVG")

// PNG returns an error, because the browser program supports only [SVG].
func PNG(io.Writer, Drawing, vg.Length, vg.Length) error { return errPage }

// PDF returns an error, because the browser program supports only [SVG].
func PDF(io.Writer, Drawing, vg.Length, vg.Length) error { return errPage }
