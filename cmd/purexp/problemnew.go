package main

import (
	"bufio"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// examples are problem files with their tables.
//
//go:embed examples
var examples embed.FS

// exampleNames are those of examples.
var exampleNames = []string{"chemistry", "compiler", "trial"}

func newProblemNew() *cobra.Command {
	b := new(shared)
	var d problem.Draft
	var objectives []string
	var output, example string
	cmd := &cobra.Command{
		Use: "new TABLE.csv", Short: "Write a problem file for a table of candidates",
		Long: `New writes a problem file, with comments, for a table with one candidate a row: TABLE.toml,
beside the table. At a terminal it asks for what the table does not say: which column has the names,
what is measured, and how far a measurement may be from the mean. Otherwise, or with --objective, flags
say it. An objective is its name and, by commas: max, min, or bounded if only its bounds matter; its noise,
sd=2 (a standard deviation), range=0..100 (nothing but the range) or counts=12 (successes of 12, whose bounds
are then rates, at_most=0.33; with of=patients, and evaluable=COLUMN if some of the 12 may not be), or known if
it is in the table and not measured; and unit=%, at_least=40, at_most=4, tolerance=1 (or 5%, of the best),
slack=1, values=0..100, guess=COLUMN.

If the table has a row for each measurement, --measured writes a table with each candidate once, beside the
problem file. 'purexp campaign new TABLE.toml --with TABLE.csv' then begins with the rows as results.

--example writes one that is complete, with its table.`,
		Example: `  purexp problem new conditions.csv
  purexp problem new conditions.csv --objective 'yield,max,sd=2,unit=%,values=0..100' --objective 'cost,min,known'
  purexp problem new last-year.csv --measured --objective 'yield,max,sd=2'
  purexp problem new --example chemistry`,
		Args: args(cobra.MaximumNArgs(1)),
	}
	f := cmd.Flags()
	f.StringArrayVar(&objectives, "objective", nil, "an `objective`: name,max,sd=2 (see above); repeat for several")
	f.StringVar(&d.Column, "names", "", "`column` with the names (default: the first of different texts, else of texts)")
	f.BoolVar(&d.Measured, "measured", false, "rows are measurements: write each candidate once")
	f.StringVar(&d.Find, "find", "", "`question`: best, top, good, pareto or feasible (default: best, pareto with several objectives)")
	f.Float64Var(&d.Delta, "delta", 0, "`probability` of a wrong answer (default 0.05)")
	f.StringVar(&d.Cost, "cost", "", "`column` of what one measurement of a candidate costs")
	f.StringSliceVar(&d.Features, "features", nil, "`columns` of numbers that means depend on linearly, by commas")
	f.StringSliceVar(&d.Categories, "categories", nil, "`columns` of categories that means depend on linearly, by commas")
	f.IntVar(&d.Plate, "plate", 0, "`measurements` of a plate")
	f.StringVar(&output, "output", "", "`file` to write (default: the table's name with .toml)")
	f.StringVar(&example, "example", "", "write an example: chemistry, compiler or trial")
	f.BoolVar(&b.json, "json", false, "print JSON")
	cmd.RunE = b.run(func(cmd *cobra.Command, a []string) (any, error) {
		if example != "" {
			return writeExample(b, cmd.OutOrStdout(), example)
		}
		if len(a) == 0 {
			return nil, usage("the table of candidates is missing: purexp problem new TABLE.csv, or --example %s",
				strings.Join(exampleNames, "|"))
		}
		if d.Plate < 0 {
			return nil, usage("--plate is %d; want at least 1", d.Plate)
		}
		table, err := problem.ReadFile(a[0])
		if err != nil {
			return nil, err
		}
		columns, err := problem.Columns(filepath.Base(a[0]), table)
		if err != nil {
			return nil, err
		}
		if output == "" {
			output = strings.TrimSuffix(a[0], filepath.Ext(a[0])) + ".toml"
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
			} else if len(objectives) > 0 {
				return nil, usage("%s: no column has the names of the candidates; there are %s. Add one, or say which it is: "+
					"--names COLUMN", a[0], names(columns))
			}
		}
		if len(objectives) == 0 {
			in, ok := cmd.InOrStdin().(*os.File)
			if !ok || b.json || !term.IsTerminal(int(in.Fd())) {
				return nil, usage("what is measured is missing: say --objective 'yield,max,sd=2' (name, max or "+
					"min, noise); %s has the columns %s", a[0], names(columns))
			}
			if err := interview(cmd.Context(), &d, columns, bufio.NewReader(in), cmd.ErrOrStderr()); err != nil {
				return nil, err
			}
		}
		if d.Find == problem.FindGood && !slices.ContainsFunc(d.Objectives, problem.DraftObjective.Tolerates) {
			return nil, usage("good asks for all candidates that are nearly as good as the best: say how near, " +
				"tolerance=1 or tolerance=5%% in --objective")
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
					if e.File == output { // it is not there
						e.File, e.Line = "", 0
					}
				}
			}
			return nil, fmt.Errorf("nothing was written, since the problem would have mistakes:\n%w", err)
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
			b.say(w, "wrote %s: each candidate once", once)
			b.say(w, "Look at them. Begin, with the rows of %s as results: purexp campaign new %s --with %[1]s", a[0], output)
			return map[string]string{"file": output, "candidates": once, "question": p.Words()}, nil
		}
		b.say(w, "Look at it. What it will take, if a column has what you expect (guess): purexp plan %s", output)
		b.say(w, "Begin, with the first worksheet: purexp campaign new %s --worksheet plate-1.csv", output)
		return map[string]string{"file": output, "question": p.Words()}, nil
	})
	return cmd
}

// names lists columns.
func names(columns []problem.TableColumn) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = fmt.Sprintf("%q", c.Name)
	}
	return strings.Join(list, ", ")
}

// writeNew writes a file that is not there yet.
func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return taken(path)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// writeExample writes an example with its table.
func writeExample(b *shared, w io.Writer, name string) (any, error) {
	if !slices.Contains(exampleNames, name) {
		return nil, usage("--example %s: there are %s", name, strings.Join(exampleNames, ", "))
	}
	var files []string
	for _, ext := range []string{".csv", ".toml"} {
		data, err := examples.ReadFile("examples/" + name + ext)
		if err != nil {
			return nil, err
		}
		if err := writeNew(name+ext, data); err != nil {
			return nil, err
		}
		files = append(files, name+ext)
	}
	b.say(w, "wrote %s. Try: purexp plan %s.toml", strings.Join(files, " and "), name)
	b.say(w, "Begin, with the first worksheet: purexp campaign new %s.toml --worksheet plate-1.csv", name)
	b.say(w, "Draw results, in the place of a laboratory: purexp simulate %s.toml plate-1.csv > results.csv", name)
	return map[string][]string{"files": files}, nil
}

// answer reads a line that a person types, unless ctx ends before: an interrupt ends the question.
func answer(ctx context.Context, in *bufio.Reader) (text string, err error) {
	got := make(chan struct{})
	var line string
	var failure error
	go func() {
		line, failure = in.ReadString('\n')
		close(got)
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case <-got:
		return strings.TrimSpace(line), failure
	}
}

// interview asks for what a table does not say.
func interview(ctx context.Context, d *problem.Draft, columns []problem.TableColumn, in *bufio.Reader,
	w io.Writer) error {
	ask := func(format string, args ...any) (string, error) {
		fmt.Fprintf(w, format+" ", args...)
		text, err := answer(ctx, in)
		if ctx.Err() != nil {
			fmt.Fprintln(w)
			return "", fmt.Errorf("interrupted, and nothing was written: %w", ctx.Err())
		}
		if err != nil {
			return "", errors.New("the answer is missing; nothing was written")
		}
		return text, nil
	}
	// column asks for a column until there is one that is called so.
	column := func(said, format string, args ...any) (string, error) {
		for {
			found, err := problem.FindColumn(columns, said)
			if err == nil {
				return found, nil
			}
			fmt.Fprintln(w, err)
			if said, err = ask(format, args...); err != nil {
				return "", err
			}
		}
	}
	split := func(text string) (list []string) {
		for _, x := range strings.Split(text, ",") {
			if x = strings.TrimSpace(x); x != "" {
				list = append(list, x)
			}
		}
		return list
	}
	fmt.Fprintf(w, "Columns: %s\n", names(columns))
	name, err := ask("Which one has the names of the candidates? [%s]", d.Column)
	if err != nil {
		return err
	}
	if d.Column, err = column(cmp.Or(name, d.Column), "Which one has the names of the candidates?"); err != nil {
		return err
	}
	var measured []string
	for len(measured) == 0 {
		text, err := ask("What is measured, or known of each (a price)? Names, by commas:")
		if err != nil {
			return err
		}
		measured = split(text)
	}
	for _, name := range measured {
		for {
			goal, err := ask("%s: more is better (max), less (min), or do only its bounds matter (bounded)? [max]", name)
			if err != nil {
				return err
			}
			if goal == "" {
				goal = "max"
			}
			noise, err := ask("%s: how far may one measurement be from the mean: sd=2 (standard deviation), "+
				"range=0..100, counts=12 (successes of 12), or known (in the table, not measured)?", name)
			if err != nil {
				return err
			}
			if noise == "known" {
				if _, err := problem.FindColumn(columns, name); err != nil {
					if name, err = column(name, "Which column has %s?", name); err != nil {
						return err
					}
				}
			}
			if _, err := problem.ParseDraftObjective(strings.Join([]string{name, goal, noise}, ",")); err != nil {
				fmt.Fprintln(w, err)
				continue
			}
			more, err := ask("%s: unit=%%, at_least=40, at_most=4, tolerance=1 (or 5%%), guess=COLUMN of what you "+
				"expect, by commas; nothing for none:", name)
			if err != nil {
				return err
			}
			text := strings.Join(append([]string{name, goal, noise}, split(more)...), ",")
			o, err := problem.ParseDraftObjective(text)
			if err == nil {
				err = o.Match(columns)
			}
			if err == nil {
				d.Objectives = append(d.Objectives, o)
				break
			}
			fmt.Fprintln(w, err)
		}
	}
	features, err := ask("Do means depend linearly on columns of numbers? Their names, by commas; nothing if you doubt it:")
	if err != nil {
		return err
	}
	for _, name := range split(features) {
		found, err := column(name, "Which column of numbers is it?")
		if err != nil {
			return err
		}
		d.Features = append(d.Features, found)
	}
	if err := askFind(d, ask); err != nil {
		return err
	}
	for d.Plate == 0 {
		text, err := ask("How many measurements has a plate? Nothing if there are no plates:")
		if text == "" || err != nil {
			return err
		}
		if d.Plate, err = strconv.Atoi(text); err != nil || d.Plate < 1 {
			fmt.Fprintf(w, "%q is no number of measurements, such as 24\n", text)
			d.Plate = 0
		}
	}
	return nil
}

// askFind asks for the question, unless it is given.
func askFind(d *problem.Draft, ask func(format string, args ...any) (string, error)) error {
	usually := problem.FindBest
	if len(d.Objectives) > 1 {
		usually = problem.FindPareto
	}
	hint := ""
	for d.Find == "" {
		text, err := ask("%sWhat is asked: the best one (best), all that are nearly as good (good), those that no other one beats in "+
			"everything (pareto), or all within their bounds (feasible)? [%s]", hint, usually)
		if err != nil {
			return err
		}
		switch text = cmp.Or(text, usually); {
		case text == problem.FindGood && !slices.ContainsFunc(d.Objectives, problem.DraftObjective.Tolerates):
			hint = "For good, a tolerance says how near; begin again, and give one. "
		case slices.Contains([]string{problem.FindBest, problem.FindGood, problem.FindPareto, problem.FindFeasible}, text):
			d.Find = text
		default:
			hint = fmt.Sprintf("%q is none of them. ", text)
		}
	}
	return nil
}

// usage says that the command was called in the wrong way.
func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
