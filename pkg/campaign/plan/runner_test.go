package plan

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// scripted is a policy that requests the candidates 1, 0 and 1, and returns a given answer. It records the pending
// measurements that it receives.
type scripted struct {
	explore.Asynchronous
	asked  int
	answer explore.Answer
	out    []string
}

func (s *scripted) More(dst []explore.Pull, n int, out []explore.Pull) ([]explore.Pull, error) {
	s.out = append(s.out, fmt.Sprint(n, out))
	if s.asked++; s.asked > 3 {
		return dst, nil
	}
	return append(dst, explore.Pull{Arm: s.asked % 2, N: 1}), nil
}

func (s *scripted) Answer() explore.Answer { return s.answer }

// If each trial is a reward, the runner requests measurements one by one. Late measurements and earlier requests of
// the same call of more count as pending. The call ends when the policy requests nothing, or when the plate is full.
func TestMoreOfTrials(t *testing.T) {
	for room, want := range map[int]string{2: "[1 [{1 24}] 1 [{1 24} {1 12}]]", 9: "[1 [{1 24}] 1 [{1 24} {1 12}] 1 [{1 24} {1 12} {0 12}] 1 [{1 24} {1 12} {0 12} {1 12}]]"} {
		s := &scripted{}
		r := &runner{each: 12, room: room, lab: lab{pending: []explore.Pull{{Arm: 1, N: 2}}}, pulls: []explore.Pull{{Arm: 5, N: 5}}}
		pulls, err := r.more(s)
		if got := fmt.Sprint(s.out); err != nil || got != want || len(pulls) != min(room, 3) || pulls[0] != (explore.Pull{Arm: 1, N: 1}) {
			t.Errorf("room for %d: %v, %v; the policy saw %s; want %s", room, pulls, err, got, want)
		}
	}
}

// The best guess is recorded once, before the first measurement beyond the budget, and never without a budget.
func TestLookOnce(t *testing.T) {
	p := parsed(t, `find = "best"`, "", "noise = { sd = 2.0 }\nguess = \"guess\"", threeGuesses)
	b, err := believe(p)
	if err != nil {
		t.Fatal(err)
	}
	for afford, want := range map[int]string{0: "false false []", 10: "true true [2]", 12: "true false [0]", 15: "false false []", 16: "false false []"} {
		r := newRunner(compiled(t, p), b, 1000)
		r.law.user.Copy(b.mean)
		r.law.set()
		r.afford = afford
		var out outcome
		for i, item := range []int{2, 0, 1} { // C is the best candidate
			r.policy = &scripted{answer: explore.Answer{Items: []int{item}}}
			out.pulls = []int{8, 11, 12}[i]
			r.look(&out, []int{3, 4, 2}[i])
		}
		if got := fmt.Sprint(out.looked, out.guessed, out.guess); got != want {
			t.Errorf("%d are affordable: %s; want %s", afford, got, want)
		}
	}
}

// Reported replicates can make the confirmation unnecessary. After one or two results of each of three clearly
// different candidates, nine confirming measurements remain. After three results of each candidate, none remains.
func TestConfirmedByWhatIsTold(t *testing.T) {
	p := parsed(t, `find = "best"`, "", "noise = { sd = 0.001 }\nguess = \"guess\"", threeGuesses)
	p.Method.Name = "UGapE"
	for n, want := range map[int]float64{1: 9, 2: 9, 3: 0} {
		f := remaining(t, p, []explore.Batch{one(0, n, 0, .001), one(1, n, 1, .001), one(2, n, 3, .001)}, 5)
		if got := f.Measurements.Median.Value; got != want {
			t.Errorf("%d of each: %v are left; want %v", n, got, want)
		}
	}
}

// A plan with a budget compares two methods with a fixed budget: first the recommended method, then the method with
// equal replicates of all candidates. Each method appears once, even if it is the method of the problem.
func TestMethodsThatSpend(t *testing.T) {
	const uniform = "Uniform, fixed budget"
	p := parsed(t, `find = "best"`, "", "noise = { sd = 2.0 }\nguess = \"guess\"", threeGuesses)
	p.Laboratory = problem.Laboratory{Measurements: 96}
	first := p.Budgeted()[0]
	if first == uniform {
		t.Fatal("equal replicates are recommended")
	}
	for own, want := range map[string][]string{p.MethodName(): {first, uniform}, first: {first, uniform}, uniform: {uniform, first}} {
		methods, err := usual(p, own)
		got := slices.DeleteFunc(slices.Clone(methods), func(m string) bool { return m != first && m != uniform })
		if err != nil || methods[0] != own || !slices.Equal(got, want) || len(slices.Compact(slices.Sorted(slices.Values(methods)))) != len(methods) {
			t.Errorf("%s: %q, %v; want %q among them", own, methods, err, want)
		}
	}
}

// The decision made last has the smallest ratio of the distance from its threshold to the confidence radius. A
// decision without a radius has an infinite ratio, and an answer without reasons has no last decision.
func TestRatios(t *testing.T) {
	for _, x := range []struct{ x, radius, want float64 }{{3, 2, 1.5}, {-3, 2, 1.5}, {3, 0, math.Inf(1)}, {0, 0, math.Inf(1)}} {
		if got := ratio(x.x, x.radius); got != x.want {
			t.Errorf("%v of %v: %v; want %v", x.x, x.radius, got, x.want)
		}
	}
	p := parsed(t, `find = "best"`, "", "noise = { sd = 2.0 }\nguess = \"guess\"", threeGuesses)
	if got := against(compiled(t, p), explore.Answer{Items: []int{1}}); got != nil {
		t.Errorf("%v", got)
	}
}
