// Package complexity computes how hard a question is: lower bounds on the number of measurements
// for an answer, and the optimal proportions of the arms.
//
//	t, err := complexity.NewTStar(question.Pareto{}, mu, cov, 0.01)
//	t.LowerBound(0.05) // no method that errs with probability 0.05 needs fewer on average
//	t.Weights          // the optimal proportions of pulls
//
// [TStar] is the characteristic time of a question about arms without features. [PsiStar] is the
// complexity of the best item of a linear model, and [GammaStar] is the complexity of all
// epsilon-best items. TStar, PsiStar and GammaStar give lower bounds for every method. [CStar] and
// [Gaps] are the complexities in the guarantees of methods for Pareto sets, with and without
// constraints. All complexities depend on the true means, which only a simulation knows. The
// package does not estimate complexities from data.
package complexity
