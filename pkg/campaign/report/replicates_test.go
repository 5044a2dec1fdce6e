package report_test

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/report"
)

// The standard deviations of replicates agree with values computed by hand.
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
	near("scatter of a", a.Scatter[0], math.Sqrt(10./3)) // (1 + 1 + 4 + 4)/3
	near("scatter of b", b.Scatter[0], math.Sqrt(8))     // 4 + 4
	near("scatter", r.Scatter.SD[0], math.Sqrt(18./4))
	if r.Scatter.Freedom != 4 || !math.IsNaN(x.Scatter[0]) {
		t.Errorf("%+v", r.Scatter)
	}
	if _, err := c.Tell([]campaign.Result{{ID: "mean", Arm: "c", Values: []float64{60}, N: 5}}, "Ada"); err != nil {
		t.Fatal(err)
	}
	if r, err = report.NewViewer(c).Report(); err != nil || r.Scatter.Freedom != 4 || r.Replicates[2].N != 5 {
		t.Errorf("with a summary: %+v, %v", r, err) // the scatter of a summary is unknown
	}
	var page bytes.Buffer
	if err := r.HTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Replicates of yield scatter with a standard deviation of 2.121 %; " +
		"declared: has a noise standard deviation of at most 2 %.", "4 degrees of freedom", "size: A4"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
}
