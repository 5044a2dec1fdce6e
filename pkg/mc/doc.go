// Package mc simulates Monte Carlo studies: every replicate of every cell of a
// grid, a cell being one method on one instance, gives one [Row].
//
//	g := mc.Grid{Study: "mine", Seed: 1, Reps: 100, Instances: instances,
//		Methods: []mc.Method{{Name: "RAGE", New: func() explore.Policy { return &policy.RAGE{} }}}}
//	rows, err := g.Run(ctx)
//
// [Grid.Run] returns the rows, [Grid.Stream] writes them to a file of JSON lines
// as they finish, and [Read] reads such files. Three properties hold whatever the machine and the number of workers:
//
//   - A row is a function of (root seed, instance, method, replicate) alone. It
//     does not change when a method joins the grid, when replicates are added,
//     or when the work is split into shards.
//   - The noise depends on the instance and the replicate, not on the method:
//     methods are compared on common random numbers.
//   - A file that was interrupted and resumed has the bytes of one that was not.
//
// Replicates are simulated in the order (replicate 0 of all cells, replicate 1 of
// all cells, ...), so that a partial file is already a study, with fewer
// replicates.
package mc
