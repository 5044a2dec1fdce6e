// Package sweepcmd provides the commands of package sweep, for "purexp sweep" and for programs that
// sweep their own policies and grids:
//
//	func main() { sweepcmd.Main(grid) }
package sweepcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/sweep"
)

// A Grids function returns the grid of a study. The argument reps is 0 for the default number of
// replicates of the study. For the same arguments, Grids must return the same grid on every
// machine.
type Grids func(study string, reps int, seed uint64) (*mc.Grid, error)

// The following constants are exit codes other than 0 (success) and 1 (failure).
const (
	exitUsage       = 2
	exitUnderway    = 3
	exitInterrupted = 130 // exit code with which shells report an interrupt
)

// Error is an error with an exit code.
type Error struct {
	error
	Code int
	// Usage marks an error as an error in the command line.
	Usage bool
}

// Unwrap returns the error without its code.
func (e Error) Unwrap() error { return e.error }

func usage(err error) error { return Error{err, exitUsage, true} }

// args returns a check that turns errors about arguments into usage errors.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, a []string) error {
		if err := check(cmd, a); err != nil {
			return usage(fmt.Errorf("%w; expected '%s'", err, cmd.UseLine()))
		}
		return nil
	}
}

// Main is the main function of a program that sweeps its own grids; Main does not return.
func Main(grids Grids) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := Run(ctx, grids, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Run does the same as Main, but returns the exit code instead of exiting.
func Run(ctx context.Context, grids Grids, args []string, stdout, stderr io.Writer) int {
	root := New(grids)
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage(err) })
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintln(stderr, "sweep:", strings.TrimPrefix(err.Error(), "sweep: "))
	var own Error
	switch {
	case errors.As(err, &own):
		return own.Code
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return 1
}

// New returns the command "sweep" with its subcommands.
func New(grids Grids) *cobra.Command {
	root := &cobra.Command{
		Use: "sweep", Short: "Run a study as an array job on a cluster",
		Long: `Sweep runs a study as shards on a cluster, and merges their rows into the file that
a single process would have written, byte for byte.

A sweep is a folder that all machines can access. 'new' creates the folder, 'submit'
submits the shards to Slurm as one array job, 'status' shows the state of each shard,
'retry' submits missing and failed shards again, and 'merge' writes one file.
docs/sweeps.md also describes Kubernetes and GNU parallel.`,
		Example: `  purexp sweep profile > cluster.toml      # then edit it
  purexp sweep new ecape big --shards 64 --reps 10000 --profile cluster.toml
  purexp sweep submit big
  purexp sweep status big
  purexp sweep retry big
  purexp sweep merge big --output ecape.jsonl`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(newNew(root, grids), newProfile(), newSubmit(), newStatus(), newRetry(), newMerge(), newRun(grids))
	return root
}

func newNew(root *cobra.Command, grids Grids) *cobra.Command {
	var (
		p       sweep.Plan
		profile string
	)
	cmd := &cobra.Command{
		Use: "new STUDY DIR", Short: "Create the folder of a sweep",
		Long: `New creates the folder of a sweep, which all machines must be able to access under the same
path. The folder contains the list of rows to simulate, a copy of this program, and the profile
of the cluster, which you can change later.

Create four to ten times as many shards as run at the same time, to keep all machines
busy until the end.`,
		Example: "  purexp sweep new ecape big --shards 64 --reps 10000 --profile cluster.toml",
		Args:    args(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, a []string) error {
			f := cmd.Flags()
			switch {
			case p.Study.Reps < 0 || f.Changed("reps") && p.Study.Reps == 0:
				return usage(fmt.Errorf("--reps is %d; expected at least 1", p.Study.Reps))
			case p.Study.Seed == 0:
				return usage(errors.New("--seed is 0; expected a positive number"))
			case !f.Changed("shards"):
				return usage(errors.New("--shards is missing; give the number of shards"))
			case p.Shards < 1:
				return usage(fmt.Errorf("--shards is %d; expected at least 1", p.Shards))
			}
			p.Study.Name = a[0]
			var err error
			if p.Grid, err = grids(a[0], p.Study.Reps, p.Study.Seed); err != nil {
				return err
			}
			if profile != "" {
				if p.Profile, err = os.ReadFile(profile); err != nil {
					return fmt.Errorf("sweep: --profile: %w", err)
				}
				if _, err := sweep.ParseProfile(p.Profile); err != nil {
					return fmt.Errorf("sweep: %s: %w", profile, err)
				}
			}
			p.Command = append(strings.Fields(root.CommandPath())[1:], "run")
			s, err := sweep.Create(a[1], &p)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "created %s: %d shards of about %d rows; check profile.toml "+
				"in this folder, then run 'sweep submit %s'\n", a[1], s.Shards, s.Rows()/s.Shards, word(a[1]))
			return nil
		},
	}
	f := cmd.Flags()
	f.IntVar(&p.Shards, "shards", 0, "number of shards, at most the number of replicates")
	f.IntVar(&p.Study.Reps, "reps", 0, "replicates of each method (default: the study's)")
	f.Uint64Var(&p.Study.Seed, "seed", 1, "root seed of all random streams, not 0")
	f.StringVar(&profile, "profile", "", "`file` with the resources that a shard needs")
	f.StringVar(&p.Program, "program", "", "`file` of this program for the machines of the "+
		"cluster, if their architecture differs (default: this program)")
	return cmd
}

func newProfile() *cobra.Command {
	return &cobra.Command{
		Use: "profile", Short: "Print a cluster profile to edit",
		Example: "  purexp sweep profile > cluster.toml",
		Args:    args(cobra.NoArgs),
		Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprint(cmd.OutOrStdout(), sweep.ProfileText)
		},
	}
}

func newSubmit() *cobra.Command {
	return submitter("submit", "Submit all shards to Slurm", "", (*sweep.Sweep).Submit)
}

func newRetry() *cobra.Command {
	return submitter("retry", "Submit missing and failed shards again",
		`Retry submits only missing and failed shards. Each shard continues where its
previous attempt ended. Retry reads profile.toml in the folder; increase time or memory
there.`, (*sweep.Sweep).Retry)
}

// submitter returns a command that submits shards.
func submitter(name, short, long string,
	f func(*sweep.Sweep, context.Context) (sweep.Submission, error)) *cobra.Command {
	return &cobra.Command{
		Use: name + " DIR", Short: short, Long: long,
		Example: "  purexp sweep " + name + " big",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, a []string) error {
			s, err := sweep.Open(a[0])
			if err != nil {
				return err
			}
			sub, err := f(s, cmd.Context())
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "submitted %d shards as job %s; see 'sweep status %s'\n",
				len(sub.Shards), sub.Job, word(a[0]))
			return nil
		},
	}
}

func word(path string) string {
	if strings.ContainsAny(path, " \t$&;|<>()*?[]{}#~!`") {
		return `"` + path + `"`
	}
	return path
}

func newStatus() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "status DIR", Short: "Show the state of each shard",
		Long: `Status counts the finished shards, " +
			"and lists missing, failed and running shards. Shards
in the queue count as running. Status reads the " +
			"complete files of finished shards.

The exit code is 0 if all shards are finished, 1 if a shard is " +
			"missing or failed, and 3
if shards are running.`,
		Example: "  purexp sweep status big",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, a []string) error {
			s, err := sweep.Open(a[0])
			if err != nil {
				return err
			}
			st, err := s.Status(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", " ")
				if err := e.Encode(st); err != nil {
					return err
				}
			} else {
				show(cmd.OutOrStdout(), st)
			}
			if st.QueueErr != nil {
				fmt.Fprintln(cmd.ErrOrStderr(), "sweep: warning: the state of the queue is unknown:", st.QueueErr)
			}
			lost := st.Which(sweep.Missing, sweep.Failed)
			switch {
			case len(lost) > 0:
				return Error{fmt.Errorf("sweep: %d of %d shards are missing or failed; 'sweep retry "+
					"%s' submits them again", len(lost), s.Shards, word(a[0])), 1, false}
			case len(st.Which(sweep.Running)) > 0:
				return Error{errors.New("sweep: some shards are running; try again later"), exitUnderway, false}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with every shard")
	return cmd
}

// show prints a line for each shard that is not finished.
func show(w io.Writer, st *sweep.Status) {
	fmt.Fprintln(w, st.Summary())
	for _, is := range st.Shards {
		if is.State == sweep.Finished {
			continue
		}
		line := fmt.Sprintf("  %4d  %-7v  %d of %d rows", is.Shard, is.State, is.Rows, is.Want)
		if is.Why != "" {
			line += "  " + strings.ReplaceAll(is.Why, "\n", "\n"+strings.Repeat(" ", 8))
		}
		fmt.Fprintln(w, line)
	}
}

func newMerge() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use: "merge DIR [FILE|DIR]...", Short: "Write the rows of all shards to one file",
		Long: `Merge writes the file that a single process would have written, byte for byte. It fails
if shards are missing, or if two files have different rows for the same replicate. Further
files, or folders of sweeps of the same study, can provide missing rows.`,
		Example: "  purexp sweep merge big --output ecape.jsonl",
		Args:    args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, a []string) error {
			s, err := sweep.Open(a[0])
			if err != nil {
				return err
			}
			if output == "" {
				output = strings.ReplaceAll(s.Study.Name, "/", "-") + ".jsonl"
			}
			if err := s.Merge(cmd.Context(), output, a[1:]...); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "wrote %s: %d rows of %d shards\n", output,
				s.Rows(), s.Shards)
			return nil
		},
	}
	cmd.Flags().StringVar(&output, "output", "", "`file` for the rows (default: STUDY.jsonl)")
	return cmd
}

func newRun(grids Grids) *cobra.Command {
	var set sweep.Settings
	cmd := &cobra.Command{
		Use: "run DIR SHARD", Short: "Simulate one shard",
		Long: `Run simulates one shard; shards are numbered from 1. The jobs in the queue execute this
command. On machines without a queue, execute it yourself; see docs/sweeps.md. Run does not
change a finished shard, and continues an interrupted shard. On SIGUSR1 it stops and, in
an array job of Slurm, puts the shard into the queue again.`,
		Example: "  purexp sweep run big 3\n" +
			"  seq 64 | parallel --sshloginfile hosts $PWD/big/program sweep run $PWD/big",
		Args: args(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, a []string) error {
			s, err := sweep.Open(a[0])
			if err != nil {
				return err
			}
			i, err := strconv.Atoi(a[1])
			if err != nil {
				return usage(fmt.Errorf("shard %q; expected the number of a shard, at least 1", a[1]))
			}
			if set.Workers < 0 {
				return usage(fmt.Errorf("--workers is %d; expected at least 1, or 0 for one per "+
					"processor", set.Workers))
			}
			g, err := grids(s.Study.Name, s.Study.Reps, s.Study.Seed)
			if err != nil {
				return err
			}
			limit := make(chan os.Signal, 1)
			notifyLimit(limit)
			set.Limit, set.Progress = limit, progress(cmd.ErrOrStderr(), i)
			set.Requeue = s.Requeue(cmd.Context())
			return s.Run(cmd.Context(), g, i, set)
		},
	}
	cmd.Flags().IntVar(&set.Workers, "workers", 0,
		"parallel runs (default: one for each processor)")
	return cmd
}

// progress writes a line a minute, for the log of a job.
func progress(w io.Writer, shard int) func(done, total int, elapsed time.Duration) {
	var pace mc.Pace
	var last time.Time
	return func(done, total int, elapsed time.Duration) {
		left, known := pace.Left(done, total, elapsed)
		if done < total && time.Since(last) < time.Minute {
			return
		}
		last = time.Now()
		text := ""
		if known {
			text = fmt.Sprintf(", about %v left", left.Round(time.Second))
		}
		fmt.Fprintf(w, "%s shard %d: %d of %d runs%s\n", last.Format(time.DateTime), shard, done,
			total, text)
	}
}
