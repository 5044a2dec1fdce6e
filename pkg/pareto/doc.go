// Package pareto compares vectors: which dominate which, which are Pareto-optimal, and how far each
// is from changing sides.
//
//	mu := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0.5, -0.25}) // 3 arms, 2 objectives
//	pareto.Set(mu)  // [0 1]: no other point is as good as they are in both objectives
//	pareto.Gaps(mu) // [0.25 0.75 0.25]: how far the means have to move until that changes
//
// # Conventions
//
// Larger is better in every objective. The K points, usually the means of K arms, are the rows of a
// K x d matrix, or the rows of a row-major slice of K*d numbers for the functions that take data
// and d.
//
// Three relations between points a and b are kept apart, because rounded data, arms with the same
// features and means of few binary rewards tell them apart:
//
//	Excess(b, a) <= 0  a_c >= b_c for all objectives c
//	Dominates(a, b)    a_c >= b_c for all c, and a != b (Pareto)
//	Deficit(b, a) > 0  a_c >  b_c for all c
//
// Sets use the second one: the Pareto set holds the points that no other point dominates, and all
// copies of such a point. Gaps use amounts instead of relations:
//
//	m(i,j) = min_c (mu_j^c - mu_i^c)    Deficit(mu_i, mu_j)
//	M(i,j) = max_c (mu_i^c - mu_j^c)    Excess(mu_i, mu_j) = -m(i,j)
//
// The deficit is by how much j exceeds i in every objective; the excess, by how much i has to lose
// in every objective until j is at least as good.
//
// Numbers have to be finite: sets and gaps panic otherwise. Functions of two points do not look: with a NaN, amounts
// are NaN and relations false.
//
// # Algorithms
//
// A few dozen points are compared pair by pair, without allocating. Larger sets are sorted, and compared with
// the optimal points so far: O(K log K) for d = 2 (Kung, Luccio and Preparata, "On finding the maxima of a set of
// vectors", J. ACM 22, 1975), O(K p d) for p optimal points otherwise. Gaps compare all points with the optimal ones
// only, O(K p d). There may be at most 2^31-1 points.
package pareto
