// Package ecape reproduces section 5 and appendix G of "Constrained Pareto Set Identification with
// Bandit Feedback" (Kone, Kaufmann and Richert): e-cAPE, the two-stage baseline, racing and uniform
// sampling on [ClinicalTrials]; [Polyhedra] in three dimensions, [Runtime], the cost of
// explanations ([Explainability]), and instances that are [HardForRacing].
//
//	g, err := ecape.ClinicalTrials.Grid(study.Options{Reps: 10})
//	rows, err := g.Run(ctx)
//	f, err := ecape.ClinicalTrials.Results(rows).Figure()
//
// README.md says what the paper leaves open and which value is taken here.
package ecape
