// Package gege reproduces section 5 of "Bandit Pareto Set Identification in a Multi-Output Linear
// Model" (Kone, Kaufmann and Richert, AISTATS 2025), the GEGE paper. The task is to find the Pareto
// set of a linear bandit with several objectives.
//
//	g, err := gege.EnergyBudget.Grid(study.Options{Reps: 10})
//	rows, err := g.Run(ctx)
//	f, err := gege.EnergyBudget.Results(rows).Figure()
//
// [Synthetic] and [NoC] return instances with their parameter Theta, an h x d matrix: the mean of
// an arm with features x is Theta'x. [SNW] also returns an instance with its Theta, but the
// instance is not in the paper. The instance of appendix I.2 is dataset.Energy. The notes of the
// instances list the assumptions about details that the paper does not state.
package gege
