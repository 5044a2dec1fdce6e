// Package memory returns slices that reuse memory from earlier runs.
//
//	p.sums = memory.Zeroed(p.sums, k) // k zeros, in the memory of p.sums if it is large enough
package memory

// UpTo returns a slice with the numbers from 0 to n - 1, which reuses the memory of s.
func UpTo(s []int, n int) []int {
	s = Zeroed(s, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// Zeroed returns a slice with n zero entries, which reuses the memory of s.
func Zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
