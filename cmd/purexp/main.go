// Command purexp plans measurements, runs campaigns and studies, and reports on them.
//
//	purexp problem check problem.toml     # explain a problem file, and list methods that can answer
//	purexp campaign ask                   # what to measure next
//	purexp reproduce rage/benchmark       # simulate an experiment of a paper
//
// See purexp --help.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/internal/plaintext"
	"github.com/purexp/purexp/pkg/campaign/report"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/papers"
	"github.com/purexp/purexp/pkg/sweep/sweepcmd"
)

// The following constants are exit codes of all commands.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitInterrupted = 130 // 128 + SIGINT, the code that shells use
)

// studies lists the studies that can be run: papers, their experiments, and the arena.
var studies = papers.Studies()

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		if !patient(os.Args[1:]) {
			time.Sleep(lastWord)
			os.Exit(exitInterrupted)
		}
	})
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// lastWord is the time that an interrupted command has for cleaning up before the process exits.
const lastWord = 900 * time.Millisecond

// patient reports whether a command may need longer than lastWord to end after an interrupt. Such a
// command may have to stop subprocesses, finish pending requests, or leave a shard in a consistent
// state.
func patient(args []string) bool {
	cmd, _, err := newRoot().Find(args)
	return err == nil && (cmd.Name() == "run" || cmd.Name() == "serve" || strings.Contains(cmd.CommandPath(), " sweep"))
}

// usageError is an error in the command line.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// run executes the command line and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	out := &printed{w: stdout}
	root.SetOut(out)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	// If output was lost, run reports an error even if the command ignored the write error.
	if err = cmp.Or(err, out.err); err == nil {
		return exitOK
	}
	text := strings.ReplaceAll(strings.TrimPrefix(err.Error(), "purexp: "), context.Canceled.Error(), "interrupted")
	fmt.Fprintln(stderr, "purexp:", plaintext.Shown(text))
	var usage usageError
	var own sweepcmd.Error
	switch {
	case errors.As(err, &own) && !own.Usage:
		return own.Code
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage) || own.Usage || cmd == root:
		fmt.Fprintf(stderr, "Try '%s --help'.\n", cmd.CommandPath())
		return exitUsage
	}
	if code, _ := campaignCode(err); code != 0 {
		return code
	}
	return exitFailure
}

// printed is a writer that remembers the first write error.
type printed struct {
	w   io.Writer
	err error
}

func (c *printed) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use: "purexp",
		Short: "Pure exploration: find which of finitely many options are best, with as few " +
			"noisy measurements as possible",
		Long: `purexp finds which of finitely many options are best, with as few noisy measurements as possible
and a stated error probability. This command plans and runs campaigns of your own measurements,
and runs the studies that reproduce papers. The Go packages and the notebooks run the same
policies.

Tables are as wide as the terminal, or COLUMNS or 100 characters. For programs, use --format
csv or json.`,
		Example: `  purexp problem new candidates.csv
  purexp plan candidates.toml
  purexp campaign new candidates.toml --worksheet plate-1.csv
  purexp list methods e-cAPE
  purexp report rage/benchmark --output report
  purexp verify --share 1%`,
		SilenceUsage: true, SilenceErrors: true,
		Version: version(),
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	cobra.EnableCommandSorting = false // each group lists its commands in the order of use
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Your own measurements:", []*cobra.Command{newProblem(), newPlan(), newCampaign(), newSimulate(), newServe(),
			newDesign(), newNotebook(), newKernel()}},
		{"Research:", []*cobra.Command{newList(), newPapers(), newClaims(), newReport(), newRun(), newSweep(),
			newVerify(), newReproduce(), newArena(), newInstances()}},
		{"Programs in any language:", []*cobra.Command{newPolicy(), newPolicytest()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
		}
		root.AddCommand(g.commands...)
	}
	root.AddCommand(newVersion())
	return root
}

// args returns a check of positional arguments whose errors are usage errors.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, a []string) error {
		if err := check(cmd, a); err != nil {
			return usageError{err}
		}
		return nil
	}
}

func named(name string) (study.Study, error) {
	var papers, own []string // names of papers, and names of the experiments of the paper with the given name
	paper, _, experiment := strings.Cut(name, "/")
	for _, s := range studies {
		if s.Name == name {
			return s, nil
		}
		if of, _, ok := strings.Cut(s.Name, "/"); !ok {
			papers = append(papers, s.Name)
		} else if experiment && of == paper {
			own = append(own, s.Name)
		}
	}
	if len(own) > 0 {
		return study.Study{}, usage("unknown experiment %q; %s has:\n  %s", name, paper, strings.Join(own, "\n  "))
	}
	return study.Study{}, usage("unknown study %q; the studies are %s; 'purexp list studies' lists their "+
		"experiments", name, strings.Join(papers, ", "))
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: args(cobra.NoArgs),
		Run: func(cmd *cobra.Command, _ []string) { fmt.Fprintln(cmd.OutOrStdout(), version()) },
	}
}

// version returns the version of the code, if the build recorded it, and the version of Go.
func version() string { return report.Code() + ", " + runtime.Version() }
