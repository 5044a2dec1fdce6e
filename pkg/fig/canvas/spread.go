package canvas

import (
	"slices"

	"gonum.org/v1/plot/vg"
)

// Spread1 returns heights near the wanted ones, at least step apart and, if there
// is room, between lo and hi. Neighbours that are too close form a block around
// the mean of what they want: least squares under the order of the heights, by
// pooling adjacent violators.
func Spread1(want []vg.Length, step, lo, hi vg.Length) []vg.Length {
	order := make([]int, len(want))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case want[a] < want[b]:
			return -1
		case want[a] > want[b]:
			return 1
		}
		return 0
	})
	type block struct {
		sum vg.Length // of what members want, less their offset in order
		n   int
	}
	var blocks []block
	mean := func(b block) vg.Length { return b.sum / vg.Length(b.n) }
	for k, i := range order {
		blocks = append(blocks, block{want[i] - step*vg.Length(k), 1})
		for n := len(blocks); n > 1 && mean(blocks[n-2]) >= mean(blocks[n-1]); n = len(blocks) {
			blocks[n-2] = block{blocks[n-2].sum + blocks[n-1].sum, blocks[n-2].n + blocks[n-1].n}
			blocks = blocks[:n-1]
		}
	}
	got := make([]vg.Length, len(want))
	top := hi - step*vg.Length(len(want)-1)
	k := 0
	for _, b := range blocks {
		at := max(min(mean(b), top), lo) // clamping keeps the order and the optimum
		for range b.n {
			got[order[k]] = at + step*vg.Length(k)
			k++
		}
	}
	return got
}
