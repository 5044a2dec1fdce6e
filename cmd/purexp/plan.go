package main

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/plan/planview"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

func newPlan() *cobra.Command {
	b := new(shared)
	cmd := b.plan()
	cmd.Args = args(cobra.ExactArgs(1))
	cmd.Flags().BoolVar(&b.json, "json", false, "print JSON")
	return cmd
}

// plan returns the command that plans a problem file. Without a file, the command 'purexp campaign
// plan' plans the existing campaign.
func (b *shared) plan() *cobra.Command {
	var (
		o              plan.Options
		changes        []string
		none, quiet    bool
		format         tableFormat
		folder         string
		failures, late float64
		lateBy         int
		scenarios      string
	)
	cmd := &cobra.Command{
		Use:   "plan PROBLEM.toml",
		Short: "Predict how many measurements an answer will take",
		Long: `Plan simulates campaigns of a problem file, with the means that you guess or that a pilot
estimates. It prints how many measurements, plates and days each method takes, how often its
answers are wrong, how measurements are distributed, and what another tolerance, error
probability, plate or bound would save. It warns if your budget does not suffice. See
docs/plan.md.

With --scenarios it simulates the sets of true values in a table instead, and prints how often
each candidate is wrongly selected or rejected: the operating characteristics of a trial. The
table has a column scenario, a column of candidate names, and a column for each objective.`,
		Example: `  purexp plan coupling.toml
  purexp plan coupling.toml --failures 0.1 --late 0.2 --late-by 2
  purexp plan coupling.toml --change yield.tolerance=2 --change plate=96
  purexp plan coupling.toml --methods e-cAPE,Racing --runs 2000 --output plan
  purexp plan trial.toml --scenarios scenarios.csv --runs 1000
  purexp plan coupling.toml --json`,
		Args: args(cobra.MaximumNArgs(1)),
	}
	f := cmd.Flags()
	f.IntVar(&o.Runs, "runs", 500, "simulated campaigns for each row (default: 500, or fewer if runs are long)")
	f.DurationVar(&o.Time, "time", 20*time.Second, "time limit of the plan, unless --runs is given")
	f.StringSliceVar(&o.Methods, "methods", nil,
		"`names` of methods to compare, separated by commas; put a name with a comma in double quotes, as in "+
			"'\"GEGE, fixed budget\",Betting' (default: the default method and two others)")
	f.StringArrayVar(&changes, "change", nil, "a change to simulate, such as yield.tolerance=2, "+
		"delta=0.1, plate=96 (default: several of each kind)")
	f.BoolVar(&none, "no-changes", false, "simulate no changes")
	f.Uint64Var(&o.Seed, "seed", 1, "root seed of all random streams")
	f.IntVar(&o.Limit, "limit", 0, "number of measurements at which a run is stopped (default: at least a million)")
	f.StringVar(&scenarios, "scenarios", "", "`table` of true values to simulate, instead of guesses")
	f.StringVar(&folder, "output", "", "also write tables and figures into this `folder`")
	f.BoolVar(&quiet, "quiet", false, "show no progress")
	f.Float64Var(&failures, "failures", 0, "`fraction` of measurements that give no result "+
		"(default: laboratory.failures of the problem)")
	f.Float64Var(&late, "late", 0, "`fraction` of results that arrive with a later plate (default: "+
		"laboratory.late)")
	f.IntVar(&lateBy, "late-by", 0, "delay of late results in `plates` (default: "+
		"laboratory.late_by, or 1)")
	cmd.RunE = b.run(func(cmd *cobra.Command, a []string) (any, error) {
		switch {
		case o.Runs < 1:
			return nil, usage("--runs is %d; expected at least 1", o.Runs)
		case o.Time <= 0:
			return nil, usage("--time is %v; expected a positive duration, such as 1m", o.Time)
		case f.Changed("runs") && f.Changed("time"):
			return nil, usage("--runs and --time cannot be combined; remove one of them")
		case o.Limit < 0:
			return nil, usage("--limit is %d; expected at least 1", o.Limit)
		case none && len(changes) > 0:
			return nil, usage("--no-changes and --change cannot be combined; remove one of them")
		case scenarios != "" && len(changes) > 0:
			return nil, usage("--scenarios and --change cannot be combined; change the problem file instead")
		}
		if f.Changed("runs") {
			o.Work, o.Time = -1, 0
		}
		var err error
		if o.Changes, err = changesOf(changes, none); err != nil {
			return nil, usageError{err}
		}
		p, err := b.problem(a)
		if err != nil {
			return nil, err
		}
		p = p.Clone()
		for name, set := range map[string]func(){
			"failures": func() { p.Laboratory.Failures = failures },
			"late":     func() { p.Laboratory.Late = late },
			"late-by":  func() { p.Laboratory.LateBy = lateBy },
		} {
			if f.Changed(name) {
				set()
			}
		}
		if err := p.Validate(); err != nil {
			return nil, err
		}
		if !quiet {
			var stop func()
			o.Progress, stop = planning(cmd.ErrOrStderr(), o.Time)
			defer stop()
		}
		if scenarios != "" {
			return b.scenarios(cmd, p, &o, scenarios, folder, format)
		}
		made, err := plan.Simulate(cmd.Context(), p, &o)
		if made == nil {
			return nil, err
		}
		return made, errors.Join(err, b.planned(cmd, format, folder, []titled{{"plan", planview.Table(made)},
			{"effort", planview.Effort(made)}, {"afford", planview.Afford(made)}}, []drawn{
			{"measurements", func() (*fig.Figure, error) { return planview.Figure(made) }},
			{"candidates", func() (*fig.Figure, error) { return planview.EffortFigure(made) }},
		}))
	})
	formatFlag(cmd, &format)
	return cmd
}

// planning returns functions that print the progress of a plan: within the first second, then every
// five seconds, and at the end. The argument within is the time limit of the plan; 0 means no
// limit.
func planning(w io.Writer, within time.Duration) (told func(done, total int), stop func()) {
	var mu sync.Mutex
	var pace mc.Pace
	begun, done, total := time.Now(), 0, 0
	say := func(end bool) {
		mu.Lock()
		defer mu.Unlock()
		took := time.Since(begun)
		text, left := fmt.Sprintf("%d of up to %d runs", done, total), ""
		if end || total == 0 {
			text = map[bool]string{true: "done", false: "no run has finished yet"}[end]
		}
		if rest, known := pace.Left(done, total, took); within > 0 && !end {
			left = fmt.Sprintf(" of at most %v", within)
		} else if known && !end {
			left = fmt.Sprintf(", about %v left", rest.Round(time.Second))
		}
		fmt.Fprintf(w, "plan: %s, %v%s\n", text, took.Round(time.Second), left)
	}
	ended := make(chan struct{})
	go func() {
		for next := 800 * time.Millisecond; ; next = 5 * time.Second {
			select {
			case <-ended:
				return
			case <-time.After(next):
				say(false)
			}
		}
	}()
	return func(d, t int) { mu.Lock(); done, total = d, t; mu.Unlock() }, func() { close(ended); say(true) }
}

// problem returns the problem in the file named by a, or the problem of the campaign if a is empty.
func (b *shared) problem(a []string) (*problem.Problem, error) {
	if len(a) == 1 {
		return problem.Read(a[0])
	}
	var p *problem.Problem
	_, err := b.open(func(c *campaign.Campaign) (_ any, err error) {
		p, err = c.Problem()
		return nil, err
	})
	return p, err
}

// changesOf parses the changes given on the command line; if texts is empty, it returns nil, and
// the plan uses the default changes.
func changesOf(texts []string, none bool) ([]plan.Change, error) {
	if none {
		return []plan.Change{}, nil
	}
	var list []plan.Change
	for _, t := range texts {
		c, err := plan.ParseChange(t)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// scenarios simulates the campaign of p under each scenario of a table; it prints the results and
// writes them to files.
func (b *shared) scenarios(cmd *cobra.Command, p *problem.Problem, o *plan.Options, path, folder string,
	format tableFormat) (any, error) {
	text, err := contents(cmd.InOrStdin(), path)
	if err != nil {
		return nil, err
	}
	list, err := plan.ReadScenarios(p, path, text)
	if err != nil {
		return nil, err
	}
	o.Changes = nil
	made, err := plan.Characterise(cmd.Context(), p, list, o)
	if err != nil {
		return nil, err
	}
	return made, b.planned(cmd, format, folder, []titled{{"scenarios", planview.Scenarios(made)},
		{"candidates", planview.ScenarioCandidates(made)}, {"answers", planview.ScenarioAnswers(made)},
		{"guesses", planview.ScenarioGuesses(made)}},
		[]drawn{{"scenarios", func() (*fig.Figure, error) { return planview.ScenarioFigure(made) }}})
}

// A titled is a table with its file name; a drawn is a figure with its file name.
type (
	titled struct {
		name string
		*tidy.Table
	}
	drawn struct {
		name string
		draw func() (*fig.Figure, error)
	}
)

// planned prints the non-nil tables; if a folder is given, planned also writes tables and figures
// into the folder.
func (b *shared) planned(cmd *cobra.Command, format tableFormat, folder string, tables []titled,
	figures []drawn) error {
	out := cmd.OutOrStdout()
	var files []written
	for _, t := range tables {
		if t.Table != nil {
			b.say(out, "%s", format.show(t.Table))
			files = append(files, table(t.name, t.Table))
		}
	}
	if folder == "" {
		return nil
	}
	var errs []error
	for _, d := range figures {
		f, err := d.draw()
		if err == nil {
			files = append(files, picture(d.name, f))
		} else if !errors.Is(err, planview.ErrNothing) { // the printed table says why there is no figure
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, writeAll(folder, func(path string) { b.say(out, "%s", path) }, files))...)
}
