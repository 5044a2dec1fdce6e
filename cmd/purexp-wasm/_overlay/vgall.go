// Package plot is a variant of gonum's package without the file formats that web pages do not draw;
// docker/book.py uses it to build the WebAssembly program.
package plot
