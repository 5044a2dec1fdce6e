package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/study/ledger"
	"github.com/purexp/purexp/pkg/study/papers"
	"github.com/purexp/purexp/pkg/tidy"
)

func newPapers() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "papers [PAPER] [NUMBER]",
		Short: "Show where each figure, table and theorem of the papers is, and what came out",
		Long: `Papers lists every figure, table, algorithm and theorem of the papers: what it
shows, where it is here, how it differs from the paper's, replicates there and
here, and the verdicts on what the paper says about it, by the published rows.
Without a paper it counts verdicts.`,
		Example: "  purexp papers\n  purexp papers rage\n  purexp papers rage \"fig 2a\"\n" +
			"  purexp papers linfact \"theorem 3.2\" --format markdown",
		Args: args(cobra.MaximumNArgs(2)),
		RunE: func(cmd *cobra.Command, a []string) error {
			show, err := formatOf(format)
			if err != nil {
				return err
			}
			t, err := papersTable(a)
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), show(t))
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "text",
		"`form` of the table: text, markdown, html or csv")
	return cmd
}

// papersTable is the table for arguments: counts, a paper, or some of its entries.
func papersTable(a []string) (*tidy.Table, error) {
	if len(a) > 0 {
		var names []string
		for _, p := range papers.All() {
			names = append(names, p.Name)
			if p.Name == a[0] {
				names = nil
				break
			}
		}
		if names != nil {
			return nil, usageError{fmt.Errorf("no paper %q; there are %s", a[0],
				strings.Join(names, ", "))}
		}
	}
	l, err := ledger.Judge()
	if err != nil {
		return nil, err
	}
	switch len(a) {
	case 0:
		return l.Counts(), nil
	case 1:
		return l.Table(a[0]), nil
	}
	t := l.Table(a[0])
	all := t.Rows
	t.Rows = nil
	for _, e := range ledger.Find(a[1]) {
		for _, row := range all {
			if e.Paper == a[0] && row[0] == e.Number {
				t.Rows = append(t.Rows, row)
			}
		}
	}
	if t.Rows == nil {
		return nil, usageError{fmt.Errorf("%s has no %q; 'purexp papers %s' lists what it has",
			a[0], a[1], a[0])}
	}
	return t, nil
}
