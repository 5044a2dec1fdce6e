package memory

// Copied returns a copy of from in the memory of s; nil for nil.
func Copied[T any](s, from []T) []T {
	if from == nil {
		return nil
	}
	return append(s[:0], from...)
}
