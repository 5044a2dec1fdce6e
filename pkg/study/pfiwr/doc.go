// Package pfiwr reproduces "Pareto Front Identification with Regret Minimization" (Kim, Iyengar and
// Zeevi), the PFIwR paper, section 5: Pareto fronts of linear models whose features may change from
// round to round, found with few pulls of arms that are far from optimal.
//
//	g, err := pfiwr.Paper.Study().Grid(study.Options{Reps: 10})
//	rows, err := g.Run(ctx)
//
// [Paper] lists the experiments. [Linear] returns the instances of sections 5.1
// and 5.2, that of section 5.3 is dataset.LLVM. Bounds of its theorems are [Accuracy],
// [SampleBound], [LowerBound] and [RegretBound]. What the paper leaves open is in the README.
package pfiwr
