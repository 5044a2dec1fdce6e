package nb

import (
	"math"
	"testing"
)

// An objective has a standard deviation or a variance, whose root that is: one of them, above 0.
func TestObjectiveSD(t *testing.T) {
	for _, o := range []Objective{{SD: 3}, {Variance: 9}} {
		if sd, err := o.sd(); err != nil || sd != 3 {
			t.Errorf("%+v: %v, %v; want 3", o, sd, err)
		}
	}
	if sd, err := (&Objective{Variance: .25}).sd(); err != nil || sd != .5 {
		t.Errorf("a variance of a quarter: %v, %v; want a half", sd, err)
	}
	for _, o := range []Objective{{}, {SD: 3, Variance: 9}, {SD: -1}, {Variance: -1}, {SD: math.Inf(1)},
		{Variance: math.Inf(1)}, {SD: math.NaN()}} {
		if sd, err := o.sd(); err == nil {
			t.Errorf("%+v: %v; want an error", o, sd)
		}
	}
}
