package problem

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestScales: noise is rejected if it is so small or so large that sums of squares could vanish or overflow.
func TestScales(t *testing.T) {
	for sd, taken := range map[string]bool{"1e-49": true, "1e49": true, "1e-60": false, "1e60": false} {
		_, err := Parse("p.toml", []byte(fmt.Sprintf(`question = {find = "best", delta = 0.05}
candidates = {names = ["A", "B"]}
[[objective]]
name = "yield"
noise = {sd = %s}
`, sd)), nil)
		if taken != (err == nil) || err != nil && !strings.Contains(err.Error(), "objective[1].noise") {
			t.Errorf("sd %s: %v", sd, err)
		}
	}
}

// The limits of results are the intersection of the allowed
// values and the range of the noise, if an objective has both.
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

// A reward of 0 is the middle of the possible values, larger rewards are better, and the noise has scale 1. Size
// returns absolute differences, and means of counts are rates.
func TestScalesByHand(t *testing.T) {
	two, low, high, twelve := 2., 1., 9., 12
	for what, x := range map[string]struct {
		o    Objective
		want Scale
	}{
		"sd":              {Objective{Noise: Noise{SD: &two}}, Scale{PerReward: 2}},
		"sd, less":        {Objective{Noise: Noise{SD: &two}, Goal: Minimise, Unit: "g"}, Scale{PerReward: -2, Unit: "g"}},
		"sd and values":   {Objective{Noise: Noise{SD: &two}, Values: []float64{10, 30}}, Scale{PerReward: 2, Center: 20}},
		"range":           {Objective{Noise: Noise{Range: []float64{-5, 15}}}, Scale{PerReward: 10, Center: 5}},
		"range, narrowed": {Objective{Noise: Noise{Range: []float64{-5, 15}}, Values: []float64{-20, 5}}, Scale{PerReward: 10}},
		"counts":          {Objective{Noise: Noise{Counts: &twelve}, Unit: "g"}, Scale{PerReward: math.Sqrt(12) / 2, Center: 6, Trials: 12}},
		"one by one":      {Objective{Noise: Noise{Counts: &twelve, Evaluable: "n"}}, Scale{PerReward: .5, Center: .5}},
		"pilot to come":   {Objective{Noise: Noise{Pilot: &NoisePilot{Rewards: 5}}, Values: []float64{0, 60}}, Scale{PerReward: 10, Center: 30}},
		"at most":         {Objective{Noise: Noise{SD: &two}, Goal: Bounded, AtMost: &high}, Scale{PerReward: -2}},
		"at least":        {Objective{Noise: Noise{SD: &two}, Goal: Bounded, AtLeast: &low}, Scale{PerReward: 2}},
		"between":         {Objective{Noise: Noise{SD: &two}, Goal: Bounded, AtLeast: &low, AtMost: &high}, Scale{PerReward: 2}},
		"max, at most":    {Objective{Noise: Noise{SD: &two}, AtMost: &high}, Scale{PerReward: 2}},
		"known":           {Objective{Known: true, Exact: []float64{3, 10, 5}}, Scale{PerReward: 7}},
		"known, less":     {Objective{Known: true, Exact: []float64{3, 10, 5}, Goal: Minimise}, Scale{PerReward: -7}},
		"known, the same": {Objective{Known: true, Exact: []float64{4, 4}}, Scale{PerReward: 1}},
	} {
		s := x.o.scale()
		if s != x.want {
			t.Errorf("%s: %+v; want %+v", what, s, x.want)
		}
		trials := max(s.Trials, 1)
		for _, r := range []float64{-2, 0, 3} {
			if got, want := s.Out(r), (s.Center+r*s.PerReward)/trials; !(math.Abs(got-want) <= 1e-12) || !(math.Abs(s.In(got)-r) <= 1e-12) ||
				!(math.Abs(s.Told(want*trials)-r) <= 1e-12) || !(math.Abs(s.Size(r)-math.Abs(r*s.PerReward)/trials) <= 1e-12) {
				t.Errorf("%s: the reward %v is %v, size %v", what, r, got, s.Size(r))
			}
		}
	}
	if !math.IsNaN((&Objective{}).Sigma()) || !math.IsNaN((&Objective{Noise: Noise{Pilot: &NoisePilot{Rewards: 5}}}).Sigma()) {
		t.Error("unknown noise has a standard deviation")
	}
}
