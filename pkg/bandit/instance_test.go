package bandit

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

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

// An axis for each objective, or none; each is a line that is not level, up or down. What it says is by hand.
func TestAxes(t *testing.T) {
	inf, nan, fine := math.Inf(1), math.NaN(), Axis{Label: "yield", PerReward: 2}
	for _, c := range []struct {
		axes []Axis
		want string // "" if they are right
	}{
		{nil, ""}, {[]Axis{}, ""}, {[]Axis{fine, {"time", 5, -.5}}, ""}, {[]Axis{fine}, "Axes has 1 entries; want one for each of 2 objectives, or nil"},
		{[]Axis{fine, fine, fine}, "Axes has 3 entries"}, {[]Axis{fine, {"time", 5, 0}}, "Axes[1] (time): a reward is 5, and one more 0; want finite"},
		{[]Axis{{"time", 5, nan}, fine}, "Axes[0] (time): a reward is 5, and one more NaN"}, {[]Axis{{"time", 5, inf}, fine}, "one more +Inf"},
		{[]Axis{{"time", 5, -inf}, fine}, "one more -Inf"}, {[]Axis{{"time", inf, 1}, fine}, "a reward is +Inf, and one more 1"},
		{[]Axis{{"time", nan, 1}, fine}, "a reward is NaN"}, {[]Axis{{"time", -inf, 1}, fine}, "a reward is -Inf"},
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
