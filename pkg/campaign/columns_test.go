package campaign

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Whole columns that are exchanged, or in another unit, are asked about before the first result is
// there, by the guesses for the candidates.
func TestAskew(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`[question]
find = "pareto"
delta = 0.05
[candidates]
file = "c.csv"
[[objective]]
name = "yield"
unit = "%"
guess = "expected yield"
noise = { sd = 2 }
[[objective]]
name = "impurity"
unit = "%"
goal = "minimise"
guess = "expected impurity"
noise = { sd = 1 }
`), func(string) ([]byte, error) {
		return []byte("name,expected yield,expected impurity\na,38,4\nb,52,5\nc,71,3\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// Columns of results are those of measured objectives, and a price that is known is none.
	priced := p.Clone()
	priced.Objectives = slices.Insert(priced.Objectives, 0, problem.Objective{Name: "price", Goal: problem.Minimise,
		Known: true, Exact: []float64{10, 20, 30}})
	table := func(n int, yield, impurity float64) (rows []Result) {
		for i := range n {
			rows = append(rows, Result{ID: fmt.Sprint(i), Arm: string(rune('a' + i%3)),
				Values: []float64{yield, impurity}})
		}
		return rows
	}
	for _, test := range []struct {
		rows []Result
		want []string
	}{
		{table(24, 60, 4), nil},
		{table(2, 4, 60), nil}, // two rows are no column
		{append(table(2, 4, 60), Result{ID: "f", Arm: "c", Failed: true}), nil}, // nor is a third one that failed
		{table(3, 4, 60), []string{"all 3 values of impurity are above those of yield, where less is " +
			"expected. Are the two columns exchanged?"}},
		{table(24, 4, 60), []string{"all 24 values of impurity are above those of yield, where less is " +
			"expected. Are the two columns exchanged?"}},
		{table(6, .6, .04), []string{
			"all 6 values of yield are from 0 to 1, where more is expected. Are they fractions in the place of per cent?",
			"all 6 values of impurity are from 0 to 1, where more is expected. Are they fractions in the place of per cent?"}},
		{append(table(5, 4, 60), Result{ID: "x", Arm: "a", Values: []float64{60, 4}}), nil}, // one row is as it should be
	} {
		for _, p := range []*problem.Problem{p, priced} {
			odd, err := beginWith(t, p).Odd(test.rows)
			if err != nil || !reflect.DeepEqual(odd, test.want) {
				t.Errorf("%v: %q, %v; want %q", test.rows[0].Values, odd, err, test.want)
			}
		}
	}
}

// Where nobody guesses, earlier results of the same candidate say what is expected, of each objective beside those that
// are known; columns are compared two by two, and a candidate that was dropped, of which nothing is expected, has no part in it.
func TestAskewByResults(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`question = { find = "pareto", delta = 0.05 }
candidates = { file = "c.csv" }
[[objective]]
name = "price"
known = true
[[objective]]
name = "x"
noise = { sd = 1 }
[[objective]]
name = "y"
noise = { sd = 1 }
[[objective]]
name = "z"
noise = { sd = 1 }
`), func(string) ([]byte, error) { return []byte("name,price\na,1\nb,2\nc,3\nd,4\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	c := beginWith(t, p)
	for i, arm := range []string{"a", "b", "c"} {
		for k := range 4 { // what is lower of one is higher of another
			d := float64(k) / 10
			tell(t, c, Result{ID: fmt.Sprint("old ", arm, k), Arm: arm, Values: []float64{[]float64{10, 30, 20}[i] + d, 40 + d, []float64{35, 60, 30}[i] + d}})
		}
	}
	for k := range 4 { // of d as much of all is expected
		tell(t, c, Result{ID: fmt.Sprint("old d", k), Arm: "d", Values: []float64{40 + float64(k)/10, 40 + float64(k)/10, 40 + float64(k)/10}})
	}
	if err := c.Drop("c", "gone", "Ada"); err != nil {
		t.Fatal(err)
	}
	told := func(arm string, values ...float64) Result { return Result{Arm: arm, Values: values} }
	const more = "all %d values of %s are above those of %s, where less is expected. Are the two columns exchanged?"
	for _, x := range []struct {
		rows []Result
		want []string
	}{
		{[]Result{told("a", 10, 40, 35), told("b", 30, 40, 60), told("a", 10, 40, 35)}, nil},
		{[]Result{told("a", 35, 40, 10), told("b", 60, 40, 30), told("a", 35, 40, 10)}, []string{fmt.Sprintf(more, 3, "x", "z")}},
		{[]Result{told("a", 40, 10, 60), told("b", 41, 30, 61), told("a", 40, 10, 60)}, []string{fmt.Sprintf(more, 3, "x", "y")}},
		{[]Result{told("a", 35, 40, 10), told("b", 60, 40, 30), told("c", 35, 40, 10), told("a", 35, 40, 10)}, []string{fmt.Sprintf(more, 3, "x", "z")}},
		{[]Result{told("d", 40.3, 40.2, 40.1), told("d", 40.2, 40.1, 40), told("d", 40.3, 40.2, 40.1)}, nil},
	} {
		for i := range x.rows {
			x.rows[i].ID = fmt.Sprint(i)
		}
		if odd, err := c.Odd(x.rows); err != nil || !reflect.DeepEqual(odd, x.want) {
			t.Errorf("%v:\n%q, %v; want\n%q", x.rows, odd, err, x.want)
		}
	}
}
