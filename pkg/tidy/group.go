package tidy

import (
	"fmt"
	"strings"
)

// A Group is the rows that share a key.
type Group[K comparable, R any] struct {
	Key  K
	Rows []R
}

// GroupBy splits rows by key. Groups stand in the order in which their keys
// first appear, and rows keep their order. Use a struct of several fields to
// group by all of them. Keys must equal themselves: group by a float64 that can
// be NaN through its text.
func GroupBy[R any, K comparable](rows []R, key func(R) K) []Group[K, R] {
	keys, of, sizes := count(rows, key)
	groups := make([]Group[K, R], len(keys))
	for i, k := range keys {
		groups[i] = Group[K, R]{Key: k, Rows: make([]R, 0, sizes[i])}
	}
	for n, i := range of {
		groups[i].Rows = append(groups[i].Rows, rows[n])
	}
	if len(groups) == 0 {
		return nil
	}
	return groups
}

// count returns the keys of rows in the order in which they first appear, the place of that of each
// row, and how many rows have each. Rows can be large: they are not kept.
func count[R any, K comparable](rows []R, key func(R) K) (keys []K, of []int32, sizes []int) {
	index := make(map[K]int32)
	of = make([]int32, len(rows))
	var last int32 // that of the row before, which is often the same
	for n := range rows {
		k := key(rows[n])
		i, ok := last, len(keys) > 0 && k == keys[last]
		if !ok {
			i, ok = index[k]
		}
		if !ok {
			i = int32(len(keys))
			index[k] = i
			keys, sizes = append(keys, k), append(sizes, 0)
		}
		of[n], last = i, i
		sizes[i]++
	}
	return keys, of, sizes
}

// A Setting is something that rows can differ in.
type Setting[R any] struct {
	Name string
	Of   func(R) string
}

// Varies returns a warning for each setting in which rows differ, with its
// values in order of appearance: averages over these rows mix them.
func Varies[R any](rows []R, settings ...Setting[R]) []error {
	var warnings []error
	for _, s := range settings {
		keys, _, sizes := count(rows, s.Of)
		if len(keys) < 2 {
			continue
		}
		const most = 5
		var values []string
		for i, v := range keys {
			if i == most {
				values = append(values, fmt.Sprintf("and %d more", len(keys)-most))
				break
			}
			if v == "" {
				v = "none"
			}
			values = append(values, fmt.Sprintf("%s (%d)", v, sizes[i]))
		}
		warnings = append(warnings,
			fmt.Errorf("tidy: rows differ in %s: %s; group by it, or select one", s.Name,
				strings.Join(values, ", ")))
	}
	return warnings
}
