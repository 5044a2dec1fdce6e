package main

import (
	"bytes"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/simulated"
)

// people have tables to begin with, a folder of examples each.
var people = []string{"chemist", "engineer", "statistician"}

// newSimulate returns the command that is a laboratory which there is not.
func newSimulate() *cobra.Command {
	b := new(shared)
	var l simulated.Laboratory
	var truth, path, example string
	cmd := &cobra.Command{
		Use:   "simulate PROBLEM.toml WORKSHEET.csv",
		Short: "Fill in a worksheet with drawn results, to try a campaign out",
		Long: `Simulate stands for the laboratory: it fills in a worksheet with results that are drawn
about true means, with the noise that the problem declares, and prints it. The true means are
those of a table (--truth), with the candidates and a column for each objective, or else what
the problem guesses. The result of a ticket depends on --seed and the number of the ticket
alone; rows that have one stay as they are.

Results that are late stay empty; of a worksheet of what is pending since then they are there.
Where semicolons separate cells, decimals have a comma.

--example writes tables to begin with: the candidates, and the true means that only the
laboratory knows. docs/stories.md goes on from there.`,
		Example: `  purexp simulate coupling.toml plate.csv > results.csv
  purexp simulate coupling.toml plate.csv --truth truth.csv --failures 0.05 --late 0.1
  purexp campaign run --folder plates --exec 'purexp simulate flags.toml {sheet} --output {results}'
  purexp simulate --example chemist`,
		Args: args(cobra.MaximumNArgs(2)),
	}
	f := cmd.Flags()
	f.StringVar(&truth, "truth", "", "`table` of true means (default: the guesses of the problem)")
	f.Uint64Var(&l.Seed, "seed", 1, "root of the random numbers")
	f.Float64Var(&l.Failures, "failures", 0, "`fraction` of measurements that give no result (default: "+
		"laboratory.failures of the problem)")
	f.Float64Var(&l.Late, "late", 0, "`fraction` of results that are late (default: laboratory.late)")
	f.Float64Var(&l.Missing, "missing", 0, "`fraction` of trials that cannot be evaluated")
	f.StringVarP(&path, "output", "o", "", "`file` to write, or to replace (default: standard output)")
	f.StringVar(&example, "example", "", "write tables of a `person`: "+strings.Join(people, ", "))
	f.BoolVar(&b.json, "json", false, "print JSON, of --example and errors")
	cmd.RunE = b.run(func(cmd *cobra.Command, a []string) (any, error) {
		if example != "" {
			return b.tablesOf(cmd, example)
		}
		if len(a) != 2 {
			return nil, usage("want a problem and a worksheet: purexp simulate PROBLEM.toml WORKSHEET.csv")
		}
		for name, x := range map[string]float64{"failures": l.Failures, "late": l.Late, "missing": l.Missing} {
			if !(x >= 0 && x < 1) {
				return nil, usage("--%s is %v; want a fraction, from 0 to below 1", name, x)
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
		var filled bytes.Buffer // nothing is written if anything is wrong
		if err := l.FillIn(&filled, p, a[1], sheet); err != nil {
			return nil, err
		}
		if path != "" && path != "-" {
			return nil, os.WriteFile(path, filled.Bytes(), 0o666)
		}
		_, err = filled.WriteTo(cmd.OutOrStdout())
		return nil, err
	})
	return cmd
}

// tablesOf writes the tables of a person.
func (b *shared) tablesOf(cmd *cobra.Command, person string) (any, error) {
	if !slices.Contains(people, person) {
		return nil, usage("--example %s: there are %s", person, strings.Join(people, ", "))
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
