// Package pfiwr reproduces section 5 of "Pareto Front Identification with Regret Minimization"
// (Kim, Iyengar and Zeevi), the PFIwR paper. The task is to find the Pareto set of a linear model
// with few pulls of arms that are far from optimal. The features of arms may change from round to
// round.
//
//	g, err := pfiwr.Paper.Study().Grid(study.Options{Reps: 10})
//	rows, err := g.Run(ctx)
//
// [Paper] lists the experiments. [Linear] returns the instances of sections 5.1 and 5.2;
// dataset.LLVM returns the instance of section 5.3. The bounds of the theorems are computed by
// [Accuracy], [SampleBound], [LowerBound] and [RegretBound]. README.md lists the assumptions about
// details that the paper does not state.
package pfiwr
