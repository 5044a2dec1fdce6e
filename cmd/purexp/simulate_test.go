package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without a truth the guesses of a problem are taken for it: each example can be tried out with two commands. What is
// written into a file is what is printed, and takes the place of what was there.
func TestSimulate(t *testing.T) {
	for _, name := range exampleNames {
		dir := t.TempDir()
		for _, args := range [][]string{{"problem", "new", "--example", name},
			{"campaign", "new", name + ".toml", "--worksheet", "plate.csv"},
			{"simulate", name + ".toml", "plate.csv", "--failures", "0", "-o", "results.csv"},
			{"campaign", "tell", "results.csv"}} {
			if out, errs, code := purexp(t, dir, args...); code != exitOK {
				t.Fatalf("%q: code %d, %s%s", args, code, out, errs)
			}
		}
		printed, _, _ := purexp(t, dir, "simulate", name+".toml", "plate.csv", "--failures", "0")
		other, _, _ := purexp(t, dir, "simulate", name+".toml", "plate.csv", "--failures", "0", "--seed", "2")
		written, err := os.ReadFile(filepath.Join(dir, "results.csv"))
		if err != nil || string(written) != printed || printed == other {
			t.Errorf("%v: %s\n%s\n%s", err, written, printed, other)
		}
		_, errs, code := purexp(t, dir, "simulate", name+".toml", "plate.csv", "--seed", "3", "-o", "results.csv")
		if again, err := os.ReadFile(filepath.Join(dir, "results.csv")); code != exitOK || err != nil ||
			string(again) == string(written) {
			t.Errorf("code %d, %v, %s: the file is as it was", code, err, errs)
		}
	}
}

// The laboratory of the problem fails as often as it says, and flags say otherwise.
func TestSimulateLaboratory(t *testing.T) {
	dir := platesAt(t)
	works(t, dir, "ask", "--plate", "3", "--output", "plate.csv")
	put(t, dir, "truth.csv", "candidate,yield\nA07,50\nB02,60\nC11,70\n")
	put(t, dir, "wrong.csv", "candidate,yield\nA07,50\n")
	put(t, dir, "failing.toml", plates+"failures = 0.9\n")
	simulate := func(args ...string) string {
		out, errs, _ := purexp(t, dir, append([]string{"simulate"}, args...)...)
		return out + errs
	}
	if out := simulate("failing.toml", "plate.csv", "--truth", "truth.csv"); !strings.Contains(out, "failed") {
		t.Error(out)
	}
	if out := simulate("failing.toml", "plate.csv", "--truth", "truth.csv", "--failures", "0"); strings.Contains(out, "failed") {
		t.Error(out)
	}
	// What is late and what fails are apart, in the problem and in flags.
	put(t, dir, "late.toml", plates+"failures = 0\nlate = 0.5\n")
	truth := []string{"plate.csv", "--truth", "truth.csv"}
	if out := simulate(append([]string{"failing.toml", "--late", "0"}, truth...)...); !strings.Contains(out, "failed") {
		t.Errorf("--late 0 of what fails:\n%s", out)
	}
	some := false
	for seed := range 20 {
		args := append([]string{"late.toml", "--seed", fmt.Sprint(seed)}, truth...)
		out := simulate(args...)
		some = some || len(out) < len(simulate(append(args, "--late", "0")...))
		if strings.Contains(out, "failed") {
			t.Error(out)
		}
	}
	if !some {
		t.Error("nothing is late")
	}
	for want, args := range map[string][]string{
		"want a problem and a worksheet":                           {"plates.toml"},
		"--late is 1; want a fraction":                             {"plates.toml", "plate.csv", "--late", "1"},
		"nobody guesses the means of yield; give":                  {"plates.toml", "plate.csv"},
		`wrong.csv: column "candidate": there is no row for "B02"`: {"plates.toml", "plate.csv", "--truth", "wrong.csv"},
		"there are chemist, engineer, statistician":                {"--example", "physicist"},
	} {
		if out := simulate(args...); !strings.Contains(out, want) {
			t.Errorf("%q: %s; want %s", args, out, want)
		}
	}
}

// Fractions that are none are refused, each by its name.
func TestSimulateFractions(t *testing.T) {
	for _, flag := range []string{"failures", "late", "missing"} {
		for _, x := range []string{"1", "-0.1", "NaN"} {
			_, errs, code := purexp(t, t.TempDir(), "simulate", "p.toml", "w.csv", "--"+flag+"="+x)
			if code != exitUsage || !strings.Contains(errs, "--"+flag+" is "+x+"; want a fraction") {
				t.Errorf("--%s %s: code %d, %s", flag, x, code, errs)
			}
		}
	}
}
