// Package epsilonbest holds what policies share that look for all items within epsilon of the
// best: the classification of items, and rounds of a linear model that end with one.
package epsilonbest
