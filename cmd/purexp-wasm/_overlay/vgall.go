// Package plot omits the formats that a page does not draw; docker/book.py uses it when it builds
// the WebAssembly program.
package plot
