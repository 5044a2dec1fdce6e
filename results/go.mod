// The published rows are a module of their own, so that users of the library do not download them.
module github.com/purexp/purexp/results

go 1.26
