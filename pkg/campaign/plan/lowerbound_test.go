package plan

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/question"
)

// boundOf is the lower bound of a question about objectives, in TOML, of the candidates of a table.
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

// What is known exactly takes no measurements: candidates that cost the same are compared by the rest alone, and one that is just on
// a bound keeps it, as those do that are far inside. Nothing of that is a tie.
func TestBoundOfWhatIsKnown(t *testing.T) {
	const yield = "[[objective]]\nname = \"y\"\nnoise = { sd = 2 }\nguess = \"y\"\n"
	const price = "[[objective]]\nname = \"price\"\ngoal = \"minimise\"\nknown = true\n"
	for _, x := range []struct{ find, one, onTable, other, otherTable string }{
		{"pareto", yield + price, "c,y,price\na,0,5\nb,1,5\nc,3,5\n", yield, "c,y\na,0\nb,1\nc,3\n"},
		{"pareto", yield + price, "c,y,price\na,0,7\nb,1,5\nc,3,5\n", yield + price, "c,y,price\na,0,700\nb,1,5\nc,3,5\n"},
		{"best", yield + strings.Replace(price, "minimise", "bounded", 1) + "at_most = 31.8\n", "c,y,price\na,0,7\nb,1,31.8\nc,3,31.8\n",
			yield + strings.Replace(price, "minimise", "bounded", 1) + "at_most = 40\n", "c,y,price\na,0,7\nb,1,31.8\nc,3,31.8\n"},
	} {
		one, other := boundOf(t, x.find, x.one, x.onTable), boundOf(t, x.find, x.other, x.otherTable)
		if one.Tie || !(other.Measurements > 1) || !(math.Abs(one.Measurements/other.Measurements-1) <= .02) {
			t.Errorf("%s of %q: %+v; want that of %q, %+v", x.find, x.onTable, one, x.otherTable, other)
		}
	}
}

// A bound does not depend on the order of objectives; one that is noisier needs more, whichever it is; and beside one that is counted
// none is known.
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
			t.Errorf("%s: %v where the second objective is noisier; it was %v", x.find, worse, here)
		}
		counts := objective("z", "counts = 9", x.bound)
		for _, b := range []Bound{bound(y, counts), bound(counts, y)} {
			if b.Measurements != 0 || b.Source != "none: none is known for counts and ranges" {
				t.Errorf("%s beside what is counted: %+v", x.find, b)
			}
		}
	}
}

// A tolerance makes the best candidate easier to find, by each method of which a bound is known.
func TestBoundOfToleranceByMethods(t *testing.T) {
	exact := parsed(t, `find = "best"`, "", "noise = { sd = 2.0 }\nguess = \"guess\"", threeGuesses)
	near := parsed(t, `find = "best"`, "", "noise = { sd = 2.0 }\nguess = \"guess\"\ntolerance = 1.5", threeGuesses)
	seen := 0
	for _, name := range near.Methods() {
		exact.Method.Name, near.Method.Name = name, name
		a, la := lawOf(t, exact)
		b, lb := lawOf(t, near)
		hard, easy := lower(a, la), lower(b, lb)
		if hard.Measurements == 0 || easy.Measurements == 0 {
			continue
		}
		if seen++; !(easy.Measurements < .9*hard.Measurements) {
			t.Errorf("%s: %v exactly, %v with a tolerance", name, hard.Measurements, easy.Measurements)
		}
	}
	if seen < 3 {
		t.Errorf("a bound is known for %d methods", seen)
	}
}

// A bound is computed for a hundred candidates, and not for more.
func TestBoundOfManyCandidates(t *testing.T) {
	for k, known := range map[int]bool{2: true, 100: true, 101: false} {
		table := strings.Builder{}
		table.WriteString("c,y\n")
		for i := range k {
			fmt.Fprintf(&table, "c%d,%d\n", i, 1+i%2)
		}
		b := boundOf(t, "feasible", "[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\nguess = \"y\"\nat_least = 1.5\n", table.String())
		if (b.Measurements > 0) != known || !known && b.Source != "none: too many candidates to compute it" {
			t.Errorf("%d candidates: %v, %s", k, b.Measurements, b.Source)
		}
	}
}

// What covers the front within a tolerance takes at least what the front within it does.
func TestBoundOfACover(t *testing.T) {
	const text = "question = { find = \"pareto\", delta = 0.1 }\ncandidates = { file = \"c.csv\" }\n" +
		"[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\nguess = \"y\"\n[[objective]]\nname = \"z\"\nnoise = { sd = 1 }\nguess = \"z\"\n"
	p, err := problem.Parse("p.toml", []byte(text), func(string) ([]byte, error) { return []byte("c,y,z\na,7,2\nb,2,9\nc,8,6\nd,1,1\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	c, l := lawOf(t, p)
	var bounds []float64
	for _, q := range []question.Pareto{{Epsilon: .7}, {Cover: .7}, {}} {
		c.Problem.Question = q
		bounds = append(bounds, lower(c, l).Measurements)
	}
	if bounds[0] != bounds[1] || !(bounds[0] > 1 && bounds[0] < bounds[2]) {
		t.Errorf("bounds %v; want those of the first two equal, and below that of the exact front", bounds)
	}
}
