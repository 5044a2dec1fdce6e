package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// bench is the problem of the chemist: twelve catalysts, yield and impurity.
func bench(t testing.TB) *problem.Problem {
	text := `
[question]
find = "pareto"
delta = 0.05

[candidates]
file = "c.csv"

[[objective]]
name = "yield"
unit = "%"
noise = { sd = 2.0 }
at_least = 40
guess = "yield"

[[objective]]
name = "impurity"
unit = "%"
goal = "minimise"
noise = { sd = 0.5 }
at_most = 4
guess = "impurity"

[laboratory]
plate = 8
days = 0.5
failures = 0.05
`
	table := "catalyst,yield,impurity\n"
	for i := range 12 {
		table += fmt.Sprintf("C%02d,%v,%v\n", i+1, 35+3*i, 1+.5*float64(i*7%12))
	}
	p, err := problem.Parse("p.toml", []byte(text), func(string) ([]byte, error) {
		return []byte(table), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestBench(t *testing.T) {
	p, err := Simulate(context.Background(), bench(t), &Options{Runs: 60})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range p.Rows {
		t.Logf("%-24s %-14s %8.0f %8.0f %6.0f %6.1f %d/%d given up %d, at least %.0f", r.Change,
			r.Method, r.Measurements.Median.Value, r.Measurements.Most.Value,
			r.Plates.Median.Value, r.Days.Median.Value, r.Wrong, r.Runs, r.GaveUp,
			r.Bound.Measurements)
		if r.ErrorLo > .05 {
			t.Errorf("%s %s: %d of %d wrong", r.Change, r.Method, r.Wrong, r.Runs)
		}
		if b := r.Bound.Measurements; b > r.Measurements.Median.Value {
			t.Errorf("%s %s: median %v is below what is possible, %v", r.Change, r.Method,
				r.Measurements.Median.Value, b)
		}
	}
	if _, err := json.Marshal(p); err != nil {
		t.Error(err)
	}
}
