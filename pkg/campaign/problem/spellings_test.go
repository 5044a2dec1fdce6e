package problem_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Two spellings of a name in a constraint are one, whose weights add up.
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

// The features of all categories together are limited.
func TestFeaturesOfCategories(t *testing.T) {
	const text = "[question]\nfind = \"best\"\ndelta = 0.1\n[candidates]\nfile = \"c.csv\"\ncategories = [\"A\", \"B\"]\n" +
		"[[objective]]\nname = \"yield\"\nnoise = { sd = 1 }\n"
	table := func(levels int) []byte {
		var b strings.Builder
		b.WriteString("name,A,B\n")
		for i := range 2 * levels {
			fmt.Fprintf(&b, "c%d,a%d,b%d\n", i, i%levels, i/2)
		}
		return []byte(b.String())
	}
	for levels, fits := range map[int]bool{40: true, 600: false} {
		_, err := problem.Parse("p.toml", []byte(text), func(string) ([]byte, error) { return table(levels), nil })
		if fits && err != nil || !fits && (err == nil || !strings.Contains(err.Error(), "candidates.categories[2]") ||
			!strings.Contains(err.Error(), "more than 1000 features")) {
			t.Errorf("%d levels of each: %v", levels, err)
		}
	}
}
