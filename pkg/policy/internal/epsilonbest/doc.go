// Package epsilonbest holds what policies share that look for all items within epsilon of the best:
// [Question] reads what is asked, a [Classifier] decides about items from intervals, and [Rounds] of
// a linear model end with one.
//
//	r.Init(prob, "LinFACT", epsilon, false) // epsilonbest.Rounds
//	pulls, err := r.Ask(dst, plan)          // plan sets the pulls of a round
//	err = r.Estimate(obs)
//	r.Classify(radius)
package epsilonbest
