package main

import (
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
}
