package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policytest/conform"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/arena"
	"github.com/purexp/purexp/pkg/wire"
)

// newPolicy returns the command that serves a policy to a host program written in any language.
func newPolicy() *cobra.Command {
	var settings, file string
	cmd := &cobra.Command{
		Use: "policy NAME", Short: "Serve a policy to another program",
		Long: `Policy reads messages from standard input and answers on standard output. Each message is a line
of JSON. A program in any language sends a problem, asks for measurements, reports their
results, and gets the answer. docs/protocol.md describes the messages. NAME is a method of 'purexp
list methods', or "recommended" for the method recommended for the problem.`,
		Example: `  purexp policy LinGapE
  purexp policy e-cAPE --settings '{"Radius": "mixture"}'
  purexp policy recommended --problem problem.json`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, a []string) error {
			new, err := wire.Named(a[0], []byte(settings))
			if err != nil {
				return usageError{err}
			}
			in := cmd.InOrStdin()
			if file != "" {
				if in, err = withProblem(in, file); err != nil {
					return err
				}
			}
			done, out := make(chan error, 1), cmd.OutOrStdout()
			go func() { done <- wire.Serve(in, out, new) }()
			select {
			case err := <-done:
				return err
			case <-cmd.Context().Done(): // Serve blocks until the next line arrives, so do not wait for it
				return cmd.Context().Err()
			}
		},
	}
	cmd.Flags().StringVar(&settings, "settings", "", "JSON `object` with values for fields of the policy's Go type")
	cmd.Flags().StringVar(&file, "problem", "", "the `file` with the problem for init messages without a problem")
	return cmd
}

// withProblem inserts the problem from a file into init messages that contain no problem.
func withProblem(in io.Reader, file string) (io.Reader, error) {
	text, err := problem.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p, err := wire.ParseProblem(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if _, err := p.Explore(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return wire.Fill(in, p), nil
}

// guestFlag contains the values of the flags that describe a guest policy.
type guestFlag struct {
	exec    string
	timeout time.Duration
	quiet   bool
}

func (g *guestFlag) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&g.exec, "exec", "", "the `command` of a policy in any language; see docs/protocol.md")
	f.DurationVar(&g.timeout, "timeout", 30*time.Second, "time limit for each answer of the command")
	f.BoolVar(&g.quiet, "quiet-exec", false, "hide the standard error output of the command")
}

func (g *guestFlag) pool(cmd *cobra.Command) (*wire.Pool, error) {
	words, err := shellquote.Split(g.exec)
	if err != nil || len(words) == 0 {
		return nil, usage("--exec is %q; expected a command, such as 'python3 mine.py'", g.exec)
	}
	o := wire.Options{Command: words, Timeout: g.timeout}
	if !g.quiet {
		o.Log = cmd.ErrOrStderr()
	}
	return wire.NewPool(o), nil
}

// entrant is a guest policy that returns an error of Init only at its first Ask, unless the error
// is about the question. With entrant, a crash of the guest in Init becomes a row of the study;
// without entrant, the crash would look like a question that the guest does not support.
type entrant struct {
	*wire.Guest
	err error
}

// Init implements explore.Policy.
func (e *entrant) Init(p *explore.Problem, src rand.Source) error {
	if e.err = e.Guest.Init(p, src); errors.Is(e.err, explore.ErrQuestion) {
		return e.err
	}
	return nil
}

// Ask implements explore.Policy.
func (e *entrant) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if e.err != nil {
		return dst, e.err
	}
	return e.Guest.Ask(dst)
}

// method returns the guest as a method of the arena.
func (g *guestFlag) method(pool *wire.Pool, name string) study.Method {
	return study.Method{Name: cmp.Or(name, g.exec), Constants: arena.Guaranteed,
		New: func(t study.Task) explore.Policy { return &entrant{Guest: pool.Guest(t.Delta)} }}
}

// join adds the guest policy to each cell of the grid whose question the guest supports. In each
// cell, the guest gets the largest number of replicates that any other method has there.
func (g *guestFlag) join(grid *mc.Grid, pool *wire.Pool, name string) error {
	type place struct {
		experiment, instance string
		size, draw, budget   int
		delta                float64
	}
	at, own := map[place]int{}, []mc.Cell(nil)
	for _, c := range grid.Cells {
		p := place{c.Experiment, c.Instance.Name, c.Size, c.Draw, c.Budget, c.Method.Delta}
		if i, ok := at[p]; ok {
			if i >= 0 {
				own[i].Method.Reps = max(own[i].Method.Reps, c.Method.Reps)
			}
			continue
		}
		new := func() explore.Policy {
			if c.Budget > 0 {
				return &entrant{Guest: pool.Budgeted(c.Budget)}
			}
			return &entrant{Guest: pool.Guest(c.Method.Delta)}
		}
		if at[p] = -1; new().Init(c.Instance.Problem, rand.NewPCG(0, 0)) != nil {
			continue // the guest does not answer the question of this cell
		}
		at[p] = len(own)
		c.Method.Name, c.Method.Constants, c.Method.New = cmp.Or(name, g.exec), "guest", new
		own = append(own, c)
	}
	if len(own) == 0 {
		return fmt.Errorf("--exec %s: the policy answers none of the questions; name another study", g.exec)
	}
	grid.Cells = append(grid.Cells, own...)
	return nil
}

// newPolicytest returns the command that checks a policy in any language.
func newPolicytest() *cobra.Command {
	var (
		g     guestFlag
		delta float64
		runs  int
	)
	cmd := &cobra.Command{
		Use: "policytest --exec COMMAND", Short: "Check a policy of your own, in any language",
		Long: `Policytest runs the conformance suite on a policy that speaks the protocol. For each question
that the policy answers, Policytest checks the general rules for policies on easy problems and
their variations, and estimates the policy's error rate on a tight problem. For policies in Go,
use the package policytest.`,
		Example: `  purexp policytest --exec 'python3 mine.py'
  purexp policytest --exec 'python3 mine.py' --runs 1000 --delta 0.05`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runs < 1 || !(delta > 0 && delta < 1) {
				return usage("--runs is %d and --delta is %v; expected at least 1 run and 0 < delta < 1", runs, delta)
			}
			pool, err := g.pool(cmd)
			if err != nil {
				return err
			}
			defer pool.Close()
			pool.Patience = 5                                    // a guest that hangs would hang in hundreds of runs
			defer context.AfterFunc(cmd.Context(), pool.Close)() // an interrupt ends the runs that wait for the guest
			return policytest(cmd, func() explore.Policy { return pool.Guest(delta) }, delta, runs)
		},
	}
	g.add(cmd)
	cmd.Flags().Float64Var(&delta, "delta", .1, "the error probability that the policy must keep")
	cmd.Flags().IntVar(&runs, "runs", 200, "runs to estimate each error rate")
	return cmd
}

// errConform reports that a policy fails the conformance suite.
var errConform = errors.New("the policy violates rules of the conformance suite")

func policytest(cmd *cobra.Command, new func() explore.Policy, delta float64, runs int) error {
	out, broken, answered := cmd.OutOrStdout(), 0, 0
	easy, tight := conform.Standard()
	for i := range easy {
		c := &easy[i]
		c.Delta = delta
		_, err := explore.NewSession(new(), c.Problem, nil)
		if errors.Is(err, explore.ErrQuestion) {
			fmt.Fprintf(out, "%s: the policy does not answer this question\n", c.Name)
			continue
		}
		if err != nil { // without this check, the error would occur in each run
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		answered++
		var failures []string
		rules := conform.Rules(i, c)
		for _, r := range rules {
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			if err := r.On(new); err != nil {
				failures = append(failures, fmt.Sprintf("  %s: %s: %v", r.Name, r.Rule, err))
			}
		}
		fmt.Fprintf(out, "%s: the policy satisfies %d of %d rules\n", c.Name, len(rules)-len(failures), len(rules))
		wrong, err := conform.Errors(new, tight[i], runs)
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		limit := conform.MostErrors(runs, delta)
		fmt.Fprintf(out, "  on a tight problem, %d of %d runs gave a wrong answer or did not end; delta = %v allows "+
			"%d\n", wrong,
			runs, delta, limit)
		if err != nil {
			failures = append(failures, fmt.Sprintf("  error: %v", err))
		}
		if wrong > limit {
			failures = append(failures, "  error rate: above delta")
		}
		if broken += len(failures); len(failures) > 0 {
			fmt.Fprintln(out, strings.Join(failures, "\n"))
		}
	}
	switch {
	case answered == 0:
		return fmt.Errorf("%w: the policy answers none of the questions", errConform)
	case broken > 0:
		return fmt.Errorf("%w, %d times", errConform, broken)
	}
	return nil
}
