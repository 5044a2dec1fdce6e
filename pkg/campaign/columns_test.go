package campaign

import (
	"fmt"
	"reflect"
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
		c := beginWith(t, p)
		odd, err := c.Odd(test.rows)
		if err != nil || !reflect.DeepEqual(odd, test.want) {
			t.Errorf("%v: %q, %v; want %q", test.rows[0].Values, odd, err, test.want)
		}
	}
}
