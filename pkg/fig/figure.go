package fig

import "github.com/purexp/purexp/pkg/fig/canvas"

// A Figure is a grid of panels with one title and one legend: what every
// function of this package returns. See [canvas.Figure] for its fields and for
// how it is written to files.
type Figure = canvas.Figure

// An Entry explains a symbol in the legend of a figure. See [canvas.Entry].
type Entry = canvas.Entry

// A Look is how a method or a class of arms is drawn. See [canvas.Look].
type Look = canvas.Look

// A Palette gives methods their looks, by their order. See [canvas.Palette].
type Palette = canvas.Palette
