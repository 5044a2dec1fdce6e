package dataset_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/dataset/frame"
)

const compounds = "compound,ring,mass,activity\na,phenyl,1.5,2\nb,pyridyl,2.5,3\nc,phenyl,3.5,4\nd,pyridyl,4.5,5.5\n"

func TestFeatures(t *testing.T) {
	df, err := frame.ParseCSV(strings.NewReader(compounds), "compounds.csv")
	if err != nil {
		t.Fatal(err)
	}
	x, names, err := dataset.Features(df, []string{"mass"}, []string{"ring"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"1", "mass", "ring = phenyl", "ring = pyridyl"}; !slices.Equal(names, want) {
		t.Errorf("%q; want %q", names, want)
	}
	for i, want := range [][]float64{{1, 1.5, 1, 0}, {1, 2.5, 0, 1}, {1, 3.5, 1, 0}, {1, 4.5, 0, 1}} {
		if got := x.RawRowView(i); !slices.Equal(got, want) {
			t.Errorf("row %d: %v; want %v", i, got, want)
		}
	}
	for _, c := range []struct {
		text, number, category, want string
	}{
		{compounds, "colour", "ring", `no column "colour"`},
		{compounds, "mass", "colour", `no column "colour"`},
		{compounds, "mass", "mass", `"mass" is listed twice`},
		{compounds, "mass", "ring mass", `"mass" is listed twice`},
		{"c,v\na,1\nb,\n", "v", "c", `row 2, column "v"`},
		{"c,v\na,1\n,2\n", "v", "c", `row 2, column "c": missing`},
	} {
		_, _, err := dataset.Features(parsed(c.text), []string{c.number}, strings.Fields(c.category))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %q", c.text, err, c.want)
		}
	}
}

// An error names an invalid cell in a column of numbers; the cell does not turn the column into categories.
func TestFeaturesBadCell(t *testing.T) {
	for _, cell := range []string{` 10`, `3O`, `"0,5"`, `40%`, `1e400`, `n/a`, `true`, `0x10`, `-`, `007`} {
		text := "arm,mass\na,1\nb,2\nc," + cell + "\nd,4\n"
		df, err := frame.ParseCSV(strings.NewReader(text), "t.csv")
		if err != nil {
			t.Fatal(err)
		}
		want := `row 3, column "mass": "` + strings.Trim(cell, `"`) + `" is not a finite number`
		if cell == "007" { // a code in a column of numbers is read as 7
			want = ""
		}
		_, _, err = dataset.Features(df, []string{"mass"}, nil)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("features: %v; want %q", err, want)
		}
		_, names, err := dataset.Features(df, nil, []string{"mass"})
		if err != nil || len(names) != 5 {
			t.Errorf("declared as a category: %q, %v", names, err)
		}
	}
	for _, cell := range []string{"Inf", "-Inf", "NaN"} {
		if _, _, err := dataset.Features(parsed("mass\n"+cell+"\n1\n"), []string{"mass"}, nil); err == nil {
			t.Errorf("%s was taken", cell)
		}
		df := dataframe.New(series.New([]string{cell, "1"}, series.Float, "mass"))
		if _, _, err := dataset.Features(df, []string{"mass"}, nil); err == nil {
			t.Errorf("%s in a frame was taken", cell)
		}
	}
	twice := dataset.Columns{Objectives: []string{"mass", "mass"}}
	if _, _, _, err := twice.Means(parsed("mass\n1\n")); err == nil ||
		!strings.Contains(err.Error(), `"mass" twice`) {
		t.Errorf("an objective twice: %v", err)
	}
	if _, _, err := dataset.Features(parsed("on\ntrue\nfalse\n"), []string{"on"}, nil); err == nil {
		t.Error("true and false were taken for numbers")
	}
}

// Numeric codes are categories if their column is declared as a category column.
func TestFeaturesCodes(t *testing.T) {
	x, names, err := dataset.Features(parsed("plate\n1\n2\n1\n"), nil, []string{"plate"})
	if err != nil || !slices.Equal(names, []string{"1", "plate = 1", "plate = 2"}) ||
		!slices.Equal(x.RawRowView(2), []float64{1, 1, 0}) {
		t.Errorf("%q, %v, %v", names, x, err)
	}
}

// Items with a value that no arm has get a feature that is 0 for all arms. Measurements of the arms
// cannot predict the means of these items.
func TestItemFeatures(t *testing.T) {
	parse := func(text string) dataframe.DataFrame {
		df, err := frame.ParseCSV(strings.NewReader(text), "t.csv")
		if err != nil {
			t.Fatal(err)
		}
		return df
	}
	arms, items := parse(compounds), parse("name,ring,mass\nx,furyl,1.5\ny,phenyl,9\n")
	x, z, names, err := dataset.ItemFeatures(arms, items, []string{"mass"}, []string{"ring"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"1", "mass", "ring = phenyl", "ring = pyridyl", "ring = furyl"}; !slices.Equal(names, want) {
		t.Errorf("%q; want %q", names, want)
	}
	if !slices.Equal(x.RawRowView(3), []float64{1, 4.5, 0, 1, 0}) ||
		!slices.Equal(z.RawRowView(0), []float64{1, 1.5, 0, 0, 1}) ||
		!slices.Equal(z.RawRowView(1), []float64{1, 9, 1, 0, 0}) {
		t.Errorf("arms %v, items %v", x, z)
	}
	if _, _, _, err := dataset.ItemFeatures(arms, parse("ring,mass\n1,heavy\n"),
		[]string{"mass"}, []string{"ring"}); err == nil || !strings.Contains(err.Error(), `"heavy"`) ||
		!strings.Contains(err.Error(), "table of items") {
		t.Errorf("types: %v", err)
	}
	if _, _, _, err := dataset.ItemFeatures(arms, parse("ring\nfuryl\n"), []string{"mass"},
		[]string{"ring"}); err == nil || !strings.Contains(err.Error(), "table of items") {
		t.Errorf("columns: %v", err)
	}
}
