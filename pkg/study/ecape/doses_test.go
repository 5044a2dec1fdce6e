package ecape

import (
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/studytest"
)

// Each place of the map is the trial with the rates that it says, and no others: at the published
// ones, the instance of section 5.
func TestDoseInstances(t *testing.T) {
	published, err := instance(Published)
	if err != nil {
		t.Fatal(err)
	}
	at := dose{.469, .388, .39}
	inst, err := Doses.Named(at.String())
	if err != nil {
		t.Fatal(err)
	}
	for i := range inst.Problem.K() {
		for c, v := range inst.Truth().RawRowView(i) {
			if want := published.Truth().At(i, c); v < want-.0005 || v > want+.0005 {
				t.Errorf("%v: rate %d of %s is %v; want %v", at, c, inst.Problem.Arm(i), v, want)
			}
		}
	}
	for i := range Doses.Sizes {
		d := doseAt(i)
		inst, err := Doses.At(i, 0)
		if err != nil {
			t.Fatal(err)
		}
		mu := inst.Truth()
		truth := inst.Problem.Question.(question.FeasiblePareto).Truth(mu)
		if mu.At(arm75, 0) != d.efficacy75 || mu.At(arm75, 1) != d.safety75 ||
			mu.At(arm300, 1) != d.safety300 {
			t.Errorf("%v: 75 mg at %v, 300 mg at %v", d, mu.RawRowView(arm75),
				mu.RawRowView(arm300))
		}
		// 150 mg has an efficacy of .465: what the paper says of 75 mg, it says of one that is
		// below.
		if truth.SubOpt[arm75] != (d.efficacy75 < .465) {
			t.Errorf("%v: 75 mg dominated: %v", d, truth.SubOpt[arm75])
		}
	}
}

func doseAt(place int) dose {
	efficacy75, safety75, safety300 := DoseMap.At(place)
	return dose{efficacy75, safety75, safety300}
}

func TestDoseVerdict(t *testing.T) {
	at := func(x, spread float64) studytest.Make {
		return studytest.Pulls(spread, map[string]float64{ECAPE + " " + Printed: 1000 * x})
	}
	studytest.Verdicts(t, Doses, map[string]studytest.Sides{
		"A": {Agrees: at(.3, .1), Differs: at(.8, .1), Unclear: at(.5, .3)},
	})
}

// The map shows who needs the fewest pulls, and the table with how many.
func TestDoseMap(t *testing.T) {
	e := Doses
	made := func(m study.Method, size int) studytest.Made {
		pulls := map[string]float64{ECAPE: 1000, TwoStage: 2000, Racing: 1500,
			Uniform: 3000}[m.Name]
		switch d := doseAt(size); {
		case d.efficacy75 == .42 && m.Name == TwoStage:
			pulls = 20_000
		case d.efficacy75 == .469 && m.Name == Racing:
			pulls = 500
		}
		return studytest.Made{Pulls: pulls, Reps: 3}
	}
	r := e.Results(studytest.Rows(e, made))
	f, err := DoseMap.Figure(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"0.469: e-cAPE needs the fewest, MD-APT+APE at least 10 times as many: 0 tiles; e-cAPE " +
			"needs the fewest: 0 tiles; e-cAPE needs fewer than MD-APT+APE, but more than Racing " +
			"or Uniform: 20 tiles",
		"0.455: e-cAPE needs the fewest, MD-APT+APE at least 10 times as many: 0 tiles; e-cAPE " +
			"needs the fewest: 20 tiles",
		"0.420: e-cAPE needs the fewest, MD-APT+APE at least 10 times as many: 20 tiles",
	} {
		if !strings.Contains(f.Description, want) {
			t.Errorf("%q does not say %q", f.Description, want)
		}
	}
	table := DoseMap.Table(r)
	if n := len(table.Rows); n != len(Doses.Sizes) || table.Rows[0][8] != Racing ||
		table.Rows[n-1][7] != "20.00" ||
		table.Rows[n-1][8] != ECAPE {
		t.Errorf("%d rows, from %v to %v", n, table.Rows[0], table.Rows[n-1])
	}
	few := e.Results([]mc.Row{r.Rows[0]})
	if _, err := DoseMap.Figure(few); err == nil || !strings.Contains(err.Error(), "75 mg at") {
		t.Errorf("a map without runs: %v", err)
	}
	if n := len(DoseMap.Table(few).Rows); n != 0 {
		t.Errorf("a table of %d rows without runs", n)
	}
}

// One replicate of a few places, all the way to the report.
func TestDoseRuns(t *testing.T) {
	e := Doses
	rows := simulate(t, e, 1, 1)
	ts, err := e.Results(rows).Tables()
	if err != nil || len(ts) != 2 {
		t.Fatalf("%d tables, %v", len(ts), err)
	}
	fs, err := e.Results(rows).Figures()
	if err != nil || len(fs) != 1 {
		t.Errorf("%d figures, %v", len(fs), err)
	}
	for _, r := range rows {
		if r.Status != "stopped" {
			t.Errorf("%s, %s: %s", r.Instance, r.Method, r.Status)
		}
	}
}
