package plan

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// boundOf returns the lower bound for a question with objectives in TOML and a table of candidates.
func boundOf(t *testing.T, find, objectives, table string) Bound {
	t.Helper()
	p, err := problem.Parse("p.toml", []byte("question = { find = \""+find+"\", delta = 0.1 }\ncandidates = { file = \"c.csv\" }\n"+objectives),
		func(string) ([]byte, error) { return []byte(table), nil })
	if err != nil {
		t.Fatal(err)
	}
	c, l := lawOf(t, p)
	return lower(c, l)
}

// A bound does not depend on the order of objectives, and more noise in one objective increases the bound. For
// counts, no bound is known.
func TestBoundOfEachObjective(t *testing.T) {
	objective := func(name, noise, bound string) string {
		return fmt.Sprintf("[[objective]]\nname = %q\nnoise = { %s }\nguess = %[1]q\n%[3]s\n", name, noise, bound)
	}
	for _, x := range []struct{ find, bound string }{{"pareto", ""}, {"feasible", "at_least = 5"}} {
		bound := func(objectives ...string) Bound {
			return boundOf(t, x.find, strings.Join(objectives, ""), "c,y,z\na,7,2\nb,2,9\nc,8,6\nd,1,1\n")
		}
		pilot := func(sd string, df int) string {
			return fmt.Sprintf("pilot = { sd = %s, df = %d, delta = 0.01 }", sd, df)
		}
		y, z := objective("y", pilot("1", 30), x.bound), objective("z", pilot("1", 3), x.bound)
		here, there := bound(y, z).Measurements, bound(z, y).Measurements
		if !(here > 1) || !(math.Abs(here/there-1) <= .02) {
			t.Errorf("%s: %v, and %v in the other order", x.find, here, there)
		}
		if worse := bound(y, objective("z", pilot("4", 3), x.bound)).Measurements; !(worse > 1.5*here) {
			t.Errorf("%s: %v with more noise in the second objective, %v before", x.find, worse, here)
		}
		counts := objective("z", "counts = 9", x.bound)
		for _, b := range []Bound{bound(y, counts), bound(counts, y)} {
			if b.Measurements != 0 || b.Source != "none: no bound is known for counts and ranges" {
				t.Errorf("%s beside what is counted: %+v", x.find, b)
			}
		}
	}
}

// A bound is computed for at most a hundred candidates.
func TestBoundOfManyCandidates(t *testing.T) {
	for k, known := range map[int]bool{2: true, 100: true, 101: false} {
		table := strings.Builder{}
		table.WriteString("c,y\n")
		for i := range k {
			fmt.Fprintf(&table, "c%d,%d\n", i, 1+i%2)
		}
		b := boundOf(t, "feasible", "[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\nguess = \"y\"\nat_least = 1.5\n", table.String())
		if (b.Measurements > 0) != known || !known && b.Source != "none: too many candidates to compute a bound" {
			t.Errorf("%d candidates: %v, %s", k, b.Measurements, b.Source)
		}
	}
}

// No bound is known for a Pareto set with a tolerance, or for the best candidate within bounds.
func TestNoBound(t *testing.T) {
	y := "[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\nguess = \"y\"\ntolerance = 0.5\n"
	for what, b := range map[string]Bound{
		"a tolerance": boundOf(t, "pareto", y, "c,y\na,0\nb,3\n"),
		"best inside": boundOf(t, "best", strings.Replace(y, "tolerance = 0.5", "at_least = 1", 1), "c,y\na,0\nb,3\n"),
	} {
		if b.Measurements != 0 || b.Tie || !strings.HasPrefix(b.Source, "none: ") {
			t.Errorf("%s: %+v", what, b)
		}
	}
}
