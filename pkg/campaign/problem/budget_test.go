package problem

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

// plate returns a problem file with four candidates and the given question, method and laboratory.
func plate(find, method, laboratory string) string {
	return `question = {find = "` + find + `", delta = 0.05}
candidates = {names = ["A", "B", "C", "D"]}
method = {name = "` + method + `"}
laboratory = {` + laboratory + `}
[[objective]]
name = "yield"
noise = {sd = 2}
`
}

// Errors about a budget name the file, the line and the field, and say what to do.
func TestBudgetErrors(t *testing.T) {
	for _, x := range []struct{ find, method, laboratory, want string }{
		{"best", "EGE-SR", "", "p.toml:4: laboratory.measurements: missing; EGE-SR spends a fixed number of " +
			"measurements; set, for example, measurements = 96 under [laboratory]"},
		{"best", "EGE-SR", "measurements = 4", "p.toml:4: laboratory.measurements: 4 is too small for EGE-SR; this " +
			"problem needs at least 5 measurements"},
		{"good", "EGE-SR", "measurements = 96", `method.name: "EGE-SR" cannot answer this question`},
		{"good", "EGE-SR", "", `method.name: "EGE-SR" cannot answer this question`},
		{"best", "Successive hopes", "measurements = 96", `unknown method "Successive hopes"`},
	} {
		text := plate(x.find, x.method, x.laboratory)
		if x.find == "good" {
			text += "tolerance = 1\n"
		}
		p, err := Parse("p.toml", []byte(text), nil)
		if err == nil {
			_, err = p.Compile()
		}
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%+v: %v", x, err)
		}
	}
	text := strings.Replace(plate("best", "EGE-SR", "measurements = 96"), "{sd = 2}",
		"{pilot = {rewards = 4, delta = 0.005}}\nvalues = [0, 100]", 1)
	p, err := Parse("p.toml", []byte(text), nil)
	if err == nil {
		_, err = p.Compile()
	}
	if err == nil || !strings.Contains(err.Error(), "p.toml:3: method.name: EGE-SR spends the whole budget") {
		t.Error(err)
	}
}

// A campaign keeps its initial budget, which is part of the identity of a problem whose method has a budget.
func TestBudgetIsKept(t *testing.T) {
	parse := func(method, laboratory string) *Problem {
		p, err := Parse("p.toml", []byte(plate("best", method, laboratory)), nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := parse("ege-sr", "measurements = 96")
	again, err := Decode(p.Encode())
	if err != nil || again.Budget() != 96 || again.Method.Budget != 96 || !again.FixedBudget() {
		t.Fatalf("%+v, %v", again, err)
	}
	again.Laboratory.Measurements = 12
	c, err := again.Compile()
	if err != nil || c.Budget != 96 || explore.Name(c.Policy()) != "EGE-SR (budget 96)" {
		t.Errorf("%v, %v", c, err)
	}
	if string(p.Canonical()) == string(parse("EGE-SR", "measurements = 95").Canonical()) {
		t.Error("problems with 95 and 96 measurements have the same text")
	}
	for _, x := range []string{"measurements = 96", "measurements = 95"} {
		if q := parse("", x); q.Method.Budget != 0 || q.FixedBudget() ||
			string(q.Canonical()) != string(parse("", "").Canonical()) {
			t.Errorf("the limit of measurements is part of %s", q.Canonical())
		}
	}
	if parse("", "").Budgeted() != nil {
		t.Error("a problem without a budget has methods with a budget")
	}
}

// Every method with a fixed budget answers some question and stays within its budget. If differences are large for
// the budget, most answers are right. Budgeted returns no other methods.
func TestBudgets(t *testing.T) {
	tallies, runs := map[string]*tally{}, 3
	if testing.Short() {
		runs = 1
	}
	for i, ask := range asks {
		for at := range 4 {
			if testing.Short() && at != i%4 {
				continue
			}
			c := &cell{features: at%2 == 1, shift: 10, size: []int{2, 5}[at/2], scale: 1, norm: 1.1}
			c.build(ask)
			c.problem.Laboratory.Measurements = 60 * c.size
			offered := c.problem.Budgeted()
			if once := slices.Compact(slices.Sorted(slices.Values(offered))); len(once) < len(offered) {
				t.Errorf("%q are offered twice", offered)
			}
			for _, new := range policy.Catalogue() {
				name := new().Card().Name
				compiled, err := c.problem.CompileFor(name)
				if fixed := new().Card().Kind == explore.FixedBudget; !fixed && err == nil && compiled.Budget > 0 ||
					(err == nil && fixed) != slices.Contains(offered, name) {
					t.Errorf("%s, find %s: %v; there are %q", name, c.problem.Question.Find, err, offered)
				}
				if err != nil || compiled.Budget == 0 {
					continue
				}
				if tallies[name] == nil {
					tallies[name] = &tally{}
				}
				for n := range runs {
					if err := tallies[name].run(c, compiled, uint64(100*at+n)); err != nil {
						t.Fatal(name, err)
					}
				}
			}
		}
	}
	for _, new := range policy.Catalogue() {
		card := new().Card()
		if x := tallies[card.Name]; card.Kind == explore.FixedBudget && (x == nil || x.right < 4*x.wrong || x.open > 0) {
			t.Errorf("%s: %+v", card.Name, x)
		}
	}
}

func ExampleProblem_Budgeted() {
	p, err := Parse("p.toml", []byte(plate("best", "", "measurements = 96")), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Budgeted()[0])
	// Output: EGE-SR
}
