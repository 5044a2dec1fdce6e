package problem

import (
	"testing"

	"gonum.org/v1/gonum/mat"

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
	}}, nil)
	p.Objectives[0].Tolerance = 1
	near, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, near.Explain(explore.Answer{Items: []int{0}, Reasons: []explore.Reason{
		reason(explore.Optimal, 1, .5, .75), reason(explore.Undecided, 2, .5, .75)}}, nil)[:2]...)
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

// Of means that are known a reason has the difference in each objective, with what is known exactly and
// within the tolerance apart, and of a candidate that is ahead that in the objective which decides.
func TestExplainDifferences(t *testing.T) {
	const text = `question = {find = "pareto", delta = 0.05}
candidates = {file = "c.csv"}
[[objective]]
name = "yield"
unit = "%"
noise = { sd = 2.0 }
tolerance = 4
[[objective]]
name = "impurity"
unit = "%"
goal = "minimise"
at_most = 4
slack = 0.25
noise = { sd = 0.5 }
[[objective]]
name = "price"
unit = "EUR"
goal = "minimise"
known = true
`
	p, err := Parse("p.toml", []byte(text), func(string) ([]byte, error) {
		return []byte("c,price\nA,38\nB,12\nC,22\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	means := mat.NewDense(3, 3, []float64{50, 4, 38, 80, 3, 12, 78, 2.5, 22})
	// In rewards A is behind B by 15, 2 and 1, and C ahead of B by -1, 1 and -10/26.
	slack := explore.Reason{Class: explore.Optimal, By: -1, Slack: .8, SlackRadius: 1}
	if list := c.Explain(explore.Answer{Reasons: []explore.Reason{slack}}, means); list[0].Why !=
		"inside impurity <= 4 % by 0.400 ± 0.500 %, or outside by less than the slack of 0.25 %" {
		t.Error(list[0].Why)
	}
	slack.Class = explore.Undecided
	if list := c.Explain(explore.Answer{Reasons: []explore.Reason{slack}}, means); list[0].Why !=
		"seems inside impurity <= 4 % by 0.400 ± 0.500 %" {
		t.Error(list[0].Why)
	}
	for _, x := range []struct {
		i      int
		class  explore.Class
		margin float64
		want   string
	}{
		{0, explore.Dominated, 1, "behind B by 30.00 ± 4.00 % in yield, 1.00 ± 1.00 % in impurity and 26 EUR in price"},
		{2, explore.Dominated, -1, "behind B by 2.00 ± 4.00 % in yield and 10 EUR in price, and ahead by 0.50 ± 1.00 % in impurity, which does not matter"},
		{2, explore.Optimal, 1, "ahead of B by 0.50 ± 1.00 % in impurity, or behind by a difference that does not matter"},
		{2, explore.Undecided, 1, "seems ahead of B by 0.50 ± 1.00 % in impurity"},
		{0, explore.Undecided, -1, "seems behind B by 30 % in yield, 1 % in impurity and 26 EUR in price"},
		// A margin of other means, those of a model, is what holds in each.
		{0, explore.Dominated, 3, "behind B by at least 6.00 ± 4.00 % in yield and 1.50 ± 1.00 % in impurity and 26 EUR in price"},
	} {
		reasons := make([]explore.Reason, 3)
		for i := range reasons {
			reasons[i] = explore.Reason{By: -1, Constraint: -1}
		}
		reasons[x.i] = explore.Reason{Class: x.class, By: 1, Margin: x.margin, MarginRadius: 2, Constraint: -1}
		if got := c.Explain(explore.Answer{Reasons: reasons}, means)[x.i].Why; got != x.want {
			t.Errorf("%q; want %q", got, x.want)
		}
	}
}
