// Package mc runs Monte Carlo studies. A [Grid] consists of cells; each cell is one method on one
// instance. A replicate is one run of a cell, and produces one [Row].
//
//	g := mc.Grid{Study: "mine", Seed: 1, Reps: 100, Instances: instances,
//		Methods: []mc.Method{{Name: "RAGE", New: func() explore.Policy { return &policy.RAGE{} }}}}
//	rows, err := g.Run(ctx)
//
// [Grid.Run] returns the rows, [Grid.Stream] writes them to a file of JSON lines as they finish,
// and [Read] reads such files. Package mc guarantees the following on any machine, with any number
// of workers:
//
//   - A row depends only on the root seed, the instance, the method and the replicate. A row
//     does not change when a method or replicates are added to the grid, or when the work is split
//     into shards.
//   - The noise depends on the instance and the replicate, not on the method, so methods are
//     compared on common random numbers.
//   - A file whose simulation was interrupted and resumed equals an uninterrupted file, byte for
//     byte.
//
// Rows are in the order of simulation (replicate 0 of all cells, replicate 1 of all cells, ...).
// Therefore, a partial file is a complete study with fewer replicates. To summarise rows, use
// package tidy.
package mc
