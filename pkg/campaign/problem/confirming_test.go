package problem_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// There are three confirming measurements of each of four finalists, or of all measured candidates if there are fewer.
// With four replicates in total, no confirming measurements are needed.
func TestConfirmingCounts(t *testing.T) {
	const text = `question = { find = "best", delta = 0.1 }
candidates = { names = ["a", "b", "c", "d", "e", "f"] }
[method]
confirm = true
[[objective]]
name = "yield"
noise = { sd = 1 }
`
	confirming := func(text string, n ...int) int {
		p, err := problem.Parse("p.toml", []byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := p.Compile()
		if err != nil {
			t.Fatal(err)
		}
		return c.Confirming(n)
	}
	for _, x := range []struct {
		n    []int
		want int
	}{
		{[]int{1, 1, 0, 0, 0, 0}, 6}, {[]int{1, 1, 1, 1, 1, 1}, 12}, {[]int{2, 2, 2, 1, 0, 0}, 12}, {[]int{4, 0, 0, 0, 0, 0}, 3},
		{[]int{3, 3, 0, 0, 0, 0}, 0}, {[]int{5, 0, 0, 0, 0, 0}, 0}, {[]int{2, 2, 2, 2, 0, 0}, 0}, {[]int{0, 0, 0, 0, 0, 0}, 0},
	} {
		if got := confirming(text, x.n...); got != x.want {
			t.Errorf("%v: %d; want %d", x.n, got, x.want)
		}
	}
	features := strings.Replace(text, `names = ["a", "b", "c", "d", "e", "f"]`, `file = "c.csv", features = ["x"]`, 1)
	for _, x := range []struct {
		text string
		rows int
		want int
	}{ // features require confirmation, unless there are no more candidates than features, including the constant
		{features, 9, 12}, {features, 4, 12}, {features, 3, 9}, {features, 2, 0}, {strings.Replace(features, "best", "pareto", 1), 5, 12},
		{strings.Replace(features, `"best"`, `"good"`, 1) + "tolerance = 1\n", 5, 12},
		{features + "[laboratory]\nmeasurements = 60\n", 5, 12},
		{strings.Replace(features, "confirm = true", "confirm = true\nname = \"OD-LinBAI\"", 1) + "[laboratory]\nmeasurements = 60\n", 5, 0},
	} {
		p, err := problem.Parse("p.toml", []byte(x.text), func(string) ([]byte, error) {
			var table strings.Builder
			table.WriteString("name,x\n")
			for i := range x.rows {
				fmt.Fprintf(&table, "c%d,%d\n", i, i)
			}
			return []byte(table.String()), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		c, err := p.Compile()
		if err != nil {
			t.Fatal(err)
		}
		n := slices.Repeat([]int{3}, x.rows) // enough replicates, so only features can require confirmation
		if got := c.Confirming(n); got != x.want {
			t.Errorf("%d candidates of %s: %d confirm it; want %d", x.rows, x.text, got, x.want)
		}
	}
	for _, other := range []string{strings.Replace(text, "confirm = true", "confirm = false", 1),
		strings.Replace(text, "sd = 1", "range = [0, 9]", 1)} {
		if got := confirming(other, 1, 1, 1, 1, 1, 1); got != 0 {
			t.Errorf("%s: %d confirm it", other, got)
		}
	}
}

// Rewards have one value for each objective. Values of measured objectives must be small enough to be squared.
// Known values are added and can be converted back.
func TestValuesInAndOut(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`question = { find = "pareto", delta = 0.1 }
candidates = { file = "c.csv" }
[[objective]]
name = "yield"
unit = "%"
noise = { sd = 2 }
[[objective]]
name = "price"
goal = "minimise"
known = true
[[objective]]
name = "purity"
noise = { range = [0, 10] }
`), func(string) ([]byte, error) { return []byte("name,price\na,0.1\nb,0.3\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	for arm, price := range []float64{.1, .3} {
		rewards, err := c.In([]float64{99}, arm, []float64{50, 7.5})
		if err != nil || len(rewards) != 4 || rewards[0] != 99 || rewards[1] != 25 || rewards[3] != .5 {
			t.Fatalf("%v, %v", rewards, err)
		}
		if got := c.Scales[1].Out(rewards[2]); math.Abs(got-price) > 1e-12 {
			t.Errorf("%v; want %v", got, price)
		}
	}
	for _, x := range []struct {
		values []float64
		want   string
	}{
		{nil, "problem: 0 values; expected one for each of the 2 measured objectives"}, {[]float64{1}, "1 values; expected one for each of the 2"},
		{[]float64{1, 2, 3}, "3 values; expected one for each of the 2"}, {[]float64{math.NaN(), 2}, "yield: NaN; expected a number of magnitude at most 1e+"},
		{[]float64{-1e300, 2}, "yield: -1e+300; expected a number of magnitude at most"}, {[]float64{math.Inf(1), 2}, "yield: +Inf; expected a number of magnitude at most"},
		{[]float64{2.1e6, 2}, "yield: 2.1e+06 % is more than 1e+06 times the noise away from 0"}, {[]float64{1, 10.5}, "purity: 10.5 is outside 0 to 10; correct"},
		{[]float64{1, -.5}, "purity: -0.5 is outside 0 to 10; is the sign wrong?"},
	} {
		if _, err := c.In(nil, 0, x.values); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v: %v; want %q", x.values, err, x.want)
		}
	}
}

// A count of 0.5 is an error. The error message suggests a wrong sign only if the value with the opposite sign is
// allowed.
func TestCheckOfValues(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`question = { find = "pareto", delta = 0.1 }
candidates = { names = ["a", "b"] }
[[objective]]
name = "responses"
noise = { counts = 12 }
[[objective]]
name = "yield"
noise = { sd = 1 }
values = [10, 100]
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		i    int
		v    float64
		want string
	}{
		{0, 0, ""}, {0, 12, ""}, {0, .5, "expected a whole number of successes in 12 trials"}, {0, 11.5, "whole number"}, {0, 13, "outside 0 to 12"},
		{1, 10, ""}, {1, 100, ""}, {1, -50, "is the sign wrong?"}, {1, -5, "correct the value"}, {1, -500, "correct the value"}, {1, 101, "correct the value"},
	} {
		err := c.Check(x.i, x.v, 0)
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v: %v; want %q", x.v, err, x.want)
		}
	}
}
