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
