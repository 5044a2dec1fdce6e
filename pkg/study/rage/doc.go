// Package rage reproduces section 5 of "Sequential Experimental Design for Transductive Linear
// Bandits" (Fiez, Jain, Jamieson and Ratliff, NeurIPS 2019). Package rage compares RAGE, the oracle
// and static allocations, XY-adaptive, LinGapE and ALBA on linear bandits at delta = 0.05. The
// number of arms, dimensions or items grows within each experiment.
//
//	g, err := rage.Benchmark.Grid(study.Options{Reps: 5})
//	rows, err := g.Run(ctx)
//	f, err := rage.Benchmark.Results(rows).Figure()
//
// [Paper] lists the experiments, such as [Benchmark]. Functions such as [BenchmarkInstance] return
// the instances of the paper. Rewards are Gaussian with standard deviation 1; clicks are Bernoulli
// rewards. A random instance depends only on its name, its size and the number of the draw. The
// notes of the instances list the assumptions where the paper leaves details open.
package rage
