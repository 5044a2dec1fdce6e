// Command purexp plans measurements, runs campaigns and studies, and reports on them.
//
//	purexp problem check problem.toml     # what a problem file asks, and which methods answer
//	purexp campaign ask                   # what to measure next
//	purexp reproduce rage/benchmark       # simulate an experiment of a paper
//
// See purexp --help.
package main

import (
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

// Exit codes.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitInterrupted = 130 // as shells report an interrupt
)

// studies lists what can be run: papers, and their experiments.
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

// lastWord is what a command that is interrupted has to end by itself.
const lastWord = 900 * time.Millisecond

// patient reports whether a command has others to end, or a shard to leave in order, when it is interrupted.
func patient(args []string) bool {
	cmd, _, err := newRoot().Find(args)
	return err == nil && (cmd.Name() == "run" || cmd.Name() == "serve" || strings.Contains(cmd.CommandPath(), " sweep"))
}

// usageError is an error in what was typed.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// run is the command; it returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	out := &printed{w: stdout}
	root.SetOut(out)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = out.err // what was printed did not arrive, whether or not the command looked
	}
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(stderr, "purexp:", plaintext.Shown(strings.TrimPrefix(err.Error(), "purexp: ")))
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

// printed remembers the first error of its writer.
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
		Long: `purexp finds which of finitely many options are best, with as few noisy
measurements as possible and a stated error probability. This command plans and runs
campaigns of your own measurements, and the studies that reproduce papers; the Go
packages and the notebooks run the same policies.

Tables are as wide as the terminal (or COLUMNS, or 100); --format csv or json is for programs.`,
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
	cobra.EnableCommandSorting = false // groups are in the order in which their commands are used
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

// args turns what cobra says of wrong arguments into usage errors.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, a []string) error {
		if err := check(cmd, a); err != nil {
			return usageError{err}
		}
		return nil
	}
}

// named returns the study with the given name.
func named(name string) (study.Study, error) {
	var papers, own []string // own are the experiments of the paper that name begins with
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
		return study.Study{}, usage("no experiment %q; %s has:\n  %s", name, paper, strings.Join(own, "\n  "))
	}
	return study.Study{}, usage("no study %q; there are: %s, and their "+
		"experiments, see 'purexp list studies'", name, strings.Join(papers, ", "))
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: args(cobra.NoArgs),
		Run: func(cmd *cobra.Command, _ []string) { fmt.Fprintln(cmd.OutOrStdout(), version()) },
	}
}

// version says which code this is, as far as the build knows.
func version() string { return report.Code() + ", " + runtime.Version() }
