package pareto

import "gonum.org/v1/gonum/mat"

// Regrets returns the Pareto regret of each row of mu, K x d: by how much all objectives of the row
// would have to grow together for no other row to exceed it in all of them,
//
//	Delta*_k = max over Pareto-optimal j of max(0, m(k,j)).
//
// It is 0 for Pareto-optimal rows, and for rows that are dominated but not strictly. (Kim, Iyengar
// and Zeevi, "Pareto Front Identification with Regret Minimization", equation (2); a run that pulls
// arms a_1, a_2, ... has regret sum Delta*_{a_t}, equation (4).) It panics if an
// entry is NaN or infinite.
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

// Succeeds reports whether items, rows of mu, are the Pareto set up to eps: every Pareto-optimal
// row is among them, and no other row among them has a regret above eps. (Definition 2 of the paper
// cited at Regrets; for eps = 0 rows that are dominated, but not strictly, may be among them.) The
// order of items and copies do not matter. It panics if there is no such row.
func Succeeds(mu *mat.Dense, items []int, eps float64) bool {
	regret := Regrets(mu)
	in := make([]bool, len(regret))
	for _, i := range items {
		if uint(i) >= uint(len(regret)) {
			panic(panicIndex)
		}
		if regret[i] > eps {
			return false
		}
		in[i] = true
	}
	for _, i := range Set(mu) {
		if !in[i] {
			return false
		}
	}
	return true
}
