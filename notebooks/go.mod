// The notebooks with their outputs are half of the repository's size, and no package imports them. They are a separate
// module, so that users of the library do not download the notebooks.
module github.com/purexp/purexp/notebooks

go 1.26.0
