package problem

import (
	"fmt"
	"testing"

	"github.com/purexp/purexp/pkg/question"
)

// A candidate whose price equals a bound satisfies the bound: rounding in the conversion to rewards must not
// change the comparison. The same holds for sums of prices that are exact in decimals.
func TestKnownOnBound(t *testing.T) {
	const text = `[question]
find = "pareto"
delta = 0.1
[candidates]
file = "c.csv"
[[objective]]
name = "yield"
noise = { sd = 1 }
[[objective]]
name = "price"
goal = "minimise"
known = true
%s
[[objective]]
name = "freight"
goal = "minimise"
known = true
%s
`
	sum := func(bound string) string { return "[[constraint]]\nterms = { price = 1, freight = 1 }\n" + bound }
	for _, c := range []struct {
		price, end string
		in         [3]bool
	}{
		{"at_least = 31.8", "", [3]bool{false, true, true}},
		{"at_most = 31.8", "", [3]bool{true, true, false}},
		{"", sum("at_most = 32.1"), [3]bool{true, true, false}},
		{"", sum("at_least = 32.1"), [3]bool{false, true, true}},
		{"", sum("at_most = 0.3"), [3]bool{true, false, false}}, // 0.1 + 0.2
		{"at_least = 31.9", "", [3]bool{false, false, true}},
	} {
		p, err := Parse("p.toml", fmt.Appendf(nil, text, c.price, c.end),
			func(string) ([]byte, error) {
				return []byte("name,price,freight\na,0.1,0.2\nb,31.8,0.3\nc,34.7,7\n"), nil
			})
		if err != nil {
			t.Fatal(err)
		}
		compiled, err := p.Compile()
		if err != nil {
			t.Fatal(err)
		}
		region := compiled.Problem.Question.(question.FeasiblePareto).Region
		for i, want := range c.in {
			x := []float64{0, compiled.Problem.Known.At(i, 1), compiled.Problem.Known.At(i, 2)}
			if got := region.Contains(x); got != want {
				t.Errorf("%s%s: candidate %d is inside: %v", c.price, c.end, i, got)
			}
		}
	}
}
