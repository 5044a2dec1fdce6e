package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ownModule creates a module with a policy; its go.mod requires purexp, and a replace directive names this copy.
func ownModule(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go .*$`).Find(mod)
	// need lists the modules that "go mod tidy" would require for the policy; the arena needs further modules.
	need := bytes.Join(regexp.MustCompile(`(?m)^\s(gonum.org/v1/gonum|golang.org/x/text) \S+`).
		FindAll(mod, -1), []byte("\n"))
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": fmt.Sprintf("module example.org/lab\n\n%s\n\nrequire github.com/purexp/purexp "+
			"v0.0.0\n\nrequire (\n%s\n)\n\nreplace github.com/purexp/purexp => %s\n", version,
			need, root),
		"mine/mine.go": `// Package mine has a policy.
package mine

import "github.com/purexp/purexp/pkg/policy"

// New returns it.
func New(delta float64) *policy.LinFACT { return &policy.LinFACT{Delta: delta} }
`,
		"none/none.go":   "package none\n",
		"wrong/wrong.go": "package wrong\n\nfunc New(delta float64) int { return 0 }\n",
		"main/main.go":   "package main\n\nfunc main() {}\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// The new module gets a copy of the go.sum of this module, which has more lines than necessary.
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// One command prints the row of a policy in a module of its own, and changes no file of that module.
func TestArena(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := ownModule(t)
	t.Chdir(dir)
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-buildvcs=false")
	before, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"arena", "--policy", "./mine", "--reps", "1"}, &out, &errs); code != exitOK {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	row := regexp.MustCompile(`(?m)^.*\bmine\b.*\b12 of 12\b.*$`).FindString(out.String())
	if row == "" || !strings.Contains(out.String(), "LinFACT-MIS") || strings.Contains(out.String(), "e-cAPE") {
		t.Errorf("%s\nwant the row of mine in the table for all epsilon-best alone", out.String())
	}
	if after, err := os.ReadFile("go.mod"); err != nil || !bytes.Equal(before, after) {
		t.Errorf("go.mod was changed to %s, %v", after, err)
	}
	entries, err := os.ReadDir(".")
	if err != nil || len(entries) != 6 {
		t.Errorf("%v, %v; want the files that were there", entries, err)
	}
	for want, line := range map[string][]string{
		"give exactly one":   {"arena"},
		"expected one of":    {"arena", "--policy", "./mine", "--question", "worst"},
		"at least 1":         {"arena", "--policy", "./mine", "--reps", "0"},
		"mine.New":           {"arena", "--policy", "./none"},
		"does not satisfy":   {"arena", "--policy", "./wrong"},
		"package of its own": {"arena", "--policy", "./main"},
		"go list":            {"arena", "--policy", "./nowhere"},
		"Init of your policy returns an error for every instance": {"arena", "--policy", "./mine", "--question", "Pareto set"},
	} {
		var out, errs bytes.Buffer
		if code := run(context.Background(), line, &out, &errs); code == exitOK || !strings.Contains(errs.String(), want) {
			t.Errorf("%v: exit code %d, %q; want an error that says %q", line, code, errs.String(), want)
		}
	}
}
