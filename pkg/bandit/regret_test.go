package bandit

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// TestRegret compares regrets of random batches with sums over single pulls.
func TestRegret(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 8))
	of := []float64{0, .5, 2, .125}
	for range 200 {
		var at []int
		for s := 0; len(at) < 6; {
			s += 1 + rnd.IntN(12)
			at = append(at, s)
		}
		r := newRegret(of, at)
		var pulls []int
		for range rnd.IntN(8) {
			var obs []explore.Batch
			for range 1 + rnd.IntN(3) {
				b := explore.Batch{Pull: explore.Pull{Arm: rnd.IntN(4), N: 1 + rnd.IntN(6)}}
				obs = append(obs, b)
				for range b.N {
					pulls = append(pulls, b.Arm)
				}
			}
			if err := r.Record(explore.Event{Obs: obs}); err != nil {
				t.Fatal(err)
			}
		}
		sum := func(n int) (s float64) {
			for _, arm := range pulls[:min(n, len(pulls))] {
				s += of[arm]
			}
			return s
		}
		if r.Total() != sum(len(pulls)) || r.Pulls() != len(pulls) {
			t.Fatalf("total %v of %d pulls; want %v of %d", r.Total(), r.Pulls(), sum(len(pulls)), len(pulls))
		}
		sums, instant := r.AppendSums(nil), r.AppendInstant(nil)
		for i, n := range at {
			want := math.NaN()
			if n <= len(pulls) {
				want = of[pulls[n-1]]
			}
			if sums[i] != sum(n) || instant[i] != want && !(math.IsNaN(want) && math.IsNaN(instant[i])) {
				t.Fatalf("after %d pulls of %d: %v, of the pull %v; want %v and %v", n, len(pulls),
					sums[i], instant[i], sum(n), want)
			}
		}
	}
	// Regrets follow from the means of the law.
	in := toy()
	in.Law = must(NewExact(mat.NewDense(3, 2, []float64{0, 0, 1, 2, 2, 1})))
	if r := NewRegret(in); !slices.Equal(r.of, []float64{1, 0, 0}) {
		t.Errorf("regret of the arms %v; want 1, 0, 0", r.of)
	}
	for _, at := range [][]int{{0}, {3, 3}, {5, 2}} {
		if v := panicOf(func() { newRegret(of, at) }); v != panicTimes {
			t.Errorf("times %v: %v", at, v)
		}
	}
}

// anything accepts every answer.
type anything struct{}

func (anything) Correct(*mat.Dense, explore.Answer) bool { return true }

func toy() *Instance {
	return &Instance{
		Name:    "toy",
		Problem: &explore.Problem{Arms: 3, Objectives: 2, Sigma: 2, Question: anything{}},
		Law: must(NewGaussian(mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}),
			mat.NewSymDense(2, []float64{4, 2, 2, 4}))),
		Notes: []string{"An assumption."},
	}
}

// Axes has one entry for each objective, or none; all numbers are finite, and PerReward is not 0.
func TestAxes(t *testing.T) {
	inf, nan, fine := math.Inf(1), math.NaN(), Axis{Label: "yield", PerReward: 2}
	for _, c := range []struct {
		axes []Axis
		want string // expected error; "" if the axes are valid
	}{
		{nil, ""}, {[]Axis{}, ""}, {[]Axis{fine, {"time", 5, -.5}}, ""}, {[]Axis{fine}, "Axes has 1 entries; expected one for each of 2 objectives, or nil"},
		{[]Axis{fine, fine, fine}, "Axes has 3 entries"}, {[]Axis{fine, {"time", 5, 0}}, "Axes[1] (time): Center is 5, PerReward is 0; expected finite"},
		{[]Axis{{"time", 5, nan}, fine}, "Axes[0] (time): Center is 5, PerReward is NaN"}, {[]Axis{{"time", 5, inf}, fine}, "PerReward is +Inf"},
		{[]Axis{{"time", 5, -inf}, fine}, "PerReward is -Inf"}, {[]Axis{{"time", inf, 1}, fine}, "Center is +Inf, PerReward is 1"},
		{[]Axis{{"time", nan, 1}, fine}, "Center is NaN"}, {[]Axis{{"time", -inf, 1}, fine}, "Center is -Inf"},
	} {
		in := toy()
		in.Axes = c.axes
		if err := in.Validate(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v; want %q", c.axes, err, c.want)
		}
	}
	if a := (Axis{"time", 5, -.5}); a.Out(0) != 5 || a.Out(4) != 3 || !a.Less() || fine.Less() || (Axis{}).Less() {
		t.Errorf("%+v: %v and %v", a, a.Out(0), a.Out(4))
	}
}
