// Package sweep runs a Monte Carlo study as many shards on a cluster, and merges their rows into
// the file that one process would have written, byte for byte.
//
//	s, err := sweep.Create("/shared/sweep", &sweep.Plan{Study: study, Grid: grid, Shards: 200})
//	_, err = s.Submit(ctx)           // an array job of Slurm
//	err = s.Merge(ctx, "rows.jsonl") // when all shards are finished
//
// A sweep is a folder that all machines see. [Create] writes into it the expected rows (an
// [Outline]), the program and a [Profile] of the cluster. [Sweep.Submit] submits the shards to
// Slurm as one array job, [Sweep.Run] simulates one of them, [Sweep.Status] describes each,
// [Sweep.Retry] submits missing and failed ones again, and [Sweep.Merge] writes the rows of all.
// Package sweepcmd has these as commands.
//
// Only files determine what is finished. An attempt at a shard writes its own file, and renames it
// when it is complete and on disk. So a killed task, a dead node, a full disk or a late attempt
// cannot damage another attempt's work. The next attempt continues from the longest earlier one.
//
// docs/sweeps.md has an Indexed Job of Kubernetes that runs the same shards. The package has no
// server and no queue of its own.
package sweep
