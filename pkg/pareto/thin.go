package pareto

import "math/bits"

const (
	sampleSize = 512  // points that tell which points are strong
	thinFrom   = 4096 // points below which the sample costs more than it saves
	maxStrong  = 32   // strong points that all points are compared with
)

// thin returns rows among which all non-dominated rows are, in ascending order, at most about half
// of all, or nil if it does not expect to find so few. O(n d).
//
// It draws a sample, selects from its non-dominated points those that together dominate most of the
// sample, and removes what they dominate. The draw is systematic, so that results never depend on a
// random source; an unlucky one costs time only.
func (x points) thin() []int {
	if x.n < thinFrom {
		return nil
	}
	sample := points{data: make([]float64, sampleSize*x.d), n: sampleSize, d: x.d, stride: x.d}
	for k := range sampleSize {
		copy(sample.row(k), x.row(int(uint64(k)*uint64(x.n)/sampleSize)))
	}
	strong := sample.strong()
	if strong == nil {
		return nil
	}
	var rows []int
	d := x.d
next:
	for i := range x.n {
		p := x.row(i)
		for s := 0; s < len(strong); s += d {
			q := strong[s : s+d : s+d]
			if dominates(q, p) {
				continue next
			}
		}
		if rows == nil {
			rows = make([]int, 0, x.n/16)
		}
		rows = append(rows, i)
		if len(rows) > x.n/2 && i > x.n-x.n/4 {
			return nil // the sample was misleading
		}
	}
	if len(rows) > x.n/2 {
		return nil
	}
	return rows
}

// strong returns up to maxStrong rows, one after the other, that dominate at least two thirds of
// all rows, the row that dominates most first, or nil if it finds no such rows. x has sampleSize
// rows.
func (x points) strong() []float64 {
	const words = sampleSize / 64
	type candidate struct {
		row   int
		below [words]uint64 // the rows that it dominates
	}
	var front []candidate
	for _, i := range x.pairwise(nil, nil) {
		if len(front) == sampleSize/3 {
			return nil
		}
		front = append(front, candidate{row: i})
	}
	for k := range front {
		f := &front[k]
		p := x.row(f.row)
		for i := range x.n {
			if dominates(p, x.row(i)) {
				f.below[i/64] |= 1 << (i % 64)
			}
		}
	}
	var strong []float64
	var covered [words]uint64
	total := 0
	for range maxStrong {
		// one point more in the sample is not worth a comparison with all points
		best, gain := -1, 1
		for k := range front {
			g := 0
			for w, b := range front[k].below {
				g += bits.OnesCount64(b &^ covered[w])
			}
			if g > gain {
				best, gain = k, g
			}
		}
		if best < 0 {
			break
		}
		for w, b := range front[best].below {
			covered[w] |= b
		}
		total += gain
		strong = append(strong, x.row(front[best].row)...)
	}
	if total < sampleSize*2/3 {
		return nil
	}
	return strong
}
