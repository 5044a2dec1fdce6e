package pareto

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Gaps returns the gap of each row of mu (K x d): the distance by which means must move to change
// whether the row is Pareto-optimal. The gap of a row is defined by m and M, as in the package
// comment, and by the numbers
//
//	D_i = max_{j != i} m(i,j).
//
// The gap of row i is D_i if D_i > 0; otherwise, the gap of row i is the minimum
//
//	min_{j != i} min( M(i,j), max(M(j,i), 0) + max(D_j, 0) ).
//
// If mu has only one row, the gap of this row is +Inf. The gap is 0 for optimal rows that equal
// another row, and for rows that are dominated but not strictly. If a gap is 0, no method can
// identify the Pareto set exactly. Gaps takes O(K p d) operations for p optimal rows. Gaps panics
// if an entry is NaN or infinite.
//
// The gaps were introduced by Auer, Chiang, Ortner and Drugan, "Pareto front identification from
// stochastic bandit feedback", AISTATS 2016. The formula follows Kone, Kaufmann and Richert,
// "Adaptive algorithms for relaxed Pareto set identification", NeurIPS 2023, and "Bandit Pareto set
// identification: the fixed budget setting", AISTATS 2024. (Some papers misprint D_j within the
// minimum as D_i.)
func Gaps(mu *mat.Dense) []float64 {
	x := view(mu)
	x.checkAll()
	gap := make([]float64, x.n)
	x.gaps(nil, gap, nil, nil)
	return gap
}

// GapsOf returns the gaps of the rows of mu with indices in subset, in the same order; maxima and
// minima are over these rows only. The indices in subset must be distinct. GapsOf panics if a row
// in subset does not exist or has an entry that is NaN or infinite.
func GapsOf(mu *mat.Dense, subset []int) []float64 {
	x := view(mu)
	x.checkSubset(subset)
	gap := make([]float64, len(subset))
	if len(subset) > 0 {
		x.gaps(nil, gap, nil, subset)
	}
	return gap
}

// AppendSetGapsOf appends the result of AppendSetOf to dst. AppendSetGapsOf also stores in gap the
// result of GapsOf for the points in data (row-major, d numbers each), and in margin the numbers
// D_i. If D_i is positive, some point is better than point i by D_i in every objective. If D_i is
// not positive, no point dominates i strictly; the closest point would have to improve by -D_i in
// every objective to dominate i weakly. If there is no other point, D_i is -Inf. The slice margin
// may be nil, which saves time. For up to 64 points with up to 4 objectives, AppendSetGapsOf does
// not allocate if dst has enough capacity. AppendSetGapsOf panics if gap or a non-nil margin does
// not have exactly one entry for each point in subset.
func AppendSetGapsOf(dst []int, gap, margin, data []float64, d int, subset []int) []int {
	x := raw(data, d)
	x.checkSubset(subset)
	x.checkGaps(gap, margin, len(subset))
	if len(subset) == 0 {
		return dst
	}
	from := len(dst)
	return x.named(x.gaps(dst, gap, margin, subset), from, subset)
}

func (x points) checkGaps(gap, margin []float64, n int) {
	if len(gap) != n || margin != nil && len(margin) != n {
		panic(panicShape)
	}
}

// gaps computes the results of AppendSetGapsOf, but appends positions in gap to dst, instead of row
// indices. A nil subset means all rows. gaps compares only pairs with at least one optimal arm,
// which gives exactly the same bits as comparing all pairs. For a proof, let p(j) be an optimal arm
// that dominates the dominated arm j. The arm p(j) exists and, because rounded differences are also
// monotone,
//
//	m(i,j) <= m(i,p(j)) and M(i,j) >= M(i,p(j)) for all i.
//
// For a dominated arm i, p(j) != i, so D_i is the maximum over optimal arms. Hence, D_i >= 0 for a
// dominated arm i. If D_i = 0, then M(i,j) >= 0 for all j with equality for j = p(i), so both
// formulas in the comment of Gaps give the gap 0.
//
// For an optimal arm i, D_i <= 0.
//   - For j optimal, D_j <= 0 and M >= 0: the term is min(M(i,j), M(j,i)).
//   - For j dominated, the term is max(M(j,i), 0) + D_j, because M(i,j) is never needed. If p(j)
//     can be chosen different from i, the term for p(j) is in the minimum and no larger than the
//     term for j. If i alone dominates j, then D_j = m(j,i) = min_c (mu_i^c - mu_j^c) <= M(i,j),
//     and M(j,i) <= 0.
//
// A dominated arm j affects the gap of i only if D_j is less than the gap of i found so far, which
// is rare.
func (x points) gaps(dst []int, gap, margin []float64, subset []int) []int {
	if len(gap) == 0 {
		return dst
	}
	from := len(dst)
	dst = x.appendPositions(dst, subset)
	front := dst[from:] // positions of the optimal arms in gap
	var numbers [4 * maxPairwise]float64
	flat := numbers[:0] // coordinates of the optimal arms, consecutively
	for _, a := range front {
		flat = append(flat, x.at(a, subset)...)
	}
	gapsWithin(gap, margin, front, flat, x.d)

	next := 0
	for a := range gap { // compute D_a of each dominated arm a
		if next < len(front) && front[next] == a {
			next++
			continue
		}
		gap[a] = largestDeficit(x.at(a, subset), flat)
		if margin != nil {
			margin[a] = gap[a]
		}
	}

	bound := largestOf(gap, front) // largest gap of an optimal arm so far
	next = 0
	for a, da := range gap {
		if next < len(front) && front[next] == a {
			next++
			continue
		}
		if da >= bound && margin == nil {
			continue
		}
		if lowerGaps(gap, margin, front, flat, x.at(a, subset), da) {
			bound = largestOf(gap, front)
		}
	}
	return dst
}

// at returns the point with index a in subset; a nil subset means all rows.
func (x points) at(a int, subset []int) []float64 {
	if subset != nil {
		a = subset[a]
	}
	return x.row(a)
}

// gapsWithin computes the gaps and margins of the optimal arms when they are compared only with
// each other. The argument front contains the positions of the optimal arms in gap, and flat
// contains the d numbers of each optimal arm.
func gapsWithin(gap, margin []float64, front []int, flat []float64, d int) {
	for _, a := range front {
		gap[a] = math.Inf(1)
		if margin != nil {
			margin[a] = math.Inf(-1)
		}
	}
	for k, a := range front {
		p := flat[k*d : (k+1)*d]
		for l := range k {
			b := front[l]
			q := flat[l*d : (l+1)*d]
			// Skip pairs of arms that cannot lower a gap.
			enough := max(gap[a], gap[b])
			if margin != nil {
				enough = max(enough, 0-margin[a], 0-margin[b])
			}
			up, down := math.Inf(-1), math.Inf(-1)
			for c, v := range p {
				t := v - q[c]
				if t > up {
					up = t
				}
				if -t > down {
					down = -t
				}
				if up >= enough && down >= enough {
					break
				}
			}
			m := min(up, down)
			gap[a], gap[b] = min(gap[a], m), min(gap[b], m)
			if margin != nil {
				margin[a], margin[b] = max(margin[a], 0-up), max(margin[b], 0-down)
			}
		}
	}
}

// lowerGaps lowers the gaps and raises the margins of the optimal arms to account for one dominated
// arm p, whose D_p is da. lowerGaps reports whether a gap changed.
func lowerGaps(gap, margin []float64, front []int, flat, p []float64, da float64) (changed bool) {
	d := len(p)
	for k, b := range front {
		q := flat[k*d : (k+1)*d]
		if da < gap[b] {
			if v := max(excess(p, q), 0) + da; v < gap[b] {
				gap[b] = v
				changed = true
			}
		}
		// m(b,p) can exceed margin[b] only if no other optimal arm dominates p.
		if margin != nil && p[0]-q[0] > margin[b] {
			margin[b] = max(margin[b], deficit(q, p))
		}
	}
	return changed
}

// largestOf returns the largest element of numbers at the given positions.
func largestOf(numbers []float64, at []int) float64 {
	most := math.Inf(-1)
	for _, b := range at {
		most = max(most, numbers[b])
	}
	return most
}

// largestDeficit returns the maximum of deficit(p, q) over the points q in flat.
func largestDeficit(p, flat []float64) float64 {
	best := math.Inf(-1)
	d := len(p)
next:
	for ; len(flat) >= d; flat = flat[d:] {
		m := math.Inf(1)
		for c, v := range p {
			w := flat[c] - v
			if !(w > best) {
				continue next
			}
			m = min(m, w)
		}
		best = m
	}
	return best
}

// Regrets returns the Pareto regret of each row of mu, K x d. The regret of a row is the smallest
// amount by which all its objectives must grow until no other row is better in all objectives,
//
//	Delta*_k = max over Pareto-optimal j of max(0, m(k,j)).
//
// The regret is 0 for Pareto-optimal rows, and for rows that are dominated but not strictly. The
// formula is equation (2) of Kim, Iyengar and Zeevi, "Pareto Front Identification with Regret
// Minimization". By equation (4) of the paper, the regret of a run that pulls arms a_1, a_2, ... is
// the sum of Delta*_{a_t}. Regrets panics if an entry is NaN or infinite.
func Regrets(mu *mat.Dense) []float64 {
	x := view(mu)
	front := Set(mu)
	regret := make([]float64, x.n)
	for k := range regret {
		for _, j := range front {
			regret[k] = max(regret[k], Deficit(x.row(k), x.row(j)))
		}
	}
	return regret
}
