package tidy

// A Group is the rows that share a key.
type Group[K comparable, R any] struct {
	Key  K
	Rows []R
}

// GroupBy splits rows by key. Groups stand in the order in which their keys
// first appear, and rows keep their order. Use a struct of several fields to
// group by all of them. Keys must equal themselves: group by a float64 that can
// be NaN through its text.
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
