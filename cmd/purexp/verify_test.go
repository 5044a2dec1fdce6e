package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// onlyTrials replaces all studies by two replicates of the experiment of the clinical trials, because purexp
// reproduce has no flag for replicates.
func onlyTrials(t *testing.T) study.Study {
	t.Helper()
	light(t)
	e, err := named("ecape")
	if err != nil {
		t.Fatal(err)
	}
	grid := e.Grid
	e.Name = "ecape/clinical-trials"
	e.Grid = func(o study.Options) (*mc.Grid, error) {
		o.Reps = 2
		g, err := grid(o)
		if err == nil {
			g.Study = e.Name
		}
		return g, err
	}
	studies = append(studies, e)
	return e
}

// Published rows can be verified, reported by the name of the study, and simulated again. Messages list the rows
// that differ, and --publish replaces them.
func TestPublished(t *testing.T) {
	e := onlyTrials(t)
	dir, results := t.TempDir(), t.TempDir()
	t.Setenv("PUREXP_RESULTS", results)
	must := func(code int, says string, args ...string) {
		t.Helper()
		out, errs, got := purexp(t, dir, args...)
		if got != code || !strings.Contains(out+errs, says) {
			t.Fatalf("purexp %v: exit code %d; want %d and %q\n%s%s", args, got, code, says, out, errs)
		}
	}
	must(exitFailure, "no published rows", "verify", "--quiet")
	must(exitFailure, "no published rows", "report", "ecape/clinical-trials")
	must(exitOK, "no published rows for a comparison", "reproduce")
	must(exitOK, "published in", "reproduce", "--publish")
	must(exitOK, "ecape/clinical-trials: the rows are the same as the published rows", "reproduce", "ecape")
	must(exitOK, "compared 30 of 30 rows; all are the same", "verify", "--all", "--quiet")
	// An interrupted comparison reports its progress, and has exit code 130.
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out, errs bytes.Buffer
	want := regexp.MustCompile(`^purexp: interrupted after 0 of \d+ published rows; until then, 0 of 1 experiments differed from this code: interrupted\n$`)
	if code := run(ctx, []string{"verify", "--all", "--quiet"}, &out, &errs); code != exitInterrupted || out.String() != "" || !want.MatchString(errs.String()) {
		t.Errorf("%d, %s%s; want %v", code, &out, &errs, want)
	}
	must(exitOK, "drawn with --seed 3", "verify", "ecape", "--share", "50%", "--seed", "3")
	drawn := map[string]bool{} // each call draws a different seed
	for range 3 {
		out, errs, _ := purexp(t, dir, "verify", "ecape", "--share", "50%", "--quiet")
		drawn[regexp.MustCompile(`drawn with --seed [1-9][0-9]*`).FindString(out+errs)] = true
	}
	must(exitOK, "compared 16 of 30 published rows, drawn with --seed 3,", "verify", "ecape", "--share", "50%", "--seed", "3")
	if len(drawn) != 3 || drawn[""] { // equal draws have probability 3e-6
		t.Errorf("three samples are %v", drawn)
	}
	must(exitOK, "150 mg", "report", "ecape/clinical-trials")
	must(exitOK, "Claims", "claims", "ecape")

	// The published rows have a different pull limit, so verify fails until reproduce --publish replaces them.
	other := filepath.Join(dir, "other.jsonl")
	g, err := e.Grid(study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g.MaxPulls = 10
	if err := g.Stream(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(results, "ecape-clinical-trials.jsonl.zst")
	if err := mc.Pack(other, path); err != nil {
		t.Fatal(err)
	}
	must(exitFailure, "maxPulls", "verify", "--quiet")
	must(exitFailure, "differ from the published rows", "reproduce")
	must(exitOK, "published in", "reproduce", "--publish")
	must(exitOK, "30 of 30 rows", "verify", "--share", "1")
	if files, _ := os.ReadDir(results); len(files) != 1 {
		t.Errorf("%d files of published rows; want 1", len(files))
	}
	// If one of two experiments differs, the command fails.
	two := e
	two.Name = "ecape/nobody-published"
	studies = append(studies, two)
	must(exitFailure, "of 1 of 2 experiments cannot be read, or differ from", "verify", "--quiet")
	studies = studies[:len(studies)-1]
	for _, share := range []string{"0", "101%", "-1%", "all", "NaN"} {
		must(exitUsage, "--share", "verify", "--share", share)
	}
	must(exitUsage, "unknown study", "verify", "nothing")
	part := e
	part.Name = "other/part" // like the questions of the arena, the experiment has no separate file
	studies = append(studies, part)
	must(exitUsage, "in the file of other", "verify", "ecape", "other/part")
	must(exitUsage, "exclude one another", "verify", "--all", "--share", "5%")
	if err := os.Truncate(path, 1000); err != nil {
		t.Fatal(err)
	}
	// A damaged file is named, and the comparison continues.
	must(exitFailure, "decompression failed", "verify", "--quiet")
	must(exitFailure, "compared 0 of 0", "verify", "--quiet")
}
