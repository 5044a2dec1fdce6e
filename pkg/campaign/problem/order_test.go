package problem_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// The set of offered methods does not depend on the order of objectives.
func TestOrderOfObjectives(t *testing.T) {
	noises := []string{"sd = 1.0", "range = [0, 100]", "counts = 12", "range = [0, 200]"}
	methods := func(find string, noises ...string) (names []string) {
		text := fmt.Sprintf("[question]\nfind = %q\ndelta = 0.1\n[candidates]\nnames = [\"a\", \"b\", \"c\"]\n", find)
		for i, noise := range noises {
			text += fmt.Sprintf("[[objective]]\nname = \"y%d\"\nnoise = { %s }\nvalues = [0, 100]\nat_least = 3\n", i, noise)
		}
		p, err := problem.Parse("p.toml", []byte(text), nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return slices.Sorted(slices.Values(p.Methods()))
	}
	some := 0
	for _, find := range []string{"pareto", "feasible"} {
		for i, a := range noises {
			for _, b := range noises[:i] {
				one, two := methods(find, a, b), methods(find, b, a)
				if !slices.Equal(one, two) {
					t.Errorf("%s with %s and %s: %q; in the other order %q", find, a, b, one, two)
				}
				some += len(one)
			}
		}
	}
	if some == 0 {
		t.Error("no method can be trusted")
	}
}

// If rewards are single trials, a known value counts once per evaluable trial, even in a measurement with trials
// that are not evaluable.
func TestKnownBesideTrials(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`[question]
find = "pareto"
delta = 0.1
[candidates]
file = "c.csv"
[[objective]]
name = "response"
noise = { counts = 12, evaluable = "left", of = "patients" }
amounts = "rates"
[[objective]]
name = "price"
goal = "minimise"
known = true
`), func(string) ([]byte, error) { return []byte("name,price\na,3\nb,7\nc,5\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 7, 12} {
		sum, got, err := c.Learn(nil, 1, []float64{1}, n, 0)
		if err != nil || got != n || sum[1] != float64(n)*c.Scales[1].In(7) {
			t.Errorf("%d evaluable patients: %v of %d, %v; want %v", n, sum, got, err, float64(n)*c.Scales[1].In(7))
		}
		if s := c.Squares(sum, n); math.Abs(s[1]-float64(n)*math.Pow(c.Scales[1].In(7), 2)) > 1e-9 || n > 1 && s[0] != float64(n) {
			t.Errorf("%d evaluable patients: squares %v", n, s)
		}
	}
	for _, n := range []int{-1, 13} {
		if _, _, err := c.Learn(nil, 1, []float64{1}, n, 0); err == nil {
			t.Errorf("%d of 12 patients", n)
		}
	}
}

// A table that is too large is rejected, not truncated.
func TestTablesAreNotCut(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"p.toml": `question = { find = "best", delta = 0.1 }
candidates = { file = "c.csv" }
[[objective]]
name = "yield"
noise = { sd = 1 }
`, "c.csv": "name\na\nb\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := problem.Read(filepath.Join(dir, "p.toml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "c.csv"), csvtable.Largest+1); err != nil {
		t.Fatal(err)
	}
	if _, err := problem.Read(filepath.Join(dir, "p.toml")); err == nil || !strings.Contains(err.Error(), fmt.Sprint(csvtable.Largest)) {
		t.Errorf("a table of one byte too many: %v", err)
	}
}
