package pareto

// patience is the number of comparisons per point that markMany allows itself before it divides.
// With all points optimal, divide and conquer is faster from a few hundred points on; with one
// point in ten optimal, it never needs to begin.
const patience = 64

// markMany marks the non-dominated rows for any d. It goes through the rows from large to small
// sums, in which order none is dominated by a later one, and compares each with the optimal rows
// found so far. Rows that dominate move to the front of this list, since they are likely to
// dominate again. It is O(n p d) at worst, p being the number of different optimal rows, and much
// faster when p is small. After more than patience comparisons per row it hands over to divide and
// conquer.
func (x points) markMany(alive []bool, patience int) {
	sum := make([]float64, x.n)
	for i := range sum {
		// Rounding is monotone, so that a dominated row never has the larger sum. It can
		// have the same sum; then compare decides.
		for _, v := range x.row(i) {
			sum[i] += v
		}
	}
	rows := order(sum, func(i, j uint32) int {
		switch {
		case sum[i] > sum[j]:
			return -1
		case sum[i] < sum[j]:
			return 1
		}
		return x.compare(i, j)
	})
	d := x.d
	left := patience * x.n
	var front []float64 // the different optimal rows so far, one after the other
next:
	for k, i := range rows {
		if left < 0 {
			x.markRest(alive, rows[k:])
			return
		}
		p := x.row(int(i))
		for s := 0; s < len(front); s += d {
			q := front[s : s+d : s+d]
			if !covers(q, p) {
				continue
			}
			left -= s / d
			if equal(q, p) {
				alive[i] = true // a copy of an optimal row
				continue next
			}
			h := s / d / 2 * d
			for c, v := range q {
				q[c], front[h+c] = front[h+c], v
			}
			continue next
		}
		left -= len(front) / d
		alive[i] = true
		front = append(front, p...)
	}
}

// markRest completes alive, which tells the optimal rows among all rows but rest, when rest cannot
// dominate them.
func (x points) markRest(alive []bool, rest []uint32) {
	var rows []int
	for i, ok := range alive {
		if ok {
			rows = append(rows, i)
		}
	}
	for _, i := range rest {
		rows = append(rows, int(i))
	}
	y := x.pack(rows)
	sub := make([]bool, y.n)
	y.markDivided(sub)
	for k, i := range rows {
		alive[i] = sub[k]
	}
}
