package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without --truth, the guesses of a problem are the true means. --output writes the text that is otherwise
// printed, and replaces an existing file.
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

// Without flags, results fail and are late as often as the problem declares.
func TestSimulateDeclared(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{{"problem", "new", "--example", "chemistry"},
		{"campaign", "new", "chemistry.toml", "--worksheet", "plate.csv"}} {
		if out, errs, code := purexp(t, dir, args...); code != exitOK {
			t.Fatalf("%q: code %d, %s%s", args, code, out, errs)
		}
	}
	path := filepath.Join(dir, "chemistry.toml")
	text, err := os.ReadFile(path)
	text = []byte(strings.Replace(string(text), "failures = 0.05", "late = 0.6\nfailures = 0.1", 1))
	if err := errors.Join(err, os.WriteFile(path, text, 0o666)); err != nil {
		t.Fatal(err)
	}
	declared, errs, code := purexp(t, dir, "simulate", "chemistry.toml", "plate.csv")
	want, _, _ := purexp(t, dir, "simulate", "chemistry.toml", "plate.csv", "--late", "0.6", "--failures", "0.1")
	if code != exitOK || declared != want {
		t.Errorf("code %d, %s: %s; want %s", code, errs, declared, want)
	}
}

// An invalid fraction is rejected, and the error names its flag.
func TestSimulateFractions(t *testing.T) {
	for _, flag := range []string{"failures", "late", "missing"} {
		for _, x := range []string{"1", "-0.1", "NaN"} {
			_, errs, code := purexp(t, t.TempDir(), "simulate", "p.toml", "w.csv", "--"+flag+"="+x)
			if code != exitUsage || !strings.Contains(errs, "--"+flag+" is "+x+"; expected a fraction") {
				t.Errorf("--%s %s: code %d, %s", flag, x, code, errs)
			}
		}
	}
}
