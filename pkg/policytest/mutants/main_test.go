package main

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

func planted(t *testing.T) (root string, faults []*fault) {
	t.Helper()
	root, err := module()
	if err == nil {
		faults, err = read(lists)
	}
	if err != nil {
		t.Fatal(err)
	}
	return root, faults
}

// Every fault can be planted: its file has the text that it replaces, once, and its tests exist.
func TestFaultsApply(t *testing.T) {
	root, faults := planted(t)
	for _, f := range faults {
		b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.file)))
		if err != nil {
			t.Errorf("%s: fault %q: %v", f.source, f.name, err)
			continue
		}
		if _, err := replace(string(b), f.old, f.new); err != nil {
			t.Errorf("%s: fault %q: %s %v", f.source, f.name, f.file, err)
		}
		for _, s := range f.tests {
			for _, dir := range s.packages() {
				tests, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir),
					"*_test.go"))
				if err != nil || len(tests) == 0 {
					t.Errorf("%s: fault %q: %s has no tests", f.source, f.name, dir)
				}
			}
			if len(s.packages()) == 0 {
				t.Errorf("%s: fault %q: tests %s: no package ./...", f.source, f.name, s)
			}
		}
	}
}

func TestReplace(t *testing.T) {
	const src = "package p\n\n// f adds.\nfunc f(a, b int) int {\n\treturn add(\n\t\ta, // " +
		"one\n\t\tb,\n\t) + g()\n}\n"
	for _, c := range []struct{ old, new, want, err string }{
		{"add(a, b)", "add(a, a)", "return add(a, a) + g()", ""},
		{"add (\na,b )\n", "0", "return 0 + g()", ""},
		{"+ g()", "", "\t) \n}", ""},
		{"return add(a, b,", "return add(b, a,", "add(b, a,\n\t) + g()", ""},
		{"int", "uint", "", "more than one"},
		{"sub(a, b)", "0", "", "has no"},
		{"b + g()", "0", "", "has no"},
		{"add(a, b)", "add(\na,\nb,\n)", "", "stays as it is"},
		{"", "0", "", "nothing to replace"},
	} {
		got, err := replace(src, c.old, c.new)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: %v, not an error with %q", c.old, err, c.err)
			}
		} else if err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%q: %v\n%s", c.old, err, got)
		}
	}
}

// Every package of mathematics and of policies has faults; the others have those of gremlins.
func TestEveryKernelHasFaults(t *testing.T) {
	root, faults := planted(t)
	has := map[string]bool{}
	for _, f := range faults {
		has[f.pkg()] = true
	}
	for _, pattern := range []string{"pkg/*", "pkg/policy/internal/*", "pkg/question/*"} {
		dirs, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			rel, err := filepath.Rel(root, dir)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.ToSlash(rel)
			files, err := filepath.Glob(filepath.Join(dir, "*.go"))
			if err != nil {
				t.Fatal(err)
			}
			switch path.Base(name) {
			case "policytest", "armstest", "tables", "internal":
				continue // tests themselves, generated tables
			case "campaign", "dataset", "fig", "live", "nb", "sweep", "wire":
				continue // no mathematics
			}
			if len(files) > 0 && !has[name] {
				t.Errorf("%s has no planted fault", name)
			}
		}
	}
}

// The report names what survived and what ran into the limit, and counts the rest.
func TestReport(t *testing.T) {
	var b bytes.Buffer
	report(&b, []result{
		{Fault: "lived", Package: "a", File: "a/a.go", Outcome: survived},
		{Fault: "endless", Package: "a", File: "a/b.go", Outcome: timedOut},
		{Fault: "dead", Package: "b", File: "b/b.go", Outcome: died},
	})
	for _, want := range []string{"survived: lived (a/a.go)\n", "timed out: endless (a/b.go)\n", "| a | 2 | 0 | 1 | 1 |", "| all | 3 | 1 | 1 | 1 |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	if strings.Contains(b.String(), "dead") {
		t.Errorf("a fault that died is named in\n%s", &b)
	}
}
