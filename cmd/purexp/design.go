package main

import (
	"fmt"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/tidy"
)

func newDesign() *cobra.Command {
	var (
		features, categories []string
		arm, items, aim      string
		pulls                int
	)
	var format tableFormat
	cmd := &cobra.Command{
		Use:   "design TABLE.csv",
		Short: "Plan measurements: how often to measure which row of a table",
		Long: `Design reads a table of arms, one a row, and prints how to share measurements
among them so that a linear model of the features is known best: for the
differences between the items (XY-optimal, the default), for the mean of each
(G-optimal). Features are columns of numbers; categories are columns of which each
value counts for itself, codes or text. The items are the arms, or the rows of another
table with the same columns. The design comes with a certificate.`,
		Example: `  purexp design compounds.csv --arm compound --features mass --categories ring
  purexp design compounds.csv --features mass --categories ring --pulls 96
  purexp design plates.csv --features mass --categories ring --items library.csv
  purexp design compounds.csv --categories ring --for means --format csv`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, a []string) error {
			switch {
			case len(features)+len(categories) == 0:
				return usage("--features is missing; name the columns of " +
					"numbers that describe the arms, separated by commas, and others in --categories")
			case aim != "differences" && aim != "means":
				return usage("--for is %q; expected differences or means", aim)
			case cmd.Flags().Changed("pulls") && pulls < 1:
				return usage("--pulls is %d; expected at least 1", pulls)
			}
			t, err := planned(a[0], items, arm, aim, pulls, features, categories)
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), format.show(t))
			return nil
		},
	}
	cmd.Flags().StringSliceVar(&features, "features", nil, "columns of numbers that describe the arms")
	cmd.Flags().StringSliceVar(&categories, "categories", nil, "columns of which each value counts for itself")
	cmd.Flags().StringVar(&arm, "arm", "", "column with the names of the arms")
	cmd.Flags().StringVar(&items, "items", "", "table of the items asked about, if they are not the arms")
	cmd.Flags().StringVar(&aim, "for", "differences", "what is to be known: differences or means")
	cmd.Flags().IntVar(&pulls, "pulls", 0, "number of measurements; shares only, if missing")
	formatFlag(cmd, &format)
	return cmd
}

// planned returns the table of a design for the arms of a file.
func planned(path, items, arm, aim string, pulls int, features, categories []string) (*tidy.Table, error) {
	df, err := frame.ReadCSV(path)
	if err != nil {
		return nil, err
	}
	names, err := armNames(df, arm, path)
	if err != nil {
		return nil, err
	}
	x, z, _, err := featuresOf(df, items, features, categories)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	c, err := criterion(x, z, aim)
	if err != nil {
		return nil, err
	}
	d, err := c.Solve(nil)
	if d == nil {
		return nil, err
	}
	t := &tidy.Table{
		Title:   "Design for " + aim,
		Columns: []tidy.Column{{Name: "arm"}, {Name: "share", Unit: "%"}},
		Notes: []string{
			fmt.Sprintf("%d arms in use of %d; the features have rank %d.", len(d.Support()), c.K(), c.Rank()),
			fmt.Sprintf("Largest variance: %.4g sigma^2/N after N measurements of standard "+
				"deviation sigma. No design is below %.4g.", d.Value, d.Lower),
		},
	}
	var counts []int
	if pulls > 0 {
		a, err := design.Round(c, d.Weights, pulls, design.Best)
		if err != nil {
			return nil, err
		}
		counts = a.Counts
		t.Columns = append(t.Columns, tidy.Column{Name: "measurements"})
		t.Notes = append(t.Notes, fmt.Sprintf("In whole measurements the largest variance is %.3g times that of the "+
			"shares.", a.Ratio))
	}
	for i, w := range d.Weights {
		if w == 0 && (counts == nil || counts[i] == 0) {
			continue
		}
		row := []any{names[i], fmt.Sprintf("%.2f", 100*w)}
		if counts != nil {
			row = append(row, counts[i])
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// armNames returns the column arm, or numbers of rows.
func armNames(df dataframe.DataFrame, arm, path string) ([]string, error) {
	if arm == "" {
		names := make([]string, df.Nrow())
		for i := range names {
			names[i] = fmt.Sprintf("row %d", i+1)
		}
		return names, nil
	}
	if !slices.Contains(df.Names(), arm) {
		return nil, fmt.Errorf("%s: no column %q; there are %q", path, arm, df.Names())
	}
	return df.Col(arm).Records(), nil
}

// featuresOf returns the features of the arms, and of the items if they have a
// file.
func featuresOf(df dataframe.DataFrame, items string,
	features, categories []string) (x, z *mat.Dense, names []string, err error) {
	if items == "" {
		x, names, err = dataset.Features(df, features, categories)
		return x, nil, names, err
	}
	other, err := frame.ReadCSV(items)
	if err != nil {
		return nil, nil, nil, err
	}
	return dataset.ItemFeatures(df, other, features, categories)
}

// criterion returns what the design is for. The means of items that are not arms
// are directions of their own.
func criterion(x, z *mat.Dense, aim string) (design.Criterion, error) {
	switch {
	case aim == "differences":
		return design.NewPairs(x, z)
	case z != nil:
		return design.NewXY(x, z)
	}
	return design.NewG(x)
}
