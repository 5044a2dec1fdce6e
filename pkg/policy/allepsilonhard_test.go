package policy_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

// What no number of rewards decides ends at a limit or with ErrUndecidable, with the items in
// question undecided and the others as they are: an arm on the threshold; two best arms when the
// tolerance is 0. So does every policy for all epsilon-best arms with a fixed confidence.
func TestAllEpsilonUndecidable(t *testing.T) {
	for _, c := range []struct {
		name    string
		epsilon float64
		theta   []float64
		open    []int
	}{
		{"on the threshold", .5, []float64{1, .5, 0}, []int{1}},
		{"two best", 0, []float64{1, 1, 0}, []int{0, 1}},
	} {
		inst := allCase(c.name, .1, c.epsilon, c.theta, basis(3))
		for _, p := range []explore.Policy{
			new(policy.LinFACT), &policy.LinFACT{Design: policy.LinFACTG}, new(policy.LinFACTMIS),
			&policy.LinFACTMIS{Deviation: 1e-4, Orthogonal: true}, new(policy.LinFACTGLM),
			new(policy.GStatic), new(policy.AllEpsilonGame), new(policy.AllEpsilonTrackAndStop),
			new(policy.ST2), new(policy.EAST), new(policy.FAREAST),
		} {
			r, err := explore.Run(p, inst.Problem, inst.Exact(),
				&explore.Settings{MaxPulls: 20_000})
			ended := err == nil && (r.Status == explore.PullLimit || len(r.Warnings) > 0) ||
				errors.Is(err, policy.ErrUndecidable)
			if !ended {
				t.Errorf("%s: %v: %v, %v", c.name, p, err, r.Status)
				continue
			}
			for _, i := range c.open {
				if !slices.Contains(r.Answer.Of(explore.Undecided), i) {
					t.Errorf("%s: %v: arm %d is not undecided: %+v", c.name, p, i, r.Answer)
				}
			}
			if slices.Contains(r.Answer.Items, 2) {
				t.Errorf("%s: %v: arm 2 is in the answer %v", c.name, p, r.Answer.Items)
			}
		}
	}
	// An arm at the level: the others are told apart from it, but there are no reasons to say so.
	inst := allCase("at the level", .1, .5, []float64{1, .5, 0}, basis(3))
	r, err := explore.Run(&policy.LazyThreshold{Level: .5}, inst.Problem, inst.Exact(),
		&explore.Settings{MaxPulls: 5_000})
	if err != nil || r.Status != explore.PullLimit || !slices.Contains(r.Answer.Items, 0) ||
		slices.Contains(r.Answer.Items, 2) {
		t.Errorf("at the level: %v, %+v", err, r)
	}
}

// Deviations that are too large for anything to be classified: all arms are undecided and named,
// and none is in the answer, with either estimate.
func TestLinFACTMISTooLarge(t *testing.T) {
	inst := allCase("too large", 1, .4, []float64{1, .3, 0}, basis(3))
	inst.Problem.ArmNames = []string{"top", "middle", "low"}
	for _, p := range []explore.Policy{
		&policy.LinFACTMIS{Deviation: 5}, &policy.LinFACTMIS{Deviation: 5, Orthogonal: true},
		&policy.LinFACTMIS{Deviation: 5, Orthogonal: true, Largest: 2},
	} {
		r, err := explore.Run(p, inst.Problem, inst.Exact(), nil)
		if err != nil || r.Status != explore.Stopped || len(r.Answer.Items) != 0 ||
			len(r.Answer.Of(explore.Undecided)) != 3 || len(r.Warnings) != 1 {
			t.Fatalf("%v: %v, %+v", p, err, r)
		}
		for _, name := range inst.Problem.ArmNames {
			if !strings.Contains(r.Warnings[0].Error(), name+" (") {
				t.Errorf("%v: %v does not name %s", p, r.Warnings[0], name)
			}
		}
	}
}
