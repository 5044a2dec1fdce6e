// Package ecape reproduces section 5 and appendix G of "Constrained Pareto Set Identification with
// Bandit Feedback" (Kone, Kaufmann and Richert). It compares e-cAPE, the two-stage baseline, racing and
// uniform sampling on [ClinicalTrials], on [Polyhedra] in three dimensions, and on instances that are
// [HardForRacing]. [Runtime] compares computing times, and [Explainability] the cost of explanations.
//
//	g, err := ecape.ClinicalTrials.Grid(study.Options{Reps: 10})
//	rows, err := g.Run(ctx)
//	f, err := ecape.ClinicalTrials.Results(rows).Figure()
//
// README.md lists what the paper leaves open, and the assumptions of this package.
package ecape
