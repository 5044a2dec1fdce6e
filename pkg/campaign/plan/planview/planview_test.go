package planview

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

const text = `title = "Two of three"
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
guess = "impurity"
[laboratory]
plate = 4
`

const table = "catalyst,yield,impurity\nA,50,2\nB,55,3\nC,45,3\nD,30,1\n"

// planned plans the little problem with one text in place of another.
func planned(t *testing.T, old, with string) *plan.Plan {
	t.Helper()
	p, err := problem.Parse("p.toml", []byte(strings.Replace(text, old, with, 1)),
		func(string) ([]byte, error) { return []byte(table), nil })
	if err != nil {
		t.Fatal(err)
	}
	r, err := plan.Simulate(context.Background(), p, &plan.Options{Runs: 40})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTables(t *testing.T) {
	p := planned(t, "", "")
	main := Table(p).Text()
	for _, want := range []string{"as asked", "e-cAPE", "delta = 0.1", "plate = 16",
		"yield.at_least = 39", "If the guesses are right, the answer is A, B.", "of 40, ≤"} {
		if !strings.Contains(main, want) {
			t.Errorf("the table lacks %q:\n%s", want, main)
		}
	}
	effort := Effort(p)
	if len(effort.Rows) != 4 || effort.Rows[3][5] != "yield >= 40 %" {
		t.Errorf("D is outside of its bound:\n%s", effort.Text())
	}
}

func TestHopeless(t *testing.T) {
	p := planned(t, "at_least = 40", "at_least = 55")
	main := Table(p).Text()
	if !strings.Contains(main, "Hopeless as it is asked: under the guesses two candidates tie, or "+
		"one is on a bound") || !strings.Contains(main, "not simulated") {
		t.Error(main)
	}
	q := *p
	q.Rows = p.Rows[:1]
	if _, err := Figure(&q); !errors.Is(err, ErrNothing) {
		t.Errorf("figure of nothing: %v", err)
	}
	if n := Effort(p).Notes; len(n) != 1 || n[0] != "Nothing was simulated." {
		t.Errorf("effort of nothing: %q", n)
	}
}

func TestFigures(t *testing.T) {
	p := planned(t, "", "")
	f, err := Figure(p)
	if err != nil {
		t.Fatal(err)
	}
	var svg bytes.Buffer
	if err := f.SVG(&svg); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"e-cAPE", "plate = 16"} {
		if !strings.Contains(f.Alt(), want) {
			t.Errorf("the figure's words lack %q: %s", want, f.Alt())
		}
	}
	if x := f.Panels[1].X.Label.Text; x != "measurements (plates of 4)" {
		t.Errorf("x axis: %q", x)
	}
	if name := os.Getenv("PLANVIEW_PNG"); name != "" {
		if err := f.WriteFile(name); err != nil {
			t.Error(err)
		}
	}
	if _, err := EffortFigure(p); err != nil {
		t.Error(err)
	}
}
