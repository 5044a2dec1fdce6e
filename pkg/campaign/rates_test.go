package campaign

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// trial is a problem with three doses in cohorts of twelve patients; its amounts are rates.
func trial(t testing.TB, more string) *problem.Problem {
	t.Helper()
	text := `question = {find = "best", delta = 0.1}
candidates = {names = ["low", "middle", "high"]}
[[objective]]
name = "responses"
amounts = "rates"
noise = { counts = 12, of = "patients" }
[[objective]]
name = "toxicity"
goal = "bounded"
amounts = "rates"
at_most = 0.4
noise = { counts = 12, of = "patients" }
`
	p, err := problem.Parse("trial.toml", []byte(strings.ReplaceAll(text, ` }
`, more+` }
`)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// If amounts are rates, all reported means are rates, even though results are counts. Headlines contain the number of
// patients beside the number of measurements.
func TestRates(t *testing.T) {
	p := trial(t, "")
	p.Method.Name = "e-cAPE"
	c := beginWith(t, p)
	var results []Result
	for i, x := range ask(t, c, 6) {
		results = append(results, Result{Ticket: x.Ticket, Values: []float64{float64(3 + i), 1}})
	}
	tell(t, c, results...)
	s := status(t, c)
	if s.Trials != 72 || s.Called != "patients" || !strings.HasPrefix(s.Headline, "Running: 6 measurements (72 patients), ") {
		t.Errorf("%d %s: %s", s.Trials, s.Called, s.Headline)
	}
	if s.Objectives[0] != "responses [rate]" {
		t.Error(s.Objectives)
	}
	sum := 0.
	for _, a := range s.Arms {
		sum += a.Estimate[0] * float64(a.Trials)
		for k := range a.Estimate {
			if !(0 <= a.Low[k] && a.Low[k] < a.Estimate[k] && a.Estimate[k] < a.High[k] && a.High[k] <= 1) {
				t.Errorf("%s: %v in [%v, %v]", a.Arm, a.Estimate[k], a.Low[k], a.High[k])
			}
		}
	}
	if want := 3. + 4 + 5 + 6 + 7 + 8; sum < want-1e-9 || sum > want+1e-9 {
		t.Errorf("%v responded; want %v", sum, want)
	}
	text, err := json.Marshal(s)
	if err != nil || !strings.Contains(string(text), "toxicity \\u003c= 0.4") || strings.Contains(string(text), "4.8") {
		t.Errorf("%s, %v", text, err)
	}
	if _, err := c.Tell([]Result{{ID: "x", Arm: "low", Values: []float64{13, 0}}}, "Ada"); err == nil ||
		!strings.Contains(err.Error(), "13 is outside 0 to 12") {
		t.Errorf("results are counts: %v", err)
	}
	verified(t, c)
}
