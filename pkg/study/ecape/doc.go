// Package ecape reproduces section 5 and appendix G of "Constrained Pareto Set Identification with
// Bandit Feedback" (Kone, Kaufmann and Richert). The package compares e-cAPE with the two-stage
// baseline, racing and uniform sampling. The experiments are [ClinicalTrials], [Polyhedra] in three
// dimensions, and [HardForRacing]. [Runtime] compares computing times, and [Explainability]
// compares the cost of explanations.
//
//	g, err := ecape.ClinicalTrials.Grid(study.Options{Reps: 10})
//	rows, err := g.Run(ctx)
//	f, err := ecape.ClinicalTrials.Results(rows).Figure()
//
// README.md lists details that the paper does not state, and the assumptions of this package about
// them.
package ecape
