package patience

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// Up to Long rewards, rounds do not grow. A run that ends after t rewards could have ended at most
// t/Slow rewards earlier. The limit Most is reached in at most 1.2 million rounds.
func TestRewards(t *testing.T) {
	if before, after := Rewards(1_000_000, 1), Rewards(3<<20, 1); before != 1 || after != 2049 {
		t.Errorf("%d at once after a million rewards, %d after three; want 1 and 2049", before, after)
	}
	for _, n := range []int{1, 2, 20} {
		rounds, rewards := 0, 0
		for ; rewards < Most; rounds++ {
			r := Rewards(rewards, n)
			if rewards <= Long && r != 1 {
				t.Fatalf("%d rewards after %d", r, rewards)
			}
			if n*(r-1) > rewards/Slow {
				t.Fatalf("%d x %d rewards after %d; want at most a share of 1/%d more than %d", n, r, rewards, Slow, n)
			}
			rewards += n * r
		}
		if rounds > 1_200_000 {
			t.Errorf("%d rounds of %d pulls", rounds, n)
		}
	}
}

// answer is a policy with given reasons.
type answer []explore.Reason

func (a answer) Answer() explore.Answer { return explore.Answer{Reasons: a} }

func TestExtend(t *testing.T) {
	p := &explore.Problem{Arms: 3, Sigma: 1, ArmNames: []string{"ann", "bob", "cid"}}
	tie := explore.Reason{By: 2, Constraint: -1, Margin: -.01, MarginRadius: .1}
	edge := explore.Reason{By: -1, Constraint: 1, Slack: -.03, SlackRadius: .1}
	first0 := explore.Reason{By: 0, Constraint: -1, Margin: .1, MarginRadius: .1}
	edge0 := explore.Reason{By: -1, Constraint: 0, Slack: .05, SlackRadius: .1}
	sure := explore.Reason{Class: explore.Optimal, By: 2, Constraint: 0, MarginRadius: 1, SlackRadius: 1}
	first := explore.Pull{Arm: 2, N: 7}
	pulls := []explore.Pull{first, {Arm: 0, N: 1}, {Arm: 1, N: 1}}
	const after = Long + 20*Slow
	// Up to Long rewards, rounds keep their length; the first longer round comes after Long + 2
	// Slow rewards.
	for _, n := range []int{0, Long, Long + 2*Slow - 1} {
		if got, err := Extend(slices.Clone(pulls), 1, n, p, answer{}); err != nil || !slices.Equal(got, pulls) {
			t.Errorf("after %d rewards: %v, %v; want %v", n, got, err, pulls)
		}
	}
	got, err := Extend(slices.Clone(pulls), 1, after, p, answer{})
	if want := []explore.Pull{first, {Arm: 0, N: 11}, {Arm: 1, N: 11}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	// The pulls of a policy that has stopped are not extended, at any number of rewards.
	if got, err := Extend(slices.Clone(pulls[:1]), 1, Most, p, answer{tie}); err != nil || !slices.Equal(got, pulls[:1]) {
		t.Errorf("%v, %v; want no pulls", got, err)
	}
	if err := End(Most-1, p, answer{tie}); err != nil {
		t.Errorf("%v before the end", err)
	}
	for _, c := range []struct {
		a    answer
		want []string
	}{
		{answer{sure, tie, edge}, []string{"bob and cid", "0.11", "Epsilon"}},
		{answer{sure, edge, sure}, []string{"bob", "0.13", "constraint 1"}},
		{answer{sure}, []string{"1e+12"}},
		{answer{sure, first0, sure}, []string{"bob and ann", "0.2"}},
		{answer{sure, sure, edge0}, []string{"cid", "0.15", "constraint 0"}},
	} {
		got, err := Extend(slices.Clone(pulls), 1, Most, p, c.a)
		if !errors.Is(err, ErrUndecidable) || !slices.Equal(got, pulls[:1]) {
			t.Errorf("%v, %v; want ErrUndecidable and no pulls", got, err)
			continue
		}
		if end := End(Most, p, c.a); end == nil || end.Error() != err.Error() {
			t.Errorf("the end is %v; want %v", end, err)
		}
		for _, s := range c.want {
			if !strings.Contains(err.Error(), s) || strings.Contains(err.Error(), "ann") != slices.ContainsFunc(c.want, func(s string) bool {
				return strings.Contains(s, "ann")
			}) {
				t.Errorf("%v; want %q, and nothing on others", err, s)
			}
		}
	}
}
