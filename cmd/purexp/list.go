package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study/ledger"
	"github.com/purexp/purexp/pkg/study/papers"
	"github.com/purexp/purexp/pkg/tidy"
)

func newList() *cobra.Command {
	var format tableFormat
	cmd := &cobra.Command{
		Use: "list [methods|datasets|studies] [NAME]", Short: "List methods, data sets and studies, or show one",
		Example:   "  purexp list\n  purexp list methods --format csv\n  purexp list methods e-cAPE",
		ValidArgs: []string{"methods", "datasets", "studies"},
		Args:      args(cobra.MaximumNArgs(2)),
		RunE: func(cmd *cobra.Command, a []string) error {
			lists := map[string]func() *tidy.Table{"methods": methods, "datasets": datasets, "studies": studyList}
			kinds := cmd.ValidArgs
			if len(a) > 0 {
				if kinds = a[:1]; lists[a[0]] == nil {
					return usage("unknown list %q; use methods, datasets or studies", a[0])
				}
			}
			for _, kind := range kinds {
				t := lists[kind]()
				if len(a) > 1 {
					named := func(cell any) bool { return strings.EqualFold(fmt.Sprint(cell), a[1]) }
					t.Rows = slices.DeleteFunc(t.Rows, func(row []any) bool { return !slices.ContainsFunc(row, named) })
					if len(t.Rows) == 0 {
						return usage("%s: unknown name %q; 'purexp list %s' shows all names", kind, a[1], kind)
					}
				} else if kind == "methods" && format == "text" { // a table with all columns would have 300 lines
					t.Columns, t.Notes = t.Columns[:4], []string{"'purexp list methods NAME' shows the guarantee, " +
						"assumptions, uses and source of a method; --format csv shows these columns for all methods."}
					for i := range t.Rows {
						t.Rows[i] = t.Rows[i][:4]
					}
				}
				fmt.Fprintln(cmd.OutOrStdout(), format.show(t))
			}
			return nil
		},
	}
	formatFlag(cmd, &format)
	return cmd
}

func methods() *tidy.Table {
	t := &tidy.Table{Title: "Methods", Columns: tidy.Columns("method", "question", "kind", "evidence",
		"guarantee", "rests on", "uses", "source", "in Go")}
	for _, entry := range policy.Catalogue() {
		m := entry().Card()
		t.Rows = append(t.Rows, []any{m.Name, m.Questions(), m.Kind.String(), m.Evidence.String(),
			m.Guarantee(), m.Assumes(), m.Uses.String(), m.Source, explore.TypeName(entry())})
	}
	return t
}

func datasets() *tidy.Table {
	t := &tidy.Table{Title: "Data sets", Columns: tidy.Columns("data set", "arms", "objectives", "what", "source",
		"licence")}
	for _, d := range dataset.All() {
		t.Rows = append(t.Rows, []any{d.Name, d.Arms, strings.Join(d.Objective, ", "), d.Title, d.Source, d.Licence})
	}
	return t
}

func studyList() *tidy.Table {
	t := &tidy.Table{Title: "Studies", Columns: tidy.Columns("study", "what", "replicates", "paper")}
	for _, s := range studies {
		t.Rows = append(t.Rows, []any{s.Name, s.Title, s.Reps, s.Paper})
	}
	return t
}

func newPapers() *cobra.Command {
	var format tableFormat
	cmd := &cobra.Command{
		Use:   "papers [PAPER] [NUMBER]",
		Short: "List the figures, tables and theorems of the papers, with verdicts",
		Long: `Papers lists every figure, table, algorithm and theorem of the papers: its subject, its place in
this project, the differences from the paper, the numbers of replicates in both, and the
verdicts on the paper's claims according to the published rows. Without the name of a paper,
Papers counts the verdicts.`,
		Example: "  purexp papers\n  purexp papers rage\n  purexp papers rage \"fig 2a\"\n" +
			"  purexp papers linfact \"theorem 3.2\" --format markdown",
		Args: args(cobra.MaximumNArgs(2)),
		RunE: func(cmd *cobra.Command, a []string) error {
			t, err := papersTable(a)
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), format.show(t))
			return nil
		},
	}
	formatFlag(cmd, &format)
	return cmd
}

// Depending on its arguments, papersTable returns the counts of verdicts, the table of one paper,
// or some rows of that table.
func papersTable(a []string) (*tidy.Table, error) {
	var names []string
	for _, p := range papers.All() {
		names = append(names, p.Name)
	}
	if len(a) > 0 && !slices.Contains(names, a[0]) {
		return nil, usage("unknown paper %q; the papers are %s", a[0], strings.Join(names, ", "))
	}
	var numbers []any
	if len(a) > 1 {
		for _, e := range ledger.Find(a[1]) {
			if e.Paper == a[0] {
				numbers = append(numbers, e.Number)
			}
		}
		if numbers == nil {
			return nil, usage("the paper %s has no %q; 'purexp papers %s' lists its entries", a[0], a[1], a[0])
		}
	}
	l, err := ledger.Judge()
	if err != nil {
		return nil, err
	}
	if len(a) == 0 {
		return l.Counts(), nil
	}
	t := l.Table(a[0])
	if len(a) > 1 {
		t.Rows = slices.DeleteFunc(t.Rows, func(row []any) bool { return !slices.Contains(numbers, row[0]) })
	}
	return t, nil
}
