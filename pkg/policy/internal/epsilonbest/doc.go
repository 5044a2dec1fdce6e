// Package epsilonbest holds what policies share that look for all items within epsilon of the best:
// [Question] reads what is asked, a [Classifier] decides about items from intervals, and [Rounds] of
// a linear model end with one.
package epsilonbest
