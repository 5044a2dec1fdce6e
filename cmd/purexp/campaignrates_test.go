package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A trial with cohorts: a result is told by hand, with how many patients could be evaluated, and all is in rates.
func TestCampaignRates(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"trial.toml", "trial.csv"} {
		text, err := examples.ReadFile("examples/" + name)
		if err != nil {
			t.Fatal(err)
		}
		text = []byte(strings.ReplaceAll(string(text), `of = "patients"`, `of = "patients", evaluable = "evaluable"`))
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	works(t, dir, "new", "trial.toml")
	if out := works(t, dir, "ask", "--plate", "5"); !strings.HasPrefix(out, "plate,ticket,candidate,responses,toxicity,evaluable,note,campaign\n") {
		t.Error(out)
	}
	works(t, dir, "tell", "--ticket", "1", "responses=4", "toxicity=1", "evaluable=10")
	works(t, dir, "tell", "--ticket", "2", "responses=6", "toxicity=3")
	out := works(t, dir, "status")
	for _, want := range []string{"2 measurements (22 patients)", "responses [rate]", "0.4 [", "0.5 [", "0.1 [", "0.25 ["} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if out, errs, code := purexp(t, dir, "campaign", "tell", "--ticket", "3", "responses=4", "toxicity=1", "evaluable=all"); code == exitOK ||
		!strings.Contains(errs, "evaluable: ") {
		t.Error(out, errs, code)
	}
	if out, _, _ := purexp(t, dir, "plan", "trial.toml", "--runs", "20", "--no-changes", "--quiet"); !strings.Contains(out, "patients (median)") ||
		!strings.Contains(out, "A measurement consists of 12 patients.") {
		t.Error(out)
	}
}
