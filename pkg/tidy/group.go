package tidy

// Group contains the rows that have the same key.
type Group[K comparable, R any] struct {
	Key  K
	Rows []R
}

// GroupBy splits rows by key. Groups are in the order of first appearance of their keys; within a
// group, rows keep their order. To group by several fields, use a struct as key. Each key must
// equal itself, so instead of a float64 that can be NaN, use the text of the number.
func GroupBy[R any, K comparable](rows []R, key func(R) K) (groups []Group[K, R]) {
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
