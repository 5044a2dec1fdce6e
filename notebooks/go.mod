// Notebooks have a module of their own, so that users of the library do not download them.
module github.com/purexp/purexp/notebooks

go 1.26.0
