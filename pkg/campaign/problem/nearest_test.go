package problem

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// What is suggested for a field that there is not is like it, or means the same elsewhere: by two letters in
// words of four, by one in shorter ones.
func TestNearest(t *testing.T) {
	words := []string{"at_least", "at_most", "goal", "tolerance", "delta", "plate", "sd", "objective", "constraint", "names", "method"}
	for name, want := range map[string]string{
		"min": "at_least", "Minimum": "at_least", "lower": "at_least", "max": "at_most", "maximum": "at_most", "upper": "at_most",
		"direction": "goal", "epsilon": "tolerance", "alpha": "delta", "batch": "plate", "batch size": "plate", "batch-size": "plate",
		"sigma": "sd", "std": "sd", "objectives": "objective", "constraints": "constraint", "arms": "names", "policy": "method",
		"algorithm": "method", "at-least": "at_least", "gaol": "goal", "goel": "goal", "go": "", "god": "", "goa": "goal", "s": "sd",
		"xd": "sd", "xy": "", "dlta": "delta", "dltaa": "delta", "dxxta": "delta", "dxxxa": "", "colour": "",
	} {
		if got := nearest(name, words); got != want {
			t.Errorf("%q: %q; want %q", name, got, want)
		}
	}
}

// A column that has two meanings, the cost of a measurement and a value that is known, is asked for once.
func TestNewcomerColumnsOnce(t *testing.T) {
	p, err := Parse("p.toml", []byte(`question = {find = "pareto", delta = 0.1}
candidates = {file = "c.csv", cost = "EUR"}
[[objective]]
name = "yield"
noise = {sd = 1}
[[objective]]
name = "price"
goal = "minimise"
known = true
column = "EUR"
`), files(map[string]string{"c.csv": "candidate,EUR\nA,1\nB,2\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.NewcomerColumns(); len(got) != 1 || got[0] != "EUR" {
		t.Errorf("%q; want EUR, once", got)
	}
}

// A campaign begins with as many measurements of each candidate as the longest pilot of an objective has, whichever
// comes first, and all pilots have their part of the error probability.
func TestLongestPilot(t *testing.T) {
	for _, rewards := range [][2]int{{4, 9}, {9, 4}} {
		p, err := Parse("p.toml", fmt.Appendf(nil, `question = {find = "pareto", delta = 0.1}
candidates = {names = ["A", "B"]}
[[objective]]
name = "yield"
noise = {pilot = {rewards = %d, delta = 0.01}}
values = [0, 100]
[[objective]]
name = "purity"
noise = {pilot = {rewards = %d, delta = 0.02}}
values = [0, 100]
[[objective]]
name = "waste"
noise = {pilot = {sd = 1, df = 9, delta = 0.03}}
`, rewards[0], rewards[1]), nil)
		if err != nil {
			t.Fatal(err)
		}
		if before, within, n := p.pilots(); before != .03 || math.Abs(within-.03) > 1e-15 || n != 9 || math.Abs(p.delta()-.04) > 1e-15 {
			t.Errorf("%v: %v before, %v within, %d measurements, %v for the method", rewards, before, within, n, p.delta())
		}
	}
}

// Results lie within the values that there are and within what noise allows, whichever is narrower; the center of
// rewards is that of both.
func TestLimitsOfResults(t *testing.T) {
	ten := 10
	for _, x := range []struct {
		o      Objective
		lo, hi float64
	}{
		{Objective{Noise: Noise{Range: []float64{0, 100}}}, 0, 100},
		{Objective{Noise: Noise{Range: []float64{0, 100}}, Values: []float64{-5, 60}}, 0, 60},
		{Objective{Noise: Noise{Range: []float64{0, 100}}, Values: []float64{20, 160}}, 20, 100},
		{Objective{Noise: Noise{Counts: &ten}, Values: []float64{-5, 8}}, 0, 8},
		{Objective{Noise: Noise{Counts: &ten}, Values: []float64{2, 80}}, 2, 10},
		{Objective{Values: []float64{2, 80}}, 2, 80},
		{Objective{}, math.Inf(-1), math.Inf(1)},
	} {
		if lo, hi := x.o.limits(); lo != x.lo || hi != x.hi {
			t.Errorf("%+v: from %v to %v; want %v to %v", x.o, lo, hi, x.lo, x.hi)
		}
	}
}

// A problem without a candidate, or with one more, is another one: that which it was made of stays as it is, with its
// guesses, costs, values and pilots.
func TestWithoutChangesNothing(t *testing.T) {
	for name, b := range bases {
		p, err := Parse("p.toml", []byte(b.text), files(b.tables))
		if err != nil {
			t.Fatal(err)
		}
		before := string(p.Encode())
		for _, arm := range slices.Clone(p.Candidates.Names) {
			q, err := p.Without(arm)
			if err == nil {
				_, err = q.Without(q.Candidates.Names[0])
			}
			if after := string(p.Encode()); after != before {
				t.Fatalf("%s without %s (%v) is\n%s\nit was\n%s", name, arm, err, after, before)
			}
		}
	}
}
