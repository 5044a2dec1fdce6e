package design

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// far finds the pairs of points with the largest distance, exactly but without examining all pairs.
// The points are sorted by their distance r_i from a centre of the set, because two points i and j
// are at most r_i + r_j apart. Points of two blocks are at most as far apart as the middles of the
// blocks, plus both radii. If these bounds do not exclude a pair of blocks, the distances between
// its points are computed by a matrix product. The memory of far is reused from one set to the
// next.
type far struct {
	n, m   int
	s      []float64 // n x m, centred, sorted by descending r
	st     []float64 // m x n, s transposed
	r, sq  []float64 // n: distances from the centre, and their squares
	order  []int     // n: indices of the points, in the order of s
	centre []float64
	block  []float64 // farBlock x farBlock inner products
	middle []float64 // middle of each block, as rows of length m
	radius []float64 // radius of each block, around its middle

	partner []int     // n, in the order of s: the farthest point that scan found
	reach   []float64 // n: squared distance to the partner
}

const (
	farBlock  = 64
	farCentre = 12 // number of steps towards the centre of the smallest enclosing ball
	farStarts = 4  // number of points from which walk starts its search for two distant points
)

// load stores n points p of m coordinates, n x m in row-major order.
func (f *far) load(p []float64, n, m int) {
	f.n, f.m = n, m
	f.s, f.st = grow(f.s, n*m), grow(f.st, n*m)
	f.r, f.sq, f.reach = grow(f.r, n), grow(f.sq, n), grow(f.reach, n)
	f.order, f.partner = grow(f.order, n), grow(f.partner, n)
	f.centre, f.block = grow(f.centre, m), grow(f.block, farBlock*farBlock)

	// The centre affects which pairs are skipped, but not the result. To approximate the centre of
	// the smallest enclosing ball, step k moves 1/(k+2) of the way to the farthest point (Badoiu and
	// Clarkson, 2003).
	clear(f.centre)
	for i := range n {
		floats.AddScaled(f.centre, 1/float64(n), p[i*m:][:m])
	}
	for k := range farCentre {
		at, most := 0, -1.
		for i := range n {
			if d := squaredDistance(p[i*m:][:m], f.centre); d > most {
				at, most = i, d
			}
		}
		for j, v := range p[at*m:][:m] {
			f.centre[j] += (v - f.centre[j]) / float64(k+2)
		}
	}
	for i := range n {
		f.reach[i] = squaredDistance(p[i*m:][:m], f.centre)
		f.order[i] = i
	}
	slices.SortFunc(f.order, func(i, j int) int {
		return cmp.Or(cmp.Compare(f.reach[j], f.reach[i]), i-j)
	})
	for a, i := range f.order {
		f.sq[a], f.r[a] = f.reach[i], math.Sqrt(f.reach[i])
		for j, v := range p[i*m:][:m] {
			v -= f.centre[j]
			f.s[a*m+j], f.st[j*n+a] = v, v
		}
	}
	blocks := (n + farBlock - 1) / farBlock
	f.middle, f.radius = grow(f.middle, blocks*m), grow(f.radius, blocks)
	for b := range blocks {
		lo, hi := b*farBlock, min((b+1)*farBlock, n)
		middle := f.middle[b*m:][:m]
		clear(middle)
		for a := lo; a < hi; a++ {
			floats.AddScaled(middle, 1/float64(hi-lo), f.s[a*m:][:m])
		}
		most := 0.
		for a := lo; a < hi; a++ {
			most = max(most, squaredDistance(f.s[a*m:][:m], middle))
		}
		f.radius[b] = math.Sqrt(most)
	}
}

// farthest returns the largest squared distance of two points, and the indices i < j of these
// points. For a single point, farthest returns 0, 0, 0. The returned distance is exact up to
// rounding.
func (f *far) farthest() (squared float64, i, j int) {
	best, a, b := f.walk()
	f.scan(best, func(d float64, x, y int) float64 {
		if d > best {
			best, a, b = d, x, y
		}
		return best
	})
	i, j = f.order[a], f.order[b]
	return f.between(a, b), min(i, j), max(i, j)
}

// partners finds the farthest point from each point, provided that the squared distance of the two
// points is at least share times the largest squared distance. partners returns the largest squared
// distance. A point with no other point at such a distance gets the partner -1. The partners are in
// the order of f.order.
func (f *far) partners(share float64) (squared float64) {
	for a := range f.n {
		f.partner[a], f.reach[a] = -1, 0
	}
	best, x, y := f.walk()
	note := func(d float64, a, b int) float64 {
		f.meet(d, a, b)
		f.meet(d, b, a)
		if d > best {
			best, x, y = d, a, b
		}
		return share * best
	}
	if best == 0 {
		return 0
	}
	note(best, x, y)
	f.scan(share*best, note)
	for a := range f.n {
		if f.reach[a] < share*best {
			f.partner[a] = -1
		}
	}
	return f.between(x, y)
}

// meet makes point b the partner of point a if b is farther from a than the current partner. In
// symmetric sets, many points are equally distant. Ties are broken by a fixed pseudorandom rule,
// because a solver learns less from partners that are all on the same side.
func (f *far) meet(d float64, a, b int) {
	const equal = 1e-10
	if d > f.reach[a]*(1+equal) || d >= f.reach[a]*(1-equal) && scramble(a, b) > scramble(a, f.partner[a]) {
		f.reach[a], f.partner[a] = d, b
	}
}

// scramble returns a hash of a pair of points, which breaks ties.
func scramble(a, b int) uint32 {
	h := uint32(a)*0x9e3779b1 ^ uint32(b)*0x85ebca6b
	h ^= h >> 15
	h *= 0x2c1b3c6d
	return h ^ h>>12
}

// walk returns the indices, in the order of s, of two points that are far apart. From each of
// several points, walk repeatedly moves to the farthest point, as long as the distance grows.
func (f *far) walk() (squared float64, a, b int) {
	for start := range min(farStarts, f.n) {
		for at, d := start, 0.; ; {
			next, most := at, d
			for c := range f.n {
				if e := f.between(at, c); e > most {
					next, most = c, e
				}
			}
			if next == at {
				break
			}
			if most > squared {
				squared, a, b = most, at, next
			}
			at, d = next, most
		}
	}
	return squared, a, b
}

// scan calls the function see with each pair whose squared distance is at least limit; see returns
// the new limit. The distances passed to see are exact up to rounding. The points a and b are
// indices in the order of s.
func (f *far) scan(limit float64, see func(squared float64, a, b int) float64) {
	for a0 := 0; a0 < f.n; a0 += farBlock {
		a1 := min(a0+farBlock, f.n)
		if apart := f.r[a0] + f.r[0]; apart*apart*(1+1e-12) < limit {
			return
		}
		for b0 := 0; b0 <= a0; b0 += farBlock {
			b1 := min(b0+farBlock, f.n)
			if apart := f.r[a0] + f.r[b0]; apart*apart*(1+1e-12) < limit {
				break
			}
			if f.blockDistance(a0/farBlock, b0/farBlock) < limit {
				continue
			}
			p := blas64.General{Rows: a1 - a0, Cols: b1 - b0, Stride: farBlock, Data: f.block}
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1,
				blas64.General{Rows: a1 - a0, Cols: f.m, Stride: f.m, Data: f.s[a0*f.m:]},
				blas64.General{Rows: f.m, Cols: b1 - b0, Stride: f.n, Data: f.st[b0:]}, 0, p)
			for a := a0; a < a1; a++ {
				row := f.block[(a-a0)*farBlock:][:min(b1, a)-min(b0, a)]
				sq := f.sq[b0:][:len(row)]
				own := f.sq[a]
				for c, dot := range row {
					if d := own + sq[c] - 2*dot; d >= limit {
						limit = see(d, a, b0+c)
					}
				}
			}
		}
	}
}

// blockDistance returns an upper bound on the squared distances between points of two blocks.
func (f *far) blockDistance(a, b int) float64 {
	d := math.Sqrt(squaredDistance(f.middle[a*f.m:][:f.m], f.middle[b*f.m:][:f.m])) + f.radius[a] + f.radius[b]
	return d * d * (1 + 1e-12) // the factor is a margin for rounding errors
}

// between returns the squared distance of two points in the order of s.
func (f *far) between(a, b int) float64 {
	return squaredDistance(f.s[a*f.m:][:f.m], f.s[b*f.m:][:f.m])
}

func squaredDistance(a, b []float64) float64 {
	s := 0.
	for i, v := range a {
		v -= b[i]
		s += v * v
	}
	return s
}

// grow returns a slice of length n with arbitrary contents, which reuses the memory of s if
// possible.
func grow[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s[:n]
	}
	return make([]T, n, n+n/4)
}
