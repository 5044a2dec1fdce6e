package report_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/report"
	"github.com/purexp/purexp/pkg/explore"
)

// begin creates a campaign of the problem toml.
func begin(t testing.TB, toml string) *campaign.Campaign {
	t.Helper()
	p, err := problem.Parse("p.toml", []byte(toml), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "it's.campaign"), p, "ada")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

const two = `
title = "Catalysts <1>"
[question]
find = "pareto"
delta = 0.05
[candidates]
names = ["Pd", "Ni", "<i>Cu</i>"]
[[objective]]
name = "yield"
unit = "%"
values = [0, 100]
at_least = 50
noise = { sd = 2 }
[[objective]]
name = "waste"
goal = "minimise"
noise = { range = [0, 10] }
`

const one = `
[question]
find = "best"
delta = 0.05
[candidates]
names = ["Pd", "Ni"]
join = true
[[objective]]
name = "waste"
goal = "minimise"
noise = { sd = 1 }
[method]
name = "UGapE"
`

func told(t testing.TB, c *campaign.Campaign, arm string, values ...float64) {
	t.Helper()
	_, err := c.Tell([]campaign.Result{{ID: fmt.Sprint(arm, values), Arm: arm, Values: values}}, "ada")
	if err != nil {
		t.Fatal(err)
	}
}

func TestView(t *testing.T) {
	c := begin(t, two)
	l := report.NewViewer(c)
	told(t, c, "Ni", 70, 3)
	tickets, err := c.Ask(2, "robot")
	if err != nil || len(tickets) == 0 {
		t.Fatal(tickets, err)
	}
	v, err := l.View()
	if err != nil {
		t.Fatal(err)
	}
	if p, err := c.Problem(); err != nil || v.Question != p.Words() {
		t.Errorf("the question is %q, %v", v.Question, err)
	}
	ni := v.Arms[1]
	if ni.Estimate[0] != 70 || ni.Estimate[1] != 3 || !(ni.Low[0] < 70 && 70 < ni.High[0]) {
		t.Errorf("Ni: %v, from %v to %v", ni.Estimate[0], ni.Low[0], ni.High[0])
	}
	if !math.IsNaN(v.Arms[0].Estimate[0]) {
		t.Errorf("Pd has an estimate without a measurement")
	}
	if len(v.Tickets) != len(tickets) || v.Pending != len(tickets) || v.Tickets[0].Who != "robot" {
		t.Errorf("pending: %+v", v.Tickets)
	}
	for i, want := range []string{"has a noise standard deviation of at most 2 %", "between 0 and 10"} {
		if !strings.Contains(v.Columns[i].Noise, want) {
			t.Errorf("noise: %q; want %q", v.Columns[i].Noise, want)
		}
	}
	f, err := v.Plane(0, 1, report.Narrow)
	if err != nil || !strings.Contains(f.SVG, `width="330pt"`) || !strings.HasPrefix(f.SVG, "<svg") ||
		!strings.Contains(f.Alt, "Ni") || strings.Contains(f.Alt, "Pd") {
		t.Errorf("%v, %q", err, f.Alt)
	}
	for _, axes := range [][2]int{{0, 0}, {-1, 0}, {0, 2}} {
		if _, err := v.Plane(axes[0], axes[1], report.Wide); err == nil {
			t.Errorf("axes %v are drawn", axes)
		}
	}
	if r, err := l.Report(); err != nil || !r.At.Equal(r.Record[len(r.Record)-1].Time()) || r.At.Equal(r.Record[0].Time()) {
		t.Errorf("the report is of %v, %v; the record is %+v", r.At, err, r.Record)
	}
}

// Intervals use the pilot's upper bound on the standard deviation. Before the pilot ends, intervals are empty,
// because the unit of rewards is not the scale of the noise.
func TestPilotIntervals(t *testing.T) {
	c := begin(t, strings.Replace(one, "noise = { sd = 1 }",
		"values = [0, 100]\nnoise = { pilot = { rewards = 4, delta = 0.01 } }", 1))
	for round, x := range []float64{49, 51, 48, 52} {
		told(t, c, "Pd", x)
		told(t, c, "Ni", x+10)
		v, err := report.NewViewer(c).View()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.Plane(0, 0, report.Wide); err != nil {
			t.Error(err)
		}
		text := report.Table(&v.Status).Text()
		width := v.Arms[0].High[0] - v.Arms[0].Low[0]
		switch {
		case round < 3:
			if !math.IsNaN(width) || strings.Contains(text, "NaN") {
				t.Errorf("an interval before the end of the pilot: %v\n%s", width, text)
			}
		// 6 degrees of freedom and a sum of squares of 2 × (1 + 1 + 4 + 4) = 20 give the bound sqrt(20/0.872) = 4.79.
		// Here, 0.872 is the 1 % quantile of chi-square. The half-width must be between 1.5 and 3.5 times the bound.
		case !(width > 2*1.5*4.79 && width < 2*3.5*4.79):
			t.Errorf("an interval of width %v after the pilot", width)
		}
	}
}

func ExampleViewer() {
	p, err := problem.Parse("p.toml", []byte(one), nil)
	if err != nil {
		panic(err)
	}
	dir, remove := scratch()
	defer remove()
	c, err := campaign.Create(filepath.Join(dir, "duel.campaign"), p, "ada")
	if err != nil {
		panic(err)
	}
	defer c.Close()
	v, err := report.NewViewer(c).View()
	if err != nil {
		panic(err)
	}
	fmt.Println(v.Question)
	fmt.Println(v.Headline)
	// Output:
	// Of 2 candidates, find the best by waste (lower is better). The answer is wrong with probability at most 0.05.
	// Started: 2 candidates, nothing measured yet.
}

// Write a report as one HTML file that needs no other files.
func ExampleReport_HTML() {
	p, err := problem.Parse("p.toml", []byte(one), nil)
	if err != nil {
		panic(err)
	}
	dir, remove := scratch()
	defer remove()
	c, err := campaign.Create(filepath.Join(dir, "duel.campaign"), p, "ada")
	if err != nil {
		panic(err)
	}
	defer c.Close()
	r, err := report.NewViewer(c).Report()
	if err != nil {
		panic(err)
	}
	var page strings.Builder
	if err := r.HTML(&page); err != nil {
		panic(err)
	}
	fmt.Println(strings.HasPrefix(page.String(), "<!doctype html>"), strings.Contains(page.String(), r.Hash))
	// Output: true true
}

// Foremost lists candidates in the answer first, then undecided candidates, then candidates with the most results.
func TestForemost(t *testing.T) {
	arms := make([]campaign.ArmStatus, 100)
	for i := range arms {
		arms[i] = campaign.ArmStatus{Arm: fmt.Sprint(i), Class: explore.Dominated, Used: i}
	}
	arms[5].Chosen, arms[7].Class = true, explore.Undecided
	for i, want := range []int{5, 7, 99, 98} {
		if got := report.Foremost(arms, 4)[i].Used; got != want {
			t.Errorf("%d at %d; want %d", got, i, want)
		}
	}
}
