package study

// For tests.
var (
	Mean       = mean
	References = (*Results).references
)
