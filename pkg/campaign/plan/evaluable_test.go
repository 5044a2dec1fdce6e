package plan

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// If some patients may not be evaluable, the method learns from single patients, but a plan still counts cohorts.
func TestEvaluable(t *testing.T) {
	median := map[string]float64{}
	for _, more := range []string{"", `, evaluable = "n"`} {
		p, err := problem.Parse("doses.toml", []byte(fmt.Sprintf(`question = {find = "best", delta = 0.1}
candidates = {file = "doses.csv"}
method = {name = "e-cAPE"}
[[objective]]
name = "responses"
amounts = "rates"
guess = "responses"
noise = { counts = 12, of = "patients"%[1]s }
[[objective]]
name = "toxicity"
goal = "bounded"
amounts = "rates"
at_most = 0.4
guess = "toxicity"
noise = { counts = 12, of = "patients"%[1]s }
`, more)), func(string) ([]byte, error) {
			return []byte("dose,responses,toxicity\nlow,0.2,0.05\nmiddle,0.6,0.1\nhigh,0.8,0.8\n"), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		made, err := Simulate(context.Background(), p, &Options{Runs: 100, Seed: 1, Changes: []Change{},
			Methods: []string{"e-cAPE"}})
		if err != nil {
			t.Fatal(err)
		}
		r := &made.Rows[0]
		if r.Wrong > 3 || r.GaveUp > 0 || made.Trials != 12 || made.Called != "patients" || made.Means[1][0] != .6 {
			t.Errorf("%+v", made)
		}
		median[more] = r.Measurements.Median.Value
		// A forecast after three cohorts also counts cohorts.
		c := compiled(t, p)
		var told []explore.Batch
		for arm, values := range [][]float64{{2, 1}, {7, 1}, {10, 10}} {
			b, err := c.Batch(arm, values)
			if err != nil {
				t.Fatal(err)
			}
			told = append(told, b)
		}
		f, err := Remaining(context.Background(), c, told, nil, &Options{Runs: 40, Seed: 1})
		if left := f.Measurements.Median.Value; err != nil || f.GaveUp > 0 || !(left < median[more]+3 && left > 1) {
			t.Errorf("%v cohorts are left of %v; %v", left, median[more], err)
		}
		for _, run := range r.Sample {
			sum := 0
			for _, n := range run.Arms {
				sum += n
			}
			if sum != run.Measurements {
				t.Fatalf("%+v", run)
			}
		}
	}
	if a, b := median[""], median[`, evaluable = "n"`]; math.Abs(math.Log(a/b)) > math.Log(1.25) {
		t.Errorf("%v cohorts, and %v with evaluable patients reported", a, b)
	}
}
