package problem

import (
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// A comparison that hangs on a value that is known is told in its unit, and one that hangs on
// measurements in theirs.
func TestExplainKnown(t *testing.T) {
	const text = `[question]
find = "pareto"
delta = 0.05
[candidates]
file = "c.csv"
[[objective]]
name = "yield"
unit = "%"
noise = { sd = 2.0 }
[[objective]]
name = "price"
unit = "EUR"
goal = "minimise"
known = true
`
	p, err := Parse("p.toml", []byte(text), func(string) ([]byte, error) {
		return []byte("c,price\nA,12\nB,38\nC,22\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	// Rewards of the price are in units of 26 EUR, its range.
	reason := func(class explore.Class, by int, margin, radius float64) explore.Reason {
		return explore.Reason{Class: class, By: by, Margin: margin, MarginRadius: radius,
			Constraint: -1}
	}
	list := c.Explain(explore.Answer{Items: []int{0}, Reasons: []explore.Reason{
		reason(explore.Optimal, 1, 1, 0),
		reason(explore.Undecided, 2, -16./26, 0),
		reason(explore.Undecided, 0, 1.5, .5),
	}})
	p.Objectives[0].Tolerance = 1
	near, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, near.Explain(explore.Answer{Items: []int{0}, Reasons: []explore.Reason{
		reason(explore.Optimal, 1, .5, .75), reason(explore.Undecided, 2, .5, .75)}})[:2]...)
	for i, want := range []string{
		"ahead of B by 26 EUR in price",
		"seems behind C by 16 EUR in price",
		"ahead of A by 3.00 ± 1.00 % in yield",
		"ahead of B by 1.00 ± 1.50 % in yield, or behind by a difference that does not matter",
		"seems ahead of C by 1.00 ± 1.50 % in yield",
	} {
		if list[i].Why != want {
			t.Errorf("%s: %q; want %q", list[i].Candidate, list[i].Why, want)
		}
	}
}
