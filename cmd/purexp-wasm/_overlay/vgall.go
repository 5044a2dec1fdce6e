// Package plot, without the formats that a page does not draw: docker/book.py builds the pages'
// program with it.
package plot
