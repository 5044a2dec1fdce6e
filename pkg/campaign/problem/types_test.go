package problem

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// faultsOf returns what is wrong with a problem, without what stands after the field.
func faultsOf(t *testing.T, text, table string) (list []string) {
	t.Helper()
	_, err := Parse("p.toml", []byte(text), files(map[string]string{"c.csv": table}))
	if err == nil {
		return nil
	}
	var errs Errors
	if !errors.As(err, &errs) {
		t.Fatal(err)
	}
	for _, e := range errs {
		if e.File == "" {
			list = append(list, e.Text)
			continue
		}
		list = append(list, fmt.Sprintf("%d %s: %s", e.Line, e.Field, e.Text))
	}
	return list
}

// Values of another type, fields that there are not, values that cannot be and cells that are no
// numbers are told together, each at its line, and what only follows from them is not told.
func TestAllFaults(t *testing.T) {
	const text = `title = 3
protocol = "open"
[question]
find = "pareto"
delta = "x"
[candidates]
file = "c.csv"
features = ["pH", 7]
[[objective]]
name = "yield"
noise = { sd = -2.0 }
values = [0, "a"]
at_least = "40"
slack = 1
tolerence = 1
[[objective]]
nam = "impurity"
goal = "minimise"
noise = { sd = 0.5, sigma = 3 }
guess = "guess"
[[objective]]
name = "price"
known = true
weight = true
[laboratory]
plate = 1.5
fill = true
days = -1
[method]
seed = -3
`
	got := faultsOf(t, text, "name,guess,price\nA,1,5\nB,x,y\nA,z,2\n")
	want := []string{
		"1 title: 3; expected text in quotes",
		`2 protocol: "open"; expected "frozen"`,
		`5 question.delta: "x"; expected a number`,
		"8 candidates.features[2]: 7; expected text in quotes",
		"11 objective[1].noise.sd: -2; expected a positive",
		`12 objective[1].values[2]: "a"; expected a number`,
		`13 objective[1].at_least: "40"; expected a number`,
		"15 objective[1].tolerence: unknown field; did you mean tolerance?",
		"17 objective[2].nam: unknown field; did you mean name?",
		"19 objective[2].noise.sigma: unknown field; did you mean sd?",
		"24 objective[3].weight: true; expected a number",
		"26 laboratory.plate: 1.5; expected a whole number",
		"28 laboratory.days: -1; expected the duration",
		"30 method.seed: -3; expected a non-negative whole number",
		`c.csv:4: column "name": "A" is also the candidate of line 2`,
		`c.csv:3: column "guess": "x" is not`,
		`c.csv:4: column "guess": "z" is not`,
		`c.csv:3: column "price": "y" is not`,
	}
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("not told: %s", want[i])
		case i >= len(want):
			t.Errorf("told: %s", got[i])
		case !strings.HasPrefix(got[i], want[i]):
			t.Errorf("%s\nwant %s", got[i], want[i])
		}
	}
}

// Faults that would not be there if another one were mended are not told, and those that would are.
func TestFollowingFaults(t *testing.T) {
	const text = `[question]
find = "best"
delta = 0.05
[candidates]
file = "c.csv"
[[objective]]
name = "yield"
goal = "bounded"
noise = { sd = 2 }
at_least = 40
[[objective]]
name = "price"
known = true
[[constraint]]
terms = { yield = 1, price = 2 }
at_most = 9
`
	const table = "name,price\nA,1\nB,2\nC,3\n"
	if got := faultsOf(t, text, table); got != nil {
		t.Fatal(got)
	}
	for _, x := range []struct {
		old, new string
		want     int // faults
	}{
		{"at_least = 40", `at_least = "40"`, 1},
		{`name = "yield"`, "name = 7", 1},
		{"file = \"c.csv\"", "file = 3", 1},
		{"file = \"c.csv\"", "file = \"d.csv\"", 1},
		{"find = \"best\"", "find = true\ncount = 2", 1},
		{"[[constraint]]", "[constraint]", 1},
		{"[[objective]]\nname = \"price\"\nknown = true", "", 2}, // nothing is compared, and the sum has an objective less
		{"terms = { yield = 1, price = 2 }", "terms = { yield = \"1\", price = 2 }", 1},
		{"at_most = 9", "at_mots = 9", 1},
		{"at_least = 40", "at_least = 40\nslack = 1\nvalues = [2, 1]", 2},
	} {
		changed := strings.Replace(text, x.old, x.new, 1)
		if got := faultsOf(t, changed, table); len(got) != x.want {
			t.Errorf("%s: %d faults:\n%s", x.new, len(got), strings.Join(got, "\n"))
		}
	}
}

// A column of which no cell is a number is not listed to its end.
func TestManyCells(t *testing.T) {
	text := "[question]\nfind = \"best\"\ndelta = 0.05\n[candidates]\nfile = \"c.csv\"\nfeatures = [\"x\"]\n" +
		"[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\n"
	table := "name,x\n"
	for i := range 100 {
		table += fmt.Sprintf("c%d,high\n", i)
	}
	got := faultsOf(t, text, table)
	if len(got) != mostCells+1 || !strings.HasPrefix(got[mostCells],
		`c.csv:101: column "x": the last of 90 more such cells`) {
		t.Errorf("%d faults, the last %s", len(got), got[len(got)-1])
	}
}
