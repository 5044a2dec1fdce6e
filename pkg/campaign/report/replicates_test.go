package report_test

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/report"
)

// The scatter of results is that of textbooks, and what a model predicts of a candidate that nobody
// measured is the line through the means of the others, with the interval of that combination.
func TestReplicates(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`
[question]
find = "best"
delta = 0.05
[candidates]
file = "t.csv"
features = ["heat"]
[[objective]]
name = "yield"
unit = "%"
noise = { sd = 2 }
[method]
confirm = false
`), func(string) ([]byte, error) { return []byte("candidate,heat\na,0\nb,1000\nc,3000\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "p.campaign"), p, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := report.NewViewer(c).Report()
	if err != nil || r.Scatter.Freedom != 0 || !math.IsNaN(r.Scatter.SD[0]) {
		t.Fatalf("%+v, %v", r.Scatter, err)
	}
	for i, x := range []float64{41, 39, 42, 38, 50, 54} {
		arm := "a"
		if i > 3 {
			arm = "b"
		}
		_, err := c.Tell([]campaign.Result{{ID: fmt.Sprint(i), Arm: arm, Values: []float64{x}}}, "Ada")
		if err != nil {
			t.Fatal(err)
		}
	}
	if r, err = report.NewViewer(c).Report(); err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v; want %v", what, got, want)
		}
	}
	a, b, x := r.Replicates[0], r.Replicates[1], r.Replicates[2]
	near("scatter of a", a.Scatter[0], math.Sqrt(10./3)) // squares 1 + 1 + 4 + 4
	near("scatter of b", b.Scatter[0], math.Sqrt(8))     // 4 + 4
	near("scatter", r.Scatter.SD[0], math.Sqrt(18./4))
	if r.Scatter.Freedom != 4 || r.Scatter.Model != "heat" || !math.IsNaN(x.Scatter[0]) {
		t.Errorf("%+v", r.Scatter)
	}
	// Means 40 and 52 at 0 and 1000: 76 at 3000, as 3 b - 2 a.
	near("a by the model", a.Predicted[0], 40)
	near("c by the model", x.Predicted[0], 76)
	near("its lower end", x.Low[0], 3*r.Arms[1].Low[0]-2*r.Arms[0].High[0])
	near("its upper end", x.High[0], 3*r.Arms[1].High[0]-2*r.Arms[0].Low[0])
	var page bytes.Buffer
	if err := r.HTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Replicates of yield scatter with a standard deviation of 2.121 %; " +
		"declared: Gaussian, standard deviation 2 %.", `data-label="model">76 <span`, "linear in heat",
		"4 degrees of freedom", "size: A4"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
}

// A candidate whose features are no combination of measured ones has no prediction, and campaigns
// without features have none at all.
func TestNoPrediction(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(settings), func(string) ([]byte, error) {
		return []byte("candidate,solvent\na,water\nb,oil\nc,oil\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "p.campaign"), p, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	told(t, c, "b", 7)
	r, err := report.NewViewer(c).Report()
	if err != nil {
		t.Fatal(err)
	}
	x := r.Replicates
	if !math.IsNaN(x[0].Predicted[0]) || math.Abs(x[2].Predicted[0]-7) > 1e-9 {
		t.Errorf("%+v", x)
	}
	if r, err = report.NewViewer(begin(t, one)).Report(); err != nil || r.Replicates[0].Predicted != nil ||
		r.Scatter.Model != "" {
		t.Errorf("%+v, %v", r.Replicates, err)
	}
}

const settings = `
[question]
find = "best"
delta = 0.05
[candidates]
file = "t.csv"
categories = ["solvent"]
[[objective]]
name = "yield"
noise = { sd = 2 }
`

// The unit is that of results: where they are counts, and what scatters are rates, there is none.
func TestUnitOfScatter(t *testing.T) {
	r := report.Report{View: report.View{Columns: []report.Column{
		{Name: "yield", Unit: "%", Measured: true, Noise: "Gaussian"},
		{Name: "responses", Unit: "patients", Measured: true, Trials: 12, Noise: "successes of 12"},
		{Name: "cost", Unit: "EUR"}}},
		Scatter: &report.Scatter{SD: []float64{2, .25, math.NaN()}}}
	want := []string{"Replicates of yield scatter with a standard deviation of 2 %; declared: Gaussian.",
		"Replicates of responses scatter with a standard deviation of 0.25; declared: successes of 12."}
	if got := r.Assumed(); !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
}

// Each objective that is measured has its own scatter and its own prediction, whatever the signs and sizes of features; one that is known has neither.
func TestReplicatesByObjective(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`
question = { find = "pareto", delta = 0.05 }
method = { name = "Betting Pareto" }
candidates = { file = "t.csv", features = ["cold", "one"] }
[[objective]]
name = "price"
goal = "minimise"
known = true
[[objective]]
name = "yield"
noise = { sd = 2 }
[[objective]]
name = "waste"
goal = "minimise"
noise = { sd = 0.5 }
`), func(string) ([]byte, error) {
		return []byte("candidate,cold,one,price\na,0,0.001,5\nb,-1000,0.001,6\nc,-3000,0.001,7\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "p.campaign"), p, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i, x := range [][]float64{{41, 3}, {39, 5}, {50, 1}, {54, 2}, {55, 3}} {
		if _, err := c.Tell([]campaign.Result{{ID: fmt.Sprint(i), Arm: "aabbb"[i : i+1], Values: x}}, "Ada"); err != nil {
			t.Fatal(err)
		}
	}
	r, err := report.NewViewer(c).Report()
	if err != nil || r.Scatter.Model != "cold and one" {
		t.Fatalf("%+v, %v", r.Scatter, err)
	}
	a, b := r.Arms[0], r.Arms[1]
	for j, want := range [][]float64{{math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()},
		{math.Sqrt2, math.Sqrt(7), math.Sqrt(16. / 3), 40, 79, 3*b.Low[1] - 2*a.High[1], 3*b.High[1] - 2*a.Low[1]},
		{math.Sqrt2, 1, math.Sqrt(4. / 3), 4, -2, 3*b.Low[2] - 2*a.High[2], 3*b.High[2] - 2*a.Low[2]}} {
		is, of := r.Replicates, r.Replicates[2]
		got := []float64{is[0].Scatter[j], is[1].Scatter[j], r.Scatter.SD[j], is[0].Predicted[j], of.Predicted[j], of.Low[j], of.High[j]}
		for i := range got {
			if math.Abs(got[i]-want[i]) > 1e-9 || math.IsNaN(got[i]) != math.IsNaN(want[i]) {
				t.Errorf("%s: %v; want %v", r.Columns[j].Name, got, want)
				break
			}
		}
	}
	if r.Scatter.Freedom != 3 || r.Replicates[0].N != 2 || r.Replicates[1].N != 3 || r.Replicates[2].N != 0 || !math.IsNaN(r.Replicates[2].Scatter[1]) {
		t.Errorf("%+v, %+v", r.Scatter, r.Replicates)
	}
}

// Results that are all the same do not scatter, whatever the rounding errors of their sums.
func TestNoScatter(t *testing.T) {
	c := begin(t, strings.Replace(one, "sd = 1", "sd = 0.3", 1))
	for k := range 7 {
		for arm, x := range map[string]float64{"Pd": .1, "Ni": 78.3} {
			if _, err := c.Tell([]campaign.Result{{ID: fmt.Sprint(arm, k), Arm: arm, Values: []float64{x}}}, "Ada"); err != nil {
				t.Fatal(err)
			}
		}
		r, err := report.NewViewer(c).Report()
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range r.Replicates {
			if s := x.Scatter[0]; k > 0 && !(s >= 0 && s < 1e-5) || k == 0 && !math.IsNaN(s) {
				t.Errorf("%d equal results of %s scatter by %v", x.N, x.Arm, s)
			}
		}
		if s := r.Scatter.SD[0]; k > 0 && !(s >= 0 && s < 1e-5) || k == 0 && !math.IsNaN(s) {
			t.Errorf("%d equal results of each scatter by %v", k+1, s)
		}
	}
}
