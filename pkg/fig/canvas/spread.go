package canvas

import (
	"slices"

	"gonum.org/v1/plot/vg"
)

// Spread1 returns places of boxes of the given heights: middles that are near the wanted ones, so
// that no two boxes overlap and, if there is room, all are between lo and hi. Neighbours that are too close form a block around
// the mean of what they want: least squares under the order of the heights, by
// pooling adjacent violators.
func Spread1(want, heights []vg.Length, lo, hi vg.Length) []vg.Length {
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
	offset := make([]vg.Length, len(want)) // of the middles, in order, if all boxes touch
	total := vg.Length(0)
	for k, i := range order {
		offset[k], total = total+heights[i]/2, total+heights[i]
	}
	type block struct {
		sum vg.Length // of what members want, less their offset in order
		n   int
	}
	var blocks []block
	mean := func(b block) vg.Length { return b.sum / vg.Length(b.n) }
	for k, i := range order {
		blocks = append(blocks, block{want[i] - offset[k], 1})
		for n := len(blocks); n > 1 && mean(blocks[n-2]) >= mean(blocks[n-1]); n = len(blocks) {
			blocks[n-2] = block{blocks[n-2].sum + blocks[n-1].sum, blocks[n-2].n + blocks[n-1].n}
			blocks = blocks[:n-1]
		}
	}
	got := make([]vg.Length, len(want))
	top := hi - total
	k := 0
	for _, b := range blocks {
		at := max(min(mean(b), top), lo) // clamping keeps the order and the optimum
		for range b.n {
			got[order[k]] = at + offset[k]
			k++
		}
	}
	return got
}
