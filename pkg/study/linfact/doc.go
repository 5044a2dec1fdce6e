// Package linfact reproduces "Identifying All epsilon-Best Arms in (Misspecified) Linear Bandits"
// (Li, Ma, Hua and Zhu; the LinFACT paper). The task is to find every arm whose mean is within
// epsilon of the best mean. Means are linear in features, linear up to bounded deviations, or a
// known function of a linear predictor.
//
//	g, err := linfact.Synthetic.Grid(study.Options{Reps: 10})
//	rows, err := g.Run(ctx)
//	tables, err := linfact.Synthetic.Results(rows).Tables()
//
// [Paper] lists the experiments, such as [Synthetic]. Functions such as [Setting] return the
// instances. A random instance depends only on its setting and the number of its draw. The notes of
// the instances and README.md list the assumptions about details that the paper does not state.
package linfact
