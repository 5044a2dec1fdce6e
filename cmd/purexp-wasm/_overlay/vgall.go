// Package plot is a variant of gonum's package that does not import all file formats, because web
// pages draw only SVG figures. docker/book.py uses it to build the WebAssembly program.
package plot
