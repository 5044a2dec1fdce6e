package plan

import (
	"context"
	"strings"
	"testing"
)

// Filled plates have no free well, so measurements come in whole plates. The longest runs need fewer plates than
// without fill. The error rate stays at most delta. A change of fill acts like fill in the problem itself.
func TestFilledPlates(t *testing.T) {
	p := bench(t)
	p.Laboratory.Plate, p.Laboratory.Failures = 24, 0
	p.Objectives[0].Tolerance, p.Objectives[1].Tolerance = 4, 1
	p.Objectives[0].Slack, p.Objectives[1].Slack = 2, .5
	p.Method.Name = "e-cAPE"
	o := &Options{Runs: 100, Methods: []string{"e-cAPE", "Betting feasible Pareto"},
		Changes: []Change{{Field: "fill", Value: 1}}}
	made, err := Simulate(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	bare, full := made.Rows[0], made.Rows[2]
	for _, run := range full.Sample {
		if run.Measurements%24 != 0 {
			t.Fatalf("%d measurements; want full plates of 24", run.Measurements)
		}
	}
	if full.Plates.Most.Value >= bare.Plates.Most.Value || full.ErrorLo > .05 {
		t.Errorf("%+v plates, %d wrong; without %+v", full.Plates, full.Wrong, bare.Plates)
	}
	p.Laboratory.Fill, o.Changes = true, nil
	again, err := Simulate(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := again.Rows[0].Measurements, full.Measurements; a != b {
		t.Errorf("%v measurements with fill in the problem; want %v", a, b)
	}
	for _, run := range again.Rows[1].Sample { // while a round waits for results, announced measurements fill plates
		if run.Measurements%24 != 0 {
			t.Fatalf("%s: %d measurements; want full plates of 24", again.Rows[1].Method, run.Measurements)
		}
	}
}

func TestFillChange(t *testing.T) {
	for text, want := range map[string]Change{"fill=true": {Field: "fill", Value: 1}, "fill = false": {Field: "fill"}} {
		if c, err := ParseChange(text); err != nil || c != want {
			t.Errorf("%s: %+v, %v", text, c, err)
		}
	}
	if _, err := ParseChange("fill=1"); err == nil || !strings.Contains(err.Error(), "true nor false") {
		t.Error(err)
	}
}
