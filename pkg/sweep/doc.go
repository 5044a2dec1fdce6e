// Package sweep runs a Monte Carlo study as many shards on a cluster, and merges the rows of the
// shards. The merged file equals, byte for byte, the file that a single process would have written.
//
//	s, err := sweep.Create("/shared/sweep", &sweep.Plan{Study: study, Grid: grid, Shards: 200})
//	_, err = s.Submit(ctx)           // an array job of Slurm
//	err = s.Merge(ctx, "rows.jsonl") // when all shards are finished
//
// A sweep is a folder that all machines can access. [Create] writes into the folder the expected
// rows (an [Outline]), the program, and a [Profile] of the cluster. [Sweep.Submit] submits the
// shards to Slurm as one array job, and [Sweep.Run] simulates one shard. [Sweep.Status] describes
// each shard, [Sweep.Retry] submits missing and failed shards again, and [Sweep.Merge] writes the
// rows of all shards. Package sweepcmd provides the functions of package sweep as commands.
//
// Only the files in the folder determine whether a shard is finished. Each attempt at a shard
// writes a file of its own, and renames the file when it is complete and on disk. A killed task, a
// failed node, a full disk or a late attempt cannot damage the work of another attempt. The next
// attempt continues from the longest earlier attempt.
//
// To run the shards on Kubernetes, use an Indexed Job as described in docs/sweeps.md. Package sweep
// has no server and no queue of its own.
package sweep
