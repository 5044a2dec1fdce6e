// Package complexity says how hard a question is: how many measurements its answer
// needs at least, and how they should be spread over the arms.
//
//	t, err := complexity.NewTStar(question.Pareto{}, mu, cov, 0.01)
//	t.LowerBound(0.05) // no method that errs with probability 0.05 needs fewer on average
//	t.Weights          // the shares of the arms that such a method would have
//
// TStar is the characteristic time of a question about arms without structure, PsiStar
// that of the best item of a linear model, GammaStar that of all epsilon-best items; they
// give lower bounds that hold for every method. CStar and Gaps are the complexities in
// which the guarantees of methods for Pareto sets, with and without constraints, are
// written. All need the true means, which only a simulation knows.
package complexity
