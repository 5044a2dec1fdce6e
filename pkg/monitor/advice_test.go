package monitor

import (
	"math"
	"testing"
)

// A slip is the result, on the plate, that it is: results are counted over all objectives and arms, also where a number is missing.
func TestSlipIsNamed(t *testing.T) {
	for _, at := range []int{20, 33, 47} {
		m, err := New(Assumptions{Arms: 2, Objectives: []Objective{{Sigma: 1}, {Sigma: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i <= 50; i++ {
			x := []float64{math.NaN(), float64(i%4) / 4}
			if i%3 > 0 {
				x[0] = 1
			}
			if i == at {
				x[1] += 30
			}
			m.Observe(i%2, i/10+1, x)
		}
		named := false
		for _, f := range m.Report().Findings {
			if f.Kind == Outlier {
				named = true
				if f.Result != at || f.Plate != at/10+1 || f.Arm != at%2 || f.Objective != 1 || !(math.Abs(f.Size-30) <= 1) {
					t.Errorf("a slip in result %d: %+v", at, f)
				}
			}
		}
		if !named {
			t.Errorf("a slip in result %d: %+v", at, m.Report())
		}
	}
}
