package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

// bench is a problem with twelve catalysts and two objectives, yield and impurity.
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
			r.Plates.Median.Value, r.Days.Median.Value, r.Wrong, r.Runs, r.GaveUp, r.Bound.Measurements)
		if r.ErrorLo > .05 {
			t.Errorf("%s %s: %d of %d wrong", r.Change, r.Method, r.Wrong, r.Runs)
		}
		if b := r.Bound.Measurements; b > r.Measurements.Median.Value {
			t.Errorf("%s %s: median %v is below what is possible, %v", r.Change, r.Method, r.Measurements.Median.Value, b)
		}
	}
	if _, err := json.Marshal(p); err != nil {
		t.Error(err)
	}
}

// many is a problem with one objective and k candidates.
func many(t testing.TB, k int, find string) *problem.Problem {
	text := fmt.Sprintf(`
question = { find = %q, delta = 0.05 }
candidates = { file = "c.csv" }
laboratory = { plate = 8 }

[[objective]]
name = "yield"
noise = { sd = 2.0 }
tolerance = 4
guess = "yield"
`, find)
	table := "catalyst,yield\n"
	for i := range k {
		table += fmt.Sprintf("C%d,%v\n", i+1, 40+i*7%k)
	}
	p, err := problem.Parse("p.toml", []byte(text), func(string) ([]byte, error) {
		return []byte(table), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A row that reaches its work limit ends after one block, and the plan has a warning. The completed runs equal the
// runs of a plan without a limit.
func TestWork(t *testing.T) {
	o := &Options{Runs: 60, Work: 1, Changes: []Change{}}
	short, err := Simulate(t.Context(), bench(t), o)
	if err != nil {
		t.Fatal(err)
	}
	done, total := 0, 0
	o.Work, o.Progress = -1, func(d, n int) {
		if d != done+1 {
			t.Errorf("%d runs are done after %d", d, done)
		}
		done, total = d, n
	}
	all, err := Simulate(t.Context(), bench(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if done != total || total != 60*len(all.Rows) || len(all.Rows) != 3 {
		t.Errorf("%d of %d runs of %d rows", done, total, len(all.Rows))
	}
	o.Time, o.Progress = time.Hour, nil
	timely, err := Simulate(t.Context(), bench(t), o)
	if err != nil || !reflect.DeepEqual(timely, all) {
		t.Errorf("a time that does not bind makes %v, %v; want %v", timely, err, all)
	}
	o.Time = 1
	late, err := Simulate(t.Context(), bench(t), o)
	if err != nil || late.Rows[0].Runs > 0 || !strings.Contains(late.Rows[0].Hopeless, "Not simulated, because the time") {
		t.Errorf("without time: %+v, %v", late, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o.Time, o.Progress = 0, func(int, int) { cancel() }
	part, err := Simulate(ctx, bench(t), o)
	if !errors.Is(err, context.Canceled) || part == nil || len(part.Rows) != 3 {
		t.Errorf("a plan that is interrupted: %v, %v; want its rows", part, err)
	}
	for i, r := range short.Rows {
		if r.Runs != block || all.Rows[i].Runs != 60 {
			t.Errorf("%s: %d and %d runs", r.Method, r.Runs, all.Rows[i].Runs)
		}
		for j, run := range r.Sample {
			if run.Measurements != all.Rows[i].Sample[j].Measurements {
				t.Errorf("%s: run %d differs", r.Method, j)
			}
		}
	}
	warned := func(p *Plan) bool { return strings.Contains(strings.Join(p.Warnings, "\n"), "fewer than 60 runs") }
	if !warned(short) || warned(all) {
		t.Errorf("warnings %q, %q", short.Warnings, all.Warnings)
	}
}

// With many candidates, slow methods are compared only on request.
func TestSlow(t *testing.T) {
	for _, name := range proportions {
		if !slices.ContainsFunc(policy.Catalogue(), func(new func() explore.Describer) bool {
			card := new().Card()
			return card.Name == name
		}) {
			t.Errorf("there is no %s", name)
		}
	}
	names := func(k int, methods []string) (list []string) {
		s, err := newStudy(many(t, k, "good"), &Options{Methods: methods, Changes: []Change{}})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range s.cells {
			list = append(list, x.row.Method)
		}
		return list
	}
	for _, x := range []struct {
		k             int
		methods, want []string
	}{
		{mostSlow, nil, []string{"Betting all epsilon-best", "(ST)^2", "LinFACT"}},
		{mostSlow + 1, nil, []string{"Betting all epsilon-best", "(ST)^2", "EAST"}},
		{mostSlow + 1, []string{"LinFACT"}, []string{"LinFACT"}},
	} {
		if got := names(x.k, x.methods); !slices.Equal(got, x.want) {
			t.Errorf("%d candidates: %q; want %q", x.k, got, x.want)
		}
	}
}
