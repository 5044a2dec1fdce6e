// Notebooks with their outputs are half of what the repository weighs, and nothing imports them: in a module of
// their own, they are not in what the module proxy sends to those who use the library.
module github.com/purexp/purexp/notebooks

go 1.26.0
