package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/tidy"
)

func newList() *cobra.Command {
	return &cobra.Command{
		Use: "list [methods|datasets|studies]", Short: "List methods, data sets and studies",
		Example:   "  purexp list\n  purexp list methods",
		ValidArgs: []string{"methods", "datasets", "studies"},
		Args:      args(cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs)),
		Run: func(cmd *cobra.Command, a []string) {
			for i, l := range []struct {
				name  string
				table func() *tidy.Table
			}{{"methods", methods}, {"datasets", datasets}, {"studies", studyList}} {
				if len(a) == 0 || a[0] == l.name {
					if len(a) == 0 && i > 0 {
						fmt.Fprintln(cmd.OutOrStdout())
					}
					fmt.Fprintln(cmd.OutOrStdout(), l.table().Text())
				}
			}
		},
	}
}

func methods() *tidy.Table {
	t := &tidy.Table{Title: "Methods", Columns: []tidy.Column{
		{Name: "method"}, {Name: "question"}, {Name: "kind"}, {Name: "evidence"},
		{Name: "guarantee"}, {Name: "rests on"}, {Name: "uses"}, {Name: "source"},
	}}
	for _, entry := range policy.Catalogue() {
		m := entry().Card()
		t.Rows = append(t.Rows, []any{m.Name, m.Questions(), m.Kind.String(), m.Evidence.String(),
			m.Guarantee(), m.Assumes(), m.Uses.String(), m.Source})
	}
	return t
}

func datasets() *tidy.Table {
	t := &tidy.Table{Title: "Data sets", Columns: []tidy.Column{{Name: "data set"}, {Name: "arms"},
		{Name: "objectives"}, {Name: "what"}, {Name: "source"}, {Name: "licence"}}}
	for _, d := range dataset.All() {
		t.Rows = append(t.Rows, []any{d.Name, d.Arms, strings.Join(d.Objective, ", "), d.Title,
			d.Source, d.Licence})
	}
	return t
}

func studyList() *tidy.Table {
	t := &tidy.Table{Title: "Studies", Columns: []tidy.Column{{Name: "study"}, {Name: "what"},
		{Name: "replicates"}, {Name: "paper"}}}
	for _, s := range studies {
		t.Rows = append(t.Rows, []any{s.Name, s.Title, s.Reps, s.Paper})
	}
	return t
}
