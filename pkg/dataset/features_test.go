package dataset_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/tidy"
)

const compounds = "compound,ring,mass,activity\n" +
	"a,phenyl,1.5,2\nb,pyridyl,2.5,3\nc,phenyl,3.5,4\nd,pyridyl,4.5,5.5\n"

func TestFeatures(t *testing.T) {
	df, err := tidy.ParseCSV(strings.NewReader(compounds), "compounds.csv")
	if err != nil {
		t.Fatal(err)
	}
	x, names, err := dataset.Features(df, "ring", "mass")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"1", "ring = phenyl", "ring = pyridyl", "mass"}; !slices.Equal(names,
		want) {
		t.Errorf("%q; want %q", names, want)
	}
	for i, want := range [][]float64{{1, 1, 0, 1.5}, {1, 0, 1, 2.5}, {1, 1, 0, 3.5},
		{1, 0, 1, 4.5}} {
		if got := x.RawRowView(i); !slices.Equal(got, want) {
			t.Errorf("row %d: %v; want %v", i, got, want)
		}
	}
	for _, c := range []struct{ text, column, want string }{
		{compounds, "colour", `no column "colour"`},
		{"c,v\na,1\nb,\n", "v", "row 2"},
		{"c,v\na,x\nb,\n", "v", "row 2"},
	} {
		df, err := tidy.ParseCSV(strings.NewReader(c.text), "t.csv")
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := dataset.Features(df, c.column); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %q", c.text, err, c.want)
		}
	}
}

// Items with a value that no arm has get a feature that no arm has: they cannot be
// predicted, and a policy says so.
func TestItemFeatures(t *testing.T) {
	parse := func(text string) dataframe.DataFrame {
		df, err := tidy.ParseCSV(strings.NewReader(text), "t.csv")
		if err != nil {
			t.Fatal(err)
		}
		return df
	}
	arms, items := parse(compounds), parse("name,ring,mass\nx,furyl,1.5\ny,phenyl,9\n")
	x, z, names, err := dataset.ItemFeatures(arms, items, "ring", "mass")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"1", "ring = phenyl", "ring = pyridyl", "ring = furyl",
		"mass"}; !slices.Equal(names, want) {
		t.Errorf("%q; want %q", names, want)
	}
	if !slices.Equal(x.RawRowView(3), []float64{1, 0, 1, 0, 4.5}) ||
		!slices.Equal(z.RawRowView(0), []float64{1, 0, 0, 1, 1.5}) ||
		!slices.Equal(z.RawRowView(1), []float64{1, 1, 0, 0, 9}) {
		t.Errorf("arms %v, items %v", x, z)
	}
	if _, _, _, err := dataset.ItemFeatures(arms, parse("ring,mass\n1,2\n"), "ring"); err == nil ||
		!strings.Contains(err.Error(), `"ring" is text in one`) {
		t.Errorf("types: %v", err)
	}
	if _, _, _, err := dataset.ItemFeatures(arms, parse("ring\nfuryl\n"), "ring",
		"mass"); err == nil || !strings.Contains(err.Error(), "table of items") {
		t.Errorf("columns: %v", err)
	}
}
