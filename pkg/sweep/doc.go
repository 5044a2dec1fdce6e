// Package sweep runs a Monte Carlo study as many shards on a cluster, and puts their rows together
// to the file that one process would have written, byte for byte.
//
//	s, err := sweep.Create("/shared/sweep", &sweep.Plan{Study: study, Grid: grid, Shards: 200})
//	_, err = s.Submit(ctx)           // an array job of Slurm
//	err = s.Merge(ctx, "rows.jsonl") // when all shards are finished
//
// A sweep is a folder that all machines see. [Create] writes into it which rows there are to be
// (an [Outline]), the program that simulates them and a [Profile] of the cluster.
// [Sweep.Submit] hands the shards to Slurm as one array job, [Sweep.Run] simulates one of them,
// [Sweep.Status] says what became of each, [Sweep.Retry] submits those again that are missing or
// failed, and [Sweep.Merge] writes the rows of all. Package sweepcmd makes commands of these, for
// purexp and for programs of your own.
//
// Nothing but files decides what is finished. An attempt at a shard writes a file of its own and
// gives it its final name only when it is complete and on disk, so that a killed task, a dead node,
// a full disk, or a late attempt that everybody thought dead cannot spoil what another attempt has
// done. The next attempt goes on where the longest of those before it ended.
//
// docs/sweeps.md has an Indexed Job of Kubernetes that runs the same shards.
package sweep
