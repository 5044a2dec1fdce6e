// Package mc runs Monte Carlo studies. A [Grid] has cells, each one method on one instance. Each
// replicate of a cell gives one [Row].
//
//	g := mc.Grid{Study: "mine", Seed: 1, Reps: 100, Instances: instances,
//		Methods: []mc.Method{{Name: "RAGE", New: func() explore.Policy { return &policy.RAGE{} }}}}
//	rows, err := g.Run(ctx)
//
// [Grid.Run] returns the rows, [Grid.Stream] writes them to a file of JSON lines as they finish,
// and [Read] reads such files. On any machine, with any number of workers:
//
//   - A row is a function of (root seed, instance, method, replicate) alone. It
//     does not change when a method is added to the grid, when replicates are
//     added, or when the work is split into shards.
//   - The noise depends on the instance and the replicate, not on the method:
//     methods are compared on common random numbers.
//   - A file that was interrupted and resumed equals one that was not, byte for
//     byte.
//
// Rows are simulated in the order (replicate 0 of all cells, replicate 1 of all cells, ...), so
// that a partial file is a complete study with fewer replicates. The package does not summarize
// rows; see package tidy.
package mc
