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
		Short: "Plan how often to measure each row of a table",
		Long: `Design reads a table with a row for each arm, and prints the share of measurements that each arm
should get, to estimate a linear model of the features as precisely as possible. With --for
differences (the default) it minimises the largest variance of a difference between two items
(XY-optimal); with --for means, the largest variance of an item's mean (G-optimal). Features are
columns of numbers. Categories are columns of codes or texts; each value gets a coefficient of
its own. The items are the arms, or the rows of another table with the same columns. The output
includes a bound on the distance from the optimum.`,
		Example: `  purexp design compounds.csv --arm compound --features mass --categories ring
  purexp design compounds.csv --features mass --categories ring --pulls 96
  purexp design plates.csv --features mass --categories ring --items library.csv
  purexp design compounds.csv --categories ring --for means --format csv`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, a []string) error {
			switch {
			case len(features)+len(categories) == 0:
				return usage("--features and --categories are missing; name columns of numbers in --features, or " +
					"columns of texts in --categories, separated by commas")
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
	cmd.Flags().StringSliceVar(&categories, "categories", nil, "columns of categories, one coefficient per value")
	cmd.Flags().StringVar(&arm, "arm", "", "column with the names of the arms")
	cmd.Flags().StringVar(&items, "items", "", "table of the items, if they are not the arms")
	cmd.Flags().StringVar(&aim, "for", "differences", "what the design estimates most precisely: differences or means")
	cmd.Flags().IntVar(&pulls, "pulls", 0, "number of measurements (default: print shares only)")
	formatFlag(cmd, &format)
	return cmd
}

// planned computes the design for the arms of a file and returns the design as a table.
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
			fmt.Sprintf("%d of %d arms are measured; the features have rank %d.", len(d.Support()), c.K(), c.Rank()),
			fmt.Sprintf("Largest variance: %.4g sigma^2/N after N measurements with standard deviation sigma. No "+
				"design has a smaller value than %.4g.", d.Value, d.Lower),
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
		t.Notes = append(t.Notes, fmt.Sprintf("After rounding, the largest variance is %.3g times the value for the "+
			"exact weights.", a.Ratio))
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

// armNames returns the values of the column called arm, or "row 1", "row 2" and so on if arm is
// empty.
func armNames(df dataframe.DataFrame, arm, path string) ([]string, error) {
	if arm == "" {
		names := make([]string, df.Nrow())
		for i := range names {
			names[i] = fmt.Sprintf("row %d", i+1)
		}
		return names, nil
	}
	if !slices.Contains(df.Names(), arm) {
		return nil, fmt.Errorf("%s: no column %q; the columns are %q", path, arm, df.Names())
	}
	return df.Col(arm).Records(), nil
}

// featuresOf returns the features of the arms and, if a separate file describes the items, the
// features of the items.
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

// criterion returns the design criterion: NewPairs for differences of items; for means, NewXY if
// the items differ from the arms, and otherwise NewG.
func criterion(x, z *mat.Dense, aim string) (design.Criterion, error) {
	switch {
	case aim == "differences":
		return design.NewPairs(x, z)
	case z != nil:
		return design.NewXY(x, z)
	}
	return design.NewG(x)
}
