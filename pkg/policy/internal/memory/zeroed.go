// Package memory reuses the memory of slices from run to run.
//
//	p.sums = memory.Zeroed(p.sums, k) // k zeros, where p.sums was if there is room
package memory

// Zeroed returns s with length n and all entries zero, reusing its memory.
func Zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
