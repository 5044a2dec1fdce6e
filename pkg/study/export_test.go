package study

// For tests.
var (
	Mean       = mean
	Tile       = tile
	References = (*Results).references
	TwoDigits  = twoDigits
)
