// The published rows have a module of their own, so that users of the library do not download them.
module github.com/purexp/purexp/results

go 1.26.0
