// Package rage reproduces section 5 of "Sequential Experimental Design for Transductive Linear
// Bandits" (Fiez, Jain, Jamieson and Ratliff, NeurIPS 2019): RAGE, the oracle and static
// allocations, XY-adaptive, LinGapE and ALBA on linear bandits whose arms, dimension or items grow,
// at delta = 0.05.
//
//	g, err := rage.Benchmark.Grid(study.Options{Reps: 5})
//	rows, err := g.Run(ctx)
//	f, err := rage.Benchmark.Results(rows).Figure()
//
// [Paper] lists the experiments, such as [Benchmark]; functions such as [BenchmarkInstance] return
// the instances of the paper. Rewards are Gaussian with standard deviation 1, but for clicks, which
// are Bernoulli. An instance that is drawn depends on its name, its size and the number of the
// draw, and on nothing else. What the paper leaves open is in the notes of the instances.
package rage
