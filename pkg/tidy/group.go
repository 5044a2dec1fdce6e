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
	var groups []Group[K, R]
	index := make(map[K]int)
	for _, r := range rows {
		k := key(r)
		i, ok := index[k]
		if !ok {
			i = len(groups)
			index[k] = i
			groups = append(groups, Group[K, R]{Key: k})
		}
		groups[i].Rows = append(groups[i].Rows, r)
	}
	return groups
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
		groups := GroupBy(rows, s.Of)
		if len(groups) < 2 {
			continue
		}
		const most = 5
		var values []string
		for i, g := range groups {
			if i == most {
				values = append(values, fmt.Sprintf("and %d more", len(groups)-most))
				break
			}
			v := g.Key
			if v == "" {
				v = "none"
			}
			values = append(values, fmt.Sprintf("%s (%d)", v, len(g.Rows)))
		}
		warnings = append(warnings,
			fmt.Errorf("tidy: rows differ in %s: %s; group by it, or select one", s.Name,
				strings.Join(values, ", ")))
	}
	return warnings
}
