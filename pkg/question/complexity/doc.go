// Package complexity computes how hard a question is: lower bounds on the number of measurements,
// and the optimal proportions of measurements.
//
//	t, err := complexity.NewTStar(question.Pareto{}, mu, cov, 0.01)
//	t.LowerBound(0.05) // no method that errs with probability 0.05 needs fewer on average
//	t.Weights          // the optimal proportions of pulls
//
// [TStar] is the characteristic time of a question about arms without features. [PsiStar] is the
// complexity of finding the best item of a linear model, and [GammaStar] is the complexity of
// finding all epsilon-best items. TStar, PsiStar and GammaStar give lower bounds for every method.
// [CStar] and [Gaps] occur in the guarantees of methods for Pareto sets, with and without
// constraints. All complexities depend on the true means, which are known only in simulations. The
// package does not estimate complexities from data.
package complexity
