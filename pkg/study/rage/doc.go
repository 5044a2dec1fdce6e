// Package rage reproduces section 5 of "Sequential Experimental Design for Transductive Linear
// Bandits" (Fiez, Jain, Jamieson and Ratliff, NeurIPS 2019). The package compares RAGE, the oracle
// and static allocations, XY-adaptive, LinGapE and ALBA on linear bandits at delta = 0.05. Within
// each experiment, the number of arms, dimensions or items grows.
//
//	g, err := rage.Benchmark.Grid(study.Options{Reps: 5})
//	rows, err := g.Run(ctx)
//	f, err := rage.Benchmark.Results(rows).Figure()
//
// [Paper] lists the experiments, such as [Benchmark]. Functions such as [BenchmarkInstance] return
// the instances of the paper. Rewards are Gaussian with standard deviation 1; clicks are Bernoulli
// rewards. A random instance depends only on its name, its size and the number of the draw. The
// notes of the instances list the assumptions about details that the paper does not state.
package rage
