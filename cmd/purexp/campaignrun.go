package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/report"
	"github.com/purexp/purexp/pkg/campaign/runner"
)

// execute returns the command 'purexp campaign run'.
func (b *shared) execute() *cobra.Command {
	var command, table, folder string
	var size int
	var away bool
	var r runner.Command
	var set runner.Settings
	cmd := &cobra.Command{
		Use:   "run --exec COMMAND",
		Short: "Measure with a command: ask, execute and tell until the campaign has its answer",
		Long: `Run requests measurements, executes a command for each (--jobs in parallel), and reports the printed
values, until the campaign has its answer. You can interrupt and restart Run. A restarted Run makes
pending measurements first. If other people have pending measurements, Run waits for their results;
with --no-wait it ends instead (exit code 11).

In the command, {arm} is the candidate, {ticket} and {plate} are numbers, {id} is unique among all
campaigns, and {seed} is a seed for random choices. {ligand} is the candidate's value in the column
ligand of the problem or of --table. Run uses no shell, so each placeholder is one argument. To use a
shell, pass arguments: sh -c 'ssh node7 ./bench "$1"' sh {arm}. The last printed line has the values:

  12.5 310                        numbers, in the order of the objectives
  runtime=12.5 size=310           by name
  {"runtime": 12.5, "size": 310}  JSON

A command that fails or takes too long is retried, and then recorded as failed. The guarantee
holds only if failures do not depend on the value: if a slow candidate exceeds a time limit, the
command must print the limit instead. A value outside the problem's range stops the run.

With --folder, results are in files: Run executes the command once for each plate. The placeholders
are then {sheet}, {results} and {plate}. The command reads plate-1.csv and writes
plate-1.results.csv. Without --exec, Run waits for such files. See docs/run-a-campaign.md.`,
		Example: `  purexp campaign run --exec './bench {arm}' --jobs 4 --timeout 2m
  purexp campaign run --exec './bench --flags {flags} --seed {seed}' --table flags.csv
  purexp campaign run --folder plates --exec './robot {sheet} {results}'
  purexp campaign run --folder /mnt/reader
  purexp campaign run --exec "sh -c './bench \"\$1\" | tail -1' sh {arm}" --as node7`,
		Args: args(cobra.NoArgs),
		RunE: b.run(func(cmd *cobra.Command, _ []string) (any, error) {
			if !away {
				set.Wait = func(pending []campaign.Ticket) { fmt.Fprintln(cmd.ErrOrStderr(), waitingFor(pending)) }
			}
			if folder != "" {
				for _, name := range []string{"table", "jobs", "retries", "limit"} {
					if cmd.Flags().Changed(name) {
						return nil, usage("--%s and --folder cannot be combined; remove one of them: --%[1]s is for "+
							"commands that make one measurement", name)
					}
				}
				if size < 0 || size > campaign.MostAsked || r.Timeout <= 0 {
					return nil, usage("--plate or --timeout is out of range; expected 1 to 10000 for --plate, and a " +
						"positive --timeout such as 2m")
				}
				if command != "" {
					var err error
					if r.Template, err = runner.Parse(command); err != nil {
						return nil, usageError{err}
					}
				}
				return b.open(func(c *campaign.Campaign) (any, error) {
					return b.measurePlates(cmd.Context(), cmd.ErrOrStderr(), cmd.OutOrStdout(), c,
						&runner.Files{Folder: folder, Command: r, Size: size, As: b.name(), Wait: set.Wait})
				})
			}
			if command == "" {
				return nil, usage("--exec is missing; name the command that measures, such as --exec './bench {arm}'")
			}
			if set.Jobs < 1 || set.Limit < 0 || r.Timeout <= 0 || r.Retries < 0 {
				return nil, usage("--jobs and --timeout must be positive, and --retries and --limit must be at least 0")
			}
			var err error
			if r.Template, err = runner.Parse(command); err != nil {
				return nil, usageError{err}
			}
			if r.Retries == 0 {
				r.Retries = -1 // do not retry; in runner.Command, zero means the default number of retries
			}
			if table != "" {
				data, err := problem.ReadFile(table)
				if err != nil {
					return nil, err
				}
				if set.Columns, err = runner.ReadColumns(table, data); err != nil {
					return nil, usageError{err}
				}
			}
			return b.open(func(c *campaign.Campaign) (any, error) {
				return b.measure(cmd.Context(), cmd.ErrOrStderr(), cmd.OutOrStdout(), c, &r, set)
			})
		}),
	}
	f := cmd.Flags()
	f.StringVar(&command, "exec", "", "`command` that makes one measurement")
	f.StringVar(&folder, "folder", "", "`folder` for the worksheets and results of plates")
	f.IntVar(&size, "plate", 0, "measurements per plate, with --folder (default: laboratory.plate of the problem)")
	f.StringVar(&table, "table", "", "`file` with a table of candidates; its columns can be placeholders, and its "+
		"first column has the names")
	f.IntVarP(&set.Jobs, "jobs", "j", 1, "parallel measurements")
	f.DurationVar(&r.Timeout, "timeout", 10*time.Minute, "time limit of one execution")
	f.IntVar(&r.Retries, "retries", 1, "number of retries of a failing command")
	f.IntVar(&set.Limit, "limit", 0, "largest number of measurements to make (default: no limit)")
	f.BoolVar(&away, "no-wait", false, "end instead of waiting for the results of other people and machines")
	return cmd
}

// waitingFor describes in words how many pending measurements the run waits for, and who has to
// report them.
func waitingFor(pending []campaign.Ticket) string {
	var who []string
	for _, t := range pending {
		if !slices.Contains(who, t.Who) {
			who = append(who, t.Who)
		}
	}
	slices.Sort(who)
	what := "1 measurement"
	if n := len(pending); n > 1 {
		what = fmt.Sprintf("%d measurements", n)
	}
	return fmt.Sprintf("waiting for %s by %s: no other measurement is useful until then. Ctrl-C ends the run; "+
		"'purexp campaign tell --ticket %d --failed' records a measurement as failed", what,
		strings.Join(who, ", "), pending[0].Ticket)
}

// measure executes a command for each measurement until the campaign ends, and logs each
// measurement.
func (b *shared) measure(ctx context.Context, log, out io.Writer, c *campaign.Campaign,
	r *runner.Command, set runner.Settings) (any, error) {
	p, err := c.Problem()
	if err != nil {
		return nil, err
	}
	for _, i := range p.Measured() {
		r.Objectives = append(r.Objectives, p.Objectives[i].Name)
	}
	set.As = b.name()
	set.Report = func(d runner.Done) {
		if d.Err != nil {
			fmt.Fprintf(log, "ticket %d: %s failed: %v\n", d.Ticket, d.Arm, d.Err)
			return
		}
		words := make([]string, len(d.Values))
		for i, v := range d.Values {
			words[i] = fmt.Sprintf("%s=%v", r.Objectives[i], v)
		}
		fmt.Fprintf(log, "ticket %d: %s %s\n", d.Ticket, d.Arm, strings.Join(words, " "))
	}
	sum, err := runner.Run(ctx, c, r, set)
	return b.ran(log, out, c, sum, err)
}

// measurePlates measures one plate at a time until the campaign ends, and reads the results from
// files.
func (b *shared) measurePlates(ctx context.Context, log, out io.Writer, c *campaign.Campaign,
	f *runner.Files) (any, error) {
	p, err := c.Problem()
	if err != nil {
		return nil, err
	}
	f.Size = cmp.Or(f.Size, p.Laboratory.Wells())
	f.Report = func(text string) { fmt.Fprintln(log, text) }
	sum, err := f.Run(ctx, c)
	return b.ran(log, out, c, sum, err)
}

// ran prints how a run ended, and returns the result or the error for the command's output.
func (b *shared) ran(log, out io.Writer, c *campaign.Campaign, sum runner.Summary, err error) (any, error) {
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(log, "interrupted after %d measurements; repeat the command to continue\n", sum.Made)
	}
	if errors.Is(err, runner.ErrPlaceholder) {
		return sum, usageError{err}
	}
	if err != nil {
		return sum, err
	}
	s, err := c.Status()
	if err != nil {
		return sum, err
	}
	b.say(out, "%s", s.Headline)
	if sum.Waiting {
		return sum, errWait
	}
	return sum, nil
}

// report returns the command 'purexp campaign report'.
func (b *shared) report() *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use: "report", Short: "Write the report: one HTML file for the record and for colleagues",
		Long: `Report writes the state of the campaign as one self-contained HTML file: question, design, data,
answer with reasons and intervals, scope of the guarantee, figures, version, and how to verify
the record.`,
		Example: "  purexp campaign report -o report.html\n  purexp campaign report --json",
		Args:    args(cobra.NoArgs),
		RunE: b.run(func(cmd *cobra.Command, _ []string) (any, error) {
			return b.open(func(c *campaign.Campaign) (any, error) {
				r, err := report.NewViewer(c).Report()
				if err != nil || b.json && path == "" {
					return r, err
				}
				return r, output(cmd, path, r.HTML)
			})
		}),
	}
	cmd.Flags().StringVarP(&path, "output", "o", "", "file to write (default: standard output)")
	return cmd
}

// certificate returns the command 'purexp campaign certificate'.
func (b *shared) certificate() *cobra.Command {
	var path string
	var page bool
	cmd := &cobra.Command{
		Use:   "certificate [FILE.campaign]",
		Short: "Write a certificate that others can check, or a page to sign",
		Long: `Certificate writes one file of JSON lines: the problem, all results with their hashes, the
method, a claim for each candidate, and the findings of the monitors. A short program checks
without purexp that the answer follows from the results: python3 docs/check_certificate.py FILE.
See docs/certificate.md. With --html, Certificate writes an A4 page to print and sign.

Before the end of the campaign, the certificate covers only the candidates with a final verdict.
If the results contradict the declared assumptions, or the method failed, there is no
certificate (exit code 4).`,
		Example: "  purexp campaign certificate coupling.campaign -o coupling.certificate\n" +
			"  purexp campaign certificate --html -o certificate.html",
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, a []string) error {
			if len(a) == 1 {
				b.file = a[0]
			}
			_, err := b.open(func(c *campaign.Campaign) (any, error) {
				if !page {
					return nil, output(cmd, path, c.Certificate)
				}
				r, err := report.NewViewer(c).Report()
				if err != nil {
					return nil, err
				}
				return nil, output(cmd, path, r.Certificate)
			})
			return err
		},
	}
	cmd.Flags().BoolVar(&page, "html", false, "write a page to print and to sign")
	cmd.Flags().StringVarP(&path, "output", "o", "", "file to write (default: standard output)")
	return cmd
}
