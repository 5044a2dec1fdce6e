package main

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/simulated"
	"github.com/purexp/purexp/pkg/explore"
)

// examples contains the example problem files and their tables.
//
//go:embed examples
var examples embed.FS

var exampleNames = []string{"chemistry", "compiler", "trial"}

func newProblemNew() *cobra.Command {
	b := new(shared)
	var d problem.Draft
	var objectives []string
	var output, example string
	cmd := &cobra.Command{
		Use: "new TABLE.csv", Short: "Write a problem file for a table of candidates",
		Long: `New writes TABLE.toml, a problem file with comments, for a table with one candidate per row.

--objective describes a measured or known quantity: its name, followed by settings separated by commas.
  direction  max, min, or bounded if only its bounds matter
  noise      sd=2 (a standard deviation), range=0..100 (only the range is known), counts=12 (successes of 12;
             bounds are rates), of=patients, evaluable=COLUMN; or known (in the table, not measured)
  others     unit=%, at_least=40, at_most=4, tolerance=1 (or 5% of the best), slack=1, weight=2,
             values=0..100, guess=COLUMN

If the table has a row for each measurement, --measured also writes a table that lists each candidate once.
Then 'purexp campaign new TABLE.toml --with TABLE.csv' begins a campaign with the rows as results.

--example writes a complete problem file and its table.`,
		Example: `  purexp problem new conditions.csv --objective 'yield,max,sd=2,unit=%,values=0..100' --objective 'cost,min,known'
  purexp problem new last-year.csv --measured --objective 'yield,max,sd=2'
  purexp problem new --example chemistry`,
		Args: args(cobra.MaximumNArgs(1)),
	}
	f := cmd.Flags()
	f.StringArrayVar(&objectives, "objective", nil, "an `objective`: name,max,sd=2 (see above); repeat for several")
	f.StringVar(&d.Column, "names", "", "`column` with the names (default: the first column of unique texts, or else "+
		"of any texts)")
	f.BoolVar(&d.Measured, "measured", false, "rows are measurements; also write a table that lists each candidate "+
		"once")
	f.StringVar(&d.Find, "find", "",
		"`question`: best, top, good, pareto or feasible (default: best; pareto if there are several objectives)")
	f.IntVar(&d.Count, "count", 0, "`number` of candidates for the question top")
	f.Float64Var(&d.Delta, "delta", 0, "`probability` of a wrong answer (default 0.05)")
	f.StringVar(&d.Cost, "cost", "", "`column` with the cost of one measurement")
	f.StringSliceVar(&d.Features, "features", nil, "`columns` of numbers on which means depend linearly, separated by commas")
	f.StringSliceVar(&d.Categories, "categories", nil, "`columns` of categories on which means depend, separated by commas")
	f.IntVar(&d.Plate, "plate", 0, "`measurements` of a plate")
	f.StringVar(&output, "output", "", "`file` to write (default: the table's name with .toml)")
	f.StringVar(&example, "example", "", "write an example: chemistry, compiler or trial")
	f.BoolVar(&b.json, "json", false, "print JSON")
	cmd.RunE = b.run(func(cmd *cobra.Command, a []string) (any, error) {
		if example != "" {
			return writeExample(b, cmd.OutOrStdout(), example)
		}
		if len(a) == 0 {
			return nil, usage("the table of candidates is missing; use 'purexp problem new TABLE.csv', or --example %s",
				strings.Join(exampleNames, "|"))
		}
		if d.Plate < 0 {
			return nil, usage("--plate is %d; expected at least 1", d.Plate)
		}
		table, err := problem.ReadFile(a[0])
		if err != nil {
			return nil, err
		}
		columns, err := problem.Columns(filepath.Base(a[0]), table)
		if err != nil {
			return nil, err
		}
		output = cmp.Or(output, strings.TrimSuffix(a[0], filepath.Ext(a[0]))+".toml")
		if len(objectives) == 0 {
			return nil, usage("--objective is missing; use e.g. --objective 'yield,max,sd=2' (name, max or "+
				"min, noise); %s has the columns %s", a[0], names(columns))
		}
		for _, text := range objectives {
			o, err := problem.ParseDraftObjective(text)
			if err == nil {
				err = o.Match(columns)
			}
			if err != nil {
				return nil, usage("--%v", err)
			}
			d.Objectives = append(d.Objectives, o)
		}
		if d.Column == "" {
			if j := problem.NameColumn(columns, d.Used(columns)...); j >= 0 {
				d.Column = columns[j].Name
			} else {
				return nil, usage("%s: no column looks like the names of the candidates; add such a column, or "+
					"choose a column with --names: %s", a[0], names(columns))
			}
		}
		if d.Find == problem.FindGood && !slices.ContainsFunc(d.Objectives, problem.DraftObjective.Tolerates) {
			return nil, usage("--find good: no objective has a tolerance (the distance to the best that is good " +
				"enough); add tolerance=1 or tolerance=5%% to --objective")
		}
		d.Table = filepath.Base(a[0])
		if filepath.Dir(output) != filepath.Dir(a[0]) {
			if d.Table, err = filepath.Rel(filepath.Dir(output), a[0]); err != nil {
				d.Table = a[0]
			}
		}
		candidates, note, err := d.Candidates(filepath.Base(a[0]), table)
		once := strings.TrimSuffix(output, filepath.Ext(output)) + problem.CandidatesEnding + ".csv"
		if d.Measured {
			d.Table = filepath.Base(once)
		}
		var p *problem.Problem
		text := d.TOML()
		if err == nil {
			p, err = problem.Parse(output, []byte(text), func(string) ([]byte, error) { return candidates, nil })
		}
		if err != nil {
			var wrong problem.Errors
			if errors.As(err, &wrong) {
				for _, e := range wrong {
					if e.File == output { // the file output has not been written yet
						e.File, e.Line = "", 0
					}
				}
			}
			return nil, fmt.Errorf("the problem is invalid, and nothing was written; correct the options:\n%w", err)
		}
		if err := vacant(output); err != nil {
			return nil, err
		}
		if d.Measured {
			if err := writeNew(once, candidates); err != nil {
				return nil, err
			}
		}
		if err := writeNew(output, []byte(text)); err != nil {
			return nil, err
		}
		w := cmd.OutOrStdout()
		if note != "" {
			b.noted(cmd, []string{note})
		}
		b.say(w, "wrote %s: %s", output, p.Words())
		if d.Measured {
			b.say(w, "wrote %s, which lists each candidate once", once)
			b.say(w, "Check both files. To start a campaign with the rows of %s as results: purexp campaign new %s "+
				"--with %[1]s", a[0], output)
			return map[string]string{"file": output, "candidates": once, "question": p.Words()}, nil
		}
		if list := d.Guessless(); list != nil {
			b.say(w, "Check the file. 'purexp plan', and 'purexp simulate' without --truth, need guesses of the "+
				"means of %s: set guess = \"COLUMN\" of the objective in the file.", problem.Listed(list))
		} else {
			b.say(w, "Check the file. To plan: purexp plan %s", output)
		}
		b.say(w, "To start a campaign and write its first worksheet: purexp campaign new %s --worksheet "+
			"plate-1.csv", output)
		return map[string]string{"file": output, "question": p.Words()}, nil
	})
	return cmd
}

func names(columns []problem.TableColumn) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = fmt.Sprintf("%q", c.Name)
	}
	return strings.Join(list, ", ")
}

// writeNew writes a file that must not exist yet.
func writeNew(path string, data []byte) error {
	return create(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// writeExamples copies example files into the current folder, and returns their names.
func writeExamples(paths ...string) (names []string, err error) {
	for _, path := range paths {
		data, err := examples.ReadFile("examples/" + path)
		if err == nil {
			err = writeNew(filepath.Base(path), data)
		}
		if err != nil {
			return nil, err
		}
		names = append(names, filepath.Base(path))
	}
	return names, nil
}

// writeExample writes the problem file and the table of an example.
func writeExample(b *shared, w io.Writer, name string) (any, error) {
	if !slices.Contains(exampleNames, name) {
		return nil, usage("--example %s: unknown example; the examples are %s", name, strings.Join(exampleNames, ", "))
	}
	files, err := writeExamples(name+".csv", name+".toml")
	if err != nil {
		return nil, err
	}
	b.say(w, "wrote %s. Try: purexp plan %s.toml", strings.Join(files, " and "), name)
	b.say(w, "To start a campaign and write its first worksheet: purexp campaign new %s.toml --worksheet "+
		"plate-1.csv", name)
	b.say(w, "To simulate results: purexp simulate %s.toml plate-1.csv > results.csv", name)
	return map[string][]string{"files": files}, nil
}

// usage returns a usage error with a formatted message.
func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func newProblem() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "problem",
		Short: "Write or check a problem file, or print the JSON schema for editors",
		Args:  args(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newProblemNew(), newProblemCheck(), newProblemSchema())
	return cmd
}

type checked struct {
	Question   string   `json:"question"`
	Candidates []string `json:"candidates"`
	Objectives []string `json:"objectives"`
	Method     string   `json:"method"`
	Policy     string   `json:"policy"`
	Methods    []string `json:"methods"`            // methods that can answer the question
	Budgeted   []string `json:"budgeted,omitempty"` // fixed-budget methods, which certify nothing
	Unused     string   `json:"unused,omitempty"`   // parts of the problem that the method ignores
}

func newProblemCheck() *cobra.Command {
	b := new(shared)
	cmd := &cobra.Command{
		Use: "check PROBLEM.toml", Short: "Explain the question of a problem file, or list its errors",
		Long: `Check reads a problem file and its tables, and prints the question in words and the methods
that can answer it. It lists all errors, with file, line and field. See docs/your-problem.md.`,
		Example: "  purexp problem check coupling.toml\n  purexp problem check coupling.toml --json",
		Args:    args(cobra.ExactArgs(1)),
	}
	cmd.Flags().BoolVar(&b.json, "json", false, "print JSON")
	cmd.RunE = b.run(func(cmd *cobra.Command, a []string) (any, error) {
		p, err := problem.Read(a[0])
		if err != nil {
			return nil, err
		}
		c, err := p.Compile()
		if err != nil {
			return nil, err
		}
		r := checked{p.Words(), p.Candidates.Names, nil, c.Card.Name, explore.Name(c.Policy()),
			p.Methods(), p.Budgeted(), c.Unused()}
		for i := range p.Objectives {
			r.Objectives = append(r.Objectives, p.Objectives[i].Label())
		}
		w := cmd.OutOrStdout()
		b.say(w, "%s", r.Question)
		b.say(w, "Objectives: %s", strings.Join(r.Objectives, ", "))
		b.say(w, "Method: %s", r.Policy)
		if rest := p.Question.Delta - c.Delta; rest > 0 {
			b.say(w, "%.2g of delta is reserved for candidates that may join or leave, and for pilots.", rest)
		}
		b.say(w, "Methods that can answer the question: %s", strings.Join(r.Methods, ", "))
		if r.Budgeted != nil {
			b.say(w, "Methods that return a best guess after a budget of %d measurements: %s", p.Budget(),
				strings.Join(r.Budgeted, "; "))
		}
		if r.Unused != "" {
			b.say(w, "%s", r.Unused)
		}
		return r, nil
	})
	return cmd
}

func newProblemSchema() *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON schema of problem files",
		Long: `Schema prints the JSON schema that editors use to complete and check problem files. Save it
beside the problem file, and begin the problem file with
  #:schema ./problem.schema.json`,
		Example: "  purexp problem schema > problem.schema.json",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(problem.Schema())
			return err
		},
	}
}

// people lists the names of the example folders, one for each person in docs/stories.md.
var people = []string{"chemist", "engineer", "statistician"}

func newSimulate() *cobra.Command {
	b := new(shared)
	var l simulated.Laboratory
	var truth, path, example string
	cmd := &cobra.Command{
		Use:   "simulate PROBLEM.toml WORKSHEET.csv",
		Short: "Fill in a worksheet with simulated results, to rehearse a campaign",
		Long: `Simulate is a simulated laboratory. It fills in a worksheet with random results around true
means, with the noise that the problem declares, and prints the worksheet. To fill in the
worksheet itself, name it in --output. --truth names a table of true means, with the candidates
and a column for each objective; by default, the guesses of the problem are the true means. The
random numbers of a result depend only on --seed and the number of its ticket. Rows that have
results are not changed.

Late results stay empty at first; a later worksheet ('campaign ask --pending') contains them. If
semicolons separate cells, numbers have decimal commas.

--example writes two tables for a first try: the candidates, and the true means that only the
simulated laboratory knows. docs/stories.md uses these tables.`,
		Example: `  purexp simulate coupling.toml plate.csv --output plate.csv
  purexp simulate coupling.toml plate.csv --truth truth.csv --failures 0.05 --late 0.1
  purexp campaign run --folder plates --exec 'purexp simulate flags.toml {sheet} --output {results}'
  purexp simulate --example chemist`,
		Args: args(cobra.MaximumNArgs(2)),
	}
	f := cmd.Flags()
	f.StringVar(&truth, "truth", "", "`table` of true means (default: the guesses of the problem)")
	f.Uint64Var(&l.Seed, "seed", 1, "seed of the random numbers")
	f.Float64Var(&l.Failures, "failures", 0, "`fraction` of measurements that give no result (default: "+
		"laboratory.failures of the problem)")
	f.Float64Var(&l.Late, "late", 0, "`fraction` of results that are late (default: laboratory.late)")
	f.Float64Var(&l.Missing, "missing", 0, "`fraction` of trials that cannot be evaluated")
	f.StringVarP(&path, "output", "o", "", "`file` to write, or to replace (default: standard output)")
	f.StringVar(&example, "example", "", "write the example tables of a `person`: "+strings.Join(people, ", "))
	f.BoolVar(&b.json, "json", false, "print JSON for --example and for errors")
	cmd.RunE = b.run(func(cmd *cobra.Command, a []string) (any, error) {
		if example != "" {
			return b.tablesOf(cmd, example)
		}
		if len(a) != 2 {
			return nil, usage("%d files are named; expected two: purexp simulate PROBLEM.toml WORKSHEET.csv", len(a))
		}
		for name, x := range map[string]float64{"failures": l.Failures, "late": l.Late, "missing": l.Missing} {
			if !(x >= 0 && x < 1) {
				return nil, usage("--%s is %v; expected a fraction from 0 to below 1", name, x)
			}
		}
		p, err := problem.Read(a[0])
		if err != nil {
			return nil, err
		}
		if !f.Changed("failures") {
			l.Failures = p.Laboratory.Failures
		}
		if !f.Changed("late") {
			l.Late = p.Laboratory.Late
		}
		if truth == "" {
			l.Truth, err = simulated.Guesses(p)
		} else {
			var table []byte
			if table, err = problem.ReadFile(truth); err == nil {
				l.Truth, err = simulated.ReadTruth(p, truth, table)
			}
		}
		if err != nil {
			return nil, err
		}
		sheet, err := contents(cmd.InOrStdin(), a[1])
		if err != nil {
			return nil, err
		}
		var filled bytes.Buffer // the output is buffered, so that nothing is written after an error
		if err := l.FillIn(&filled, p, a[1], sheet); err != nil {
			return nil, err
		}
		if path != "" && path != "-" {
			return nil, os.WriteFile(path, filled.Bytes(), 0o666)
		}
		if _, err = filled.WriteTo(cmd.OutOrStdout()); term.IsTerminal(int(os.Stdout.Fd())) {
			b.say(cmd.ErrOrStderr(), "note: the file %s is unchanged; use --output %s to replace it", a[1], a[1])
		}
		return nil, err
	})
	return cmd
}

// tablesOf writes the example tables of a person into the current folder.
func (b *shared) tablesOf(cmd *cobra.Command, person string) (any, error) {
	if !slices.Contains(people, person) {
		return nil, usage("--example %s: unknown example; the examples are %s", person, strings.Join(people, ", "))
	}
	paths, err := fs.Glob(examples, "examples/"+person+"/*")
	if err != nil {
		return nil, err
	}
	for i, path := range paths {
		paths[i] = strings.TrimPrefix(path, "examples/")
	}
	files, err := writeExamples(paths...)
	if err != nil {
		return nil, err
	}
	b.say(cmd.OutOrStdout(), "wrote %s", strings.Join(files, ", "))
	return map[string][]string{"files": files}, nil
}
