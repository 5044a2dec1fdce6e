package ecape

import (
	"math"
	"testing"
)

// By hand on Fig. 1 with epsilon = 0.1: sigma = sigma_u = 1/2, so that the terms are 0.5/gap^2. Arm
// 2 is dominated by min(.3, .35) = .3, arm 3 by .5, which cost 5.556 and 2. Arm 1 is .4 from the
// boundary, 3.125, and pays at most what arm 2 demands of it, 5.556. Feasibility costs 50 for each
// of the others.
func TestConcept(t *testing.T) {
	inst, err := NearBoundary(.1)
	if err != nil {
		t.Fatal(err)
	}
	c := cStar(inst)
	if len(c.O) != 1 || len(c.S) != 2 || len(c.I) != 0 {
		t.Errorf("%+v; want arms 2 and 3 rejected as dominated", c)
	}
	own := c.Value - 5.556 - 2
	if own < 3.12 || own > 0.5/.09+.01 {
		t.Errorf("C* is %v, of which arm 1 pays %v", c.Value, own)
	}
	if math.Abs(c.HF-103.125) > .01 {
		t.Errorf("HF = %v; want 103.125", c.HF)
	}
	near, err := NearBoundary(.025)
	if err != nil {
		t.Fatal(err)
	}
	if n := cStar(near); n.Value > 1.1*c.Value+5 || n.HF < 1600 {
		t.Errorf("at 0.025: %+v; want C* as before and HF above 1600", n)
	}
	for _, epsilon := range []float64{0, -.1, .4, math.NaN()} {
		if _, err := NearBoundary(epsilon); err == nil {
			t.Errorf("epsilon %v is accepted", epsilon)
		}
	}
}

// kl(.45, .1) = .45 log 4.5 + .55 log(.55/.9) = .676835 - .270863 = .405971: a quarter is .101493.
func TestLowerBound(t *testing.T) {
	if got := lowerBound(1, .1); math.Abs(got-.101493) > 1e-5 {
		t.Errorf("%v; want 0.101493", got)
	}
	if got := lowerBound(1, .5); got != 0 {
		t.Errorf("%v at delta 0.5; want 0", got)
	}
	// As delta goes to 0, half of C log(1/delta)/4.
	if got := lowerBound(8, 1e-300) / math.Log(1e300); math.Abs(got-1) > .01 {
		t.Errorf("%v log(1/delta); want C/8", got)
	}
}

// The sum over T of 1/T^2 is pi^2/6, of log T/T^2 0.937548, of log^2 T/T^2 1.989280: with K = d =
// 1, f = 2 log 8 + log 5 + 2/e = 6.504080, it is f 1.644934 + (f + 6) .937548 + 6 1.989280 =
// 34.358, and Lambda half of that.
func TestLambda(t *testing.T) {
	if got := lambda(1, 1); math.Abs(got-17.179) > .01 {
		t.Errorf("%v; want 17.179", got)
	}
}

// The theorems hold: what is needed is between the bounds.
func TestTheorems(t *testing.T) {
	e := Concept
	e.Sizes = e.Sizes[:2]
	table, err := Theorems(2, e)
	if err != nil || len(table.Rows) != 2 {
		t.Fatalf("%+v, %v", table, err)
	}
	for _, row := range table.Rows {
		below, oracle, needed, above := row[4].(float64), row[5].(float64), row[6].(float64),
			row[7].(float64)
		if !(below > 0 && below < needed && oracle < needed && needed < above) {
			t.Errorf("%v: %v and %v pulls below, %v needed, %v above", row[0], below, oracle,
				needed, above)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic without runs")
		}
	}()
	Theorems(0)
}
