package problem_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Two spellings of a name in a constraint are the same name, and their weights add up.
func TestSpellingsOfTerms(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`[question]
find = "feasible"
delta = 0.1
[candidates]
names = ["a", "b"]
[[objective]]
name = "yield"
noise = { sd = 1 }
[[constraint]]
terms = { yield = 1, " yield " = 2 }
at_least = 3
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if x := p.Constraints[0].Terms; len(x) != 1 || x["yield"] != 3 {
		t.Errorf("%v", x)
	}
}

// Text in the file and the table is kept as written: superscripts and subscripts remain distinct characters. Settings
// keep all their digits. Numbers may be fractional, and 0 is a number. A stored problem is decoded unchanged.
func TestTextIsKept(t *testing.T) {
	const text = `title = "Ca²⁺ in H₂O ½"
[question]
find = "pareto"
delta = 1e-1
[candidates]
file = "c.csv"
features = ["p₀"]
categories = ["Säure"]
[[objective]]
name = "flux²"
unit = "µg/m²"
noise = { sd = 1 }
at_least = 0
[[objective]]
name = "ﬂow"
noise = { range = [0, 1.5] }
[method]
seed = 0
[laboratory]
plate = 1
days = 0.5
`
	const table = "name,p₀,Säure\nH₂O,1013.255,①\nD₂O,0.1234567890123,Ⅳ\nT₂O,-12345678,①\n"
	p, err := problem.Parse("p.toml", []byte(text), func(string) ([]byte, error) { return []byte(table), nil })
	if err != nil {
		t.Fatal(err)
	}
	again, err := problem.Decode(p.Encode())
	if err != nil {
		t.Fatal(err)
	}
	marked, err := problem.Parse("p.toml", []byte("\ufeff"+strings.NewReplacer("delta", "Delta", "noise", "NOISE", "[method]", "[Method]").Replace(text)),
		func(string) ([]byte, error) { return []byte("\ufeff" + table), nil }) // byte order marks, as written by some editors, and keys in capitals
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*problem.Problem{p, again, marked} {
		c := &p.Candidates
		got := fmt.Sprint(p.Title, c.Names, c.SettingColumns(), c.Settings(0), c.Settings(1), c.Settings(2), p.Objectives[0].Label(),
			p.Objectives[1].Label(), p.Method.Seed, p.Question.Delta, p.Laboratory.Days, *p.Objectives[0].AtLeast)
		if want := "Ca²⁺ in H₂O ½[H₂O D₂O T₂O] [p₀ Säure] [1013.255 ①] [0.1234567890123 Ⅳ] [-1.2345678e+07 ①]flux² [µg/m²]ﬂow0 0.1 0.5 0"; got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
