package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/sweep/sweepcmd"
)

func newRun() *cobra.Command {
	var (
		o      study.Options
		output string
		shard  string
		resume bool
		quiet  bool
		guest  guestFlag
		name   string
	)
	cmd := &cobra.Command{
		Use: "run STUDY", Short: "Run a study and write its rows to a file",
		Long: `Run simulates every method of a study (a paper or one of its experiments) on every instance. As
runs finish, it writes one row per run to a file of JSON lines. You can interrupt it at any time
and continue with --resume. --shard 2/8 simulates the second eighth of the replicates; report
and claims merge the files of shards. Rows do not depend on the number of workers or shards.
With --exec, your own policy in any language also runs, on the instances whose question the
policy answers.`,
		Example: `  purexp run ecape                       # the whole study, to ecape.jsonl
  purexp run gege/noc-budget             # one experiment, to gege-noc-budget.jsonl
  purexp run ecape --reps 20 --seed 7    # a quick look
  purexp run ecape --resume              # continue after an interrupt
  purexp run ecape --shard 2/8 --output ecape-2.jsonl
  purexp run rage/benchmark --exec 'python3 mine.py' --name mine --reps 5`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, a []string) error {
			s, err := named(a[0])
			if err != nil {
				return err
			}
			if o.Reps < 0 || (cmd.Flags().Changed("reps") && o.Reps == 0) {
				return usage("--reps is %d; expected at least 1", o.Reps)
			}
			if o.Seed == 0 {
				return usage("--seed is 0; expected a positive number")
			}
			if o.Workers < 0 {
				return usage("--workers is %d; expected at least 1, or 0 for one per processor", o.Workers)
			}
			if shard != "" {
				if o.Shard, err = mc.ParseShard(shard); err != nil {
					return usageError{err}
				}
			}
			output = cmp.Or(output, s.FileName()+".jsonl")
			if _, err := os.Stat(output); err == nil && !resume {
				return usage("%s already exists; continue it with --resume, or choose another --output", output)
			}
			g, err := s.Grid(o)
			if err != nil {
				return err
			}
			if guest.exec != "" {
				pool, err := guest.pool(cmd)
				if err != nil {
					return err
				}
				defer pool.Close()
				if err := guest.join(g, pool, name); err != nil {
					return err
				}
			}
			if !quiet {
				g.Progress = progress(cmd.ErrOrStderr(), s.Name)
			}
			err = g.Stream(cmd.Context(), output)
			if errors.Is(err, context.Canceled) {
				return fmt.Errorf("%w\nTo continue, repeat the command with --resume", err)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(),
				"wrote %s; see 'purexp report %s' and 'purexp claims %s'\n", output, output, output)
			return nil
		},
	}
	guest.add(cmd)
	f := cmd.Flags()
	f.StringVar(&name, "name", "", "the name of the --exec policy in tables (default: the command)")
	f.IntVar(&o.Reps, "reps", 0, "largest number of replicates of a method (default: as in the paper); methods with "+
		"fewer replicates in the paper are scaled in proportion")
	f.Uint64Var(&o.Seed, "seed", 1, "root seed of all random streams, not 0")
	f.IntVar(&o.Workers, "workers", 0, "parallel runs (default: one for each processor)")
	f.StringVar(&shard, "shard", "", "simulate part i of n, as `i/n`")
	f.StringVar(&output, "output", "", "`file` for the rows (default: STUDY.jsonl)")
	f.BoolVar(&resume, "resume", false, "continue the output file if it exists")
	f.BoolVar(&quiet, "quiet", false, "show no progress")
	return cmd
}

// progress returns a function that prints the progress of a study, at most once in ten seconds.
func progress(w io.Writer, name string) func(done, total int, elapsed time.Duration) {
	var pace mc.Pace
	about := func(done, total int, elapsed time.Duration) string {
		if left, known := pace.Left(done, total, elapsed); known {
			return fmt.Sprintf(", about %v left", left.Round(time.Second))
		}
		return ""
	}
	var last time.Time
	return func(done, total int, elapsed time.Duration) {
		left := about(done, total, elapsed)
		if done == total || time.Since(last) > 10*time.Second {
			last = time.Now()
			fmt.Fprintf(w, "%s: %d of %d runs, %v%s\n", name, done, total, elapsed.Round(time.Second), left)
		}
	}
}

func newSweep() *cobra.Command {
	return sweepcmd.New(func(name string, reps int, seed uint64) (*mc.Grid, error) {
		s, err := named(name)
		if err != nil {
			return nil, err
		}
		return s.Grid(study.Options{Reps: reps, Seed: seed})
	})
}
