// Package linfact reproduces "Identifying All epsilon-Best Arms in (Misspecified) Linear Bandits"
// (Li, Ma, Hua and Zhu; the LinFACT paper): every arm whose mean is within epsilon of the best,
// when means are linear in features, linear up to deviations, or a known function of something
// linear.
//
//	g, err := linfact.Synthetic.Grid(study.Options{Reps: 10})
//	rows, err := g.Run(ctx)
//	tables, err := linfact.Synthetic.Results(rows).Tables()
//
// [Paper] lists the experiments, such as [Synthetic]; functions such as [Setting] return the
// instances. Where an instance is drawn it depends on its setting and on the number of the draw,
// and on nothing else. What the paper leaves open is in the notes of the instances and in
// README.md.
package linfact
