package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Run with a folder measures a plate at a time by files; flags and placeholders that are about one
// measurement are wrong there, before anything is asked.
func TestCampaignRunFolder(t *testing.T) {
	dir := platesAt(t)
	for _, x := range []struct{ flag, value, want string }{
		{"--exec", "cp {sheet} {arm}", "{arm}: no such placeholder"},
		{"--jobs", "2", "--jobs is for commands that make one measurement"},
		{"--plate", "-1", "--plate and --timeout are positive"},
	} {
		_, errs, code := purexp(t, dir, "campaign", "run", "--folder", "f", x.flag, x.value)
		if code != exitUsage || !strings.Contains(errs, x.want) {
			t.Errorf("%s %s: %d, %s", x.flag, x.value, code, errs)
		}
	}
	command := "sh -c 'sed \"s/A07,,/A07,60,/;s/B02,,/B02,80,/;s/C11,,/C11,70,/\" \"$1\" > \"$2\"' " +
		"sh {sheet} {results}"
	out := works(t, dir, "run", "--folder", "f", "--exec", command, "--as", "robot")
	if !strings.HasPrefix(out, "Finished after ") || !strings.Contains(out, "A07, B02.") {
		t.Error(out)
	}
	b, err := os.ReadFile(filepath.Join(dir, "f", "plate-1.csv"))
	if err != nil || strings.Count(string(b), "\n") != 4 {
		t.Errorf("the first worksheet, of a plate of 3: %s %v", b, err)
	}
	if history := works(t, dir, "history"); strings.Count(history, "  robot  ") < 2 {
		t.Errorf("robot did not do it:\n%s", history)
	}
	// Plates may have another size than the problem says.
	dir = platesAt(t)
	works(t, dir, "run", "--folder", "f", "--exec", command, "--plate", "2")
	if b, err := os.ReadFile(filepath.Join(dir, "f", "plate-1.csv")); err != nil || strings.Count(string(b), "\n") != 3 {
		t.Errorf("the first worksheet, of a plate of 2: %s %v", b, err)
	}
}

// An interrupt of a run says how far it came and how to go on, by the exit code, too; one measurement is told with the names of
// its values.
func TestCampaignRunInterrupted(t *testing.T) {
	dir := platesAt(t)
	if _, errs, code := purexp(t, dir, "campaign", "run", "--exec", "echo 60", "--limit", "2", "--as", "robot"); code != exitOK ||
		errs != "ticket 1: A07 yield=60\nticket 2: B02 yield=60\n" {
		t.Errorf("%d, %q", code, errs)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, how := range [][]string{{"--exec", "echo 60"}, {"--folder", "f"}} {
		var out, errs bytes.Buffer
		code := run(ctx, append([]string{"campaign", "run"}, how...), &out, &errs)
		if code != exitInterrupted || !strings.Contains(errs.String(), "interrupted after 0 measurements; the same command goes on\n") || out.String() != "" {
			t.Errorf("%q: %d, %q, %q", how, code, &out, &errs)
		}
	}
}
