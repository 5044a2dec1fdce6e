package problem_test

import (
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// If the method ignores the features, Unused says so, with the reason if the reason is known.
func TestUnused(t *testing.T) {
	const text = `[question]
find = "pareto"
delta = 0.05
[candidates]
file = "c.csv"
features = ["x"]
[[objective]]
name = "yield"
noise = { sd = 2 }
[[objective]]
name = "price"
goal = "minimise"
PRICE
`
	table := func(string) ([]byte, error) { return []byte("name,x,price\na,1,5\nb,2,7\nc,4,6\nd,5,9\n"), nil }
	for price, want := range map[string]string{
		"known = true":       "exactly known values",
		"noise = { sd = 1 }": "",
	} {
		p, err := problem.Parse("p.toml", []byte(strings.Replace(text, "PRICE", price, 1)), table)
		if err != nil {
			t.Fatal(err)
		}
		c, err := p.CompileFor(map[bool]string{true: "Racing", false: "Sparing"}[want != ""])
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Unused(); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s, %s: %q; want %q", price, c.Card.Name, got, want)
		}
	}
}
