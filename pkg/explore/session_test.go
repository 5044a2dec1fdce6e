package explore_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// script is a policy that requests a fixed list of rounds.
type script struct {
	rounds [][]explore.Pull
	next   int
	told   [][]explore.Batch
	askErr error
	tell   error
}

func (s *script) Init(*explore.Problem, rand.Source) error {
	s.next, s.told = 0, nil
	return nil
}

func (s *script) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if s.askErr != nil {
		return dst, s.askErr
	}
	if s.next < len(s.rounds) {
		dst = append(dst, s.rounds[s.next]...)
	}
	return dst, nil
}

func (s *script) Tell(obs []explore.Batch) error {
	s.next++
	s.told = append(s.told, slices.Clone(obs))
	return s.tell
}

func (s *script) Answer() explore.Answer {
	return explore.Answer{Items: []int{s.next}, Reasons: make([]explore.Reason, 3)}
}

// anything is a question to which every answer is right.
type anything struct{}

func (anything) Correct(*mat.Dense, explore.Answer) bool { return true }

func problem() *explore.Problem {
	return &explore.Problem{
		Arms: 3, Objectives: 2, Sigma: 1, Question: anything{},
		ArmNames:       []string{"placebo", "25 mg", "75 mg"},
		ObjectiveNames: []string{"efficacy", "safety"},
	}
}

func batch(arm, n int, sum ...float64) explore.Batch {
	return explore.Batch{Pull: explore.Pull{Arm: arm, N: n}, Sum: sum}
}

func newScript() *script {
	return &script{rounds: [][]explore.Pull{{{Arm: 0, N: 2}, {Arm: 2, N: 1}}, {{Arm: 1, N: 5}}}}
}

func TestSession(t *testing.T) {
	p := newScript()
	s, err := explore.NewSession(p, problem(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for round, obs := range [][]explore.Batch{{batch(0, 2, 1, 2), batch(2, 1, 3, 4)}, {batch(1, 5, 5, 6)}} {
		for range 2 { // Ask is idempotent
			pulls, err := s.Ask()
			if err != nil || !slices.Equal(pulls, p.rounds[round]) {
				t.Fatalf("round %d: asked %v, %v", round, pulls, err)
			}
		}
		if err := s.Tell(obs); err != nil {
			t.Fatal(err)
		}
		if err := s.Tell(obs); !errors.Is(err, explore.ErrUnexpected) || !strings.Contains(err.Error(), fmt.Sprintf("after round %d was reported", round+1)) {
			t.Fatalf("the same batch told twice, in round %d: %v", round+1, err)
		}
	}
	if r := s.Result(); r.Status != explore.Running {
		t.Errorf("status %v before Ask has returned nothing", r.Status)
	}
	if pulls, err := s.Ask(); err != nil || len(pulls) > 0 {
		t.Fatalf("asked %v, %v; want the end", pulls, err)
	}
	r := s.Result()
	if r.Status != explore.Stopped || r.Pulls != 8 || r.Rounds != 2 ||
		fmt.Sprint(r.ArmPulls) != "[2 5 1]" || r.Status.Err() != nil {
		t.Errorf("result %+v", r)
	}
	if err := s.Tell([]explore.Batch{batch(1, 5, 5, 6)}); !errors.Is(err, explore.ErrUnexpected) || !strings.Contains(err.Error(), "after round 2") {
		t.Errorf("told after the end: %v", err)
	}
}

// Each possible mistake of a laboratory gives a clear error. Nothing is lost, and the right measurements
// are accepted afterwards.
func TestTellErrors(t *testing.T) {
	right := []explore.Batch{batch(0, 2, 1, 2), batch(2, 1, 3, 4)}
	for _, c := range []struct {
		name string
		obs  []explore.Batch
		err  error
		says []string
	}{
		{"too few batches", right[:1], explore.ErrMismatch, []string{"round 1", "1 batches; expected 2"}},
		{"none", nil, explore.ErrMismatch, []string{"0 batches; expected 2"}},
		{"other arm", []explore.Batch{batch(1, 2, 1, 2), right[1]}, explore.ErrMismatch,
			[]string{"25 mg", "2 of placebo"}},
		{"unknown arm", []explore.Batch{right[0], batch(7, 1, 3, 4)}, explore.ErrMismatch,
			[]string{"batch 1", "unknown arm 7", "0 to 2"}},
		{"other count", []explore.Batch{batch(0, 3, 1, 2), right[1]}, explore.ErrMismatch,
			[]string{"3 rewards", "expected 2"}},
		{"short sum", []explore.Batch{batch(0, 2, 1), right[1]}, explore.ErrMismatch,
			[]string{"placebo", "1 entries; expected 2"}},
		{"NaN", []explore.Batch{right[0], batch(2, 1, 3, math.NaN())}, explore.ErrValue,
			[]string{"75 mg", "safety", "NaN"}},
		{"infinite", []explore.Batch{batch(0, 2, math.Inf(-1), 2), right[1]}, explore.ErrValue,
			[]string{"placebo", "efficacy", "-Inf"}},
		{"too large", []explore.Batch{batch(0, 2, 1, 2.1e100), right[1]}, explore.ErrValue,
			[]string{"placebo", "safety", "2.1e+100", "1e100"}},
		{"too large for its noise", []explore.Batch{batch(0, 2, 1, -2.001e6), right[1]},
			explore.ErrOffset, []string{"placebo", "safety", "Sigma = 1", "1e+06", "subtract"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newScript()
			s, err := explore.NewSession(p, problem(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Ask(); err != nil {
				t.Fatal(err)
			}
			err = s.Tell(c.obs)
			if !errors.Is(err, c.err) {
				t.Fatalf("error %v; want %v", err, c.err)
			}
			for _, say := range c.says {
				if !strings.Contains(err.Error(), say) {
					t.Errorf("error %q does not say %q", err, say)
				}
			}
			if len(p.told) > 0 || s.Result().Pulls > 0 {
				t.Error("rewards were accepted in spite of the error")
			}
			if err := s.Tell(right); err != nil {
				t.Errorf("the right measurements afterwards: %v", err)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		set    explore.Settings
		status explore.Status
		pulls  int
	}{
		{explore.Settings{}, explore.Stopped, 8},
		{explore.Settings{MaxPulls: 8}, explore.Stopped, 8},
		{explore.Settings{MaxPulls: 7}, explore.PullLimit, 3},
		{explore.Settings{MaxPulls: 2}, explore.PullLimit, 0},
		{explore.Settings{MaxRounds: 1}, explore.RoundLimit, 3},
		{explore.Settings{MaxRounds: -1}, explore.Stopped, 8},
	} {
		r, err := explore.Run(newScript(), problem(), zeros{}, &c.set)
		if err != nil || r.Status != c.status || r.Pulls != c.pulls {
			t.Errorf("%+v: %v after %d pulls (%v); want %v after %d", c.set, r.Status, r.Pulls, err, c.status, c.pulls)
		}
		if early := c.status != explore.Stopped; early != (r.Status.Err() != nil) || early != r.Status.Early() {
			t.Errorf("%v: Err %v, Early %v", r.Status, r.Status.Err(), r.Status.Early())
		}
	}
}

// zeros is a sampler whose rewards are 0.
type zeros struct{}

func (zeros) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	for _, p := range pulls {
		dst = append(dst, explore.Batch{Pull: p, Sum: []float64{0, 0}})
	}
	return dst, nil
}

type broken struct{ err error }

func (b broken) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	return nil, b.err
}

func (b broken) Record(explore.Event) error { return b.err }

// Every error comes with a result.
func TestFailures(t *testing.T) {
	boom := errors.New("boom")
	check := func(name string, r *explore.Result, err, want error) {
		t.Helper()
		if !errors.Is(err, want) || r == nil || r.Status != explore.Failure || r.Status.Err() == nil {
			t.Errorf("%s: result %+v, error %v", name, r, err)
		}
	}
	r, err := explore.Run(newScript(), problem(), broken{boom}, nil)
	check("sampler", r, err, boom)
	r, err = explore.Run(newScript(), problem(), broken{nil}, nil)
	check("results that are refused", r, err, explore.ErrMismatch)
	r, err = explore.Run(newScript(), problem(), zeros{}, &explore.Settings{Recorder: broken{boom}})
	check("recorder", r, err, boom)
	if !strings.Contains(err.Error(), "recorder, round 1: boom") {
		t.Errorf("error %v; want the round", err)
	}
	r, err = explore.Run(&script{askErr: boom}, problem(), zeros{}, nil)
	check("Ask", r, err, boom)
	r, err = explore.Run(&script{rounds: newScript().rounds, tell: boom}, problem(), zeros{}, nil)
	check("Tell", r, err, boom)
	for _, p := range []explore.Pull{{Arm: 3, N: 1}, {Arm: -1, N: 1}, {Arm: 0, N: 0}, {Arm: 0, N: -2}} {
		r, err = explore.Run(&script{rounds: [][]explore.Pull{{p}}}, problem(), zeros{}, nil)
		check(fmt.Sprint(p), r, err, explore.ErrPolicy)
	}
}

func TestProblemValidate(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1})
	for _, c := range []struct {
		says   string
		change func(p *explore.Problem)
	}{
		{"Arms: 0", func(p *explore.Problem) { p.Arms = 0; p.ArmNames = nil }},
		{"Objectives: -1", func(p *explore.Problem) { p.Objectives = -1 }},
		{"Arms: a table of the means of the arms, 1000000000 x 2 numbers, takes 14.9 GiB; " +
			"expected at most 1 GiB (explore.LargestTable)", func(p *explore.Problem) {
			p.Arms, p.ArmNames = 1e9, nil
		}},
		{"Arms: a table of the means of the arms, 3 x 100000000 numbers, takes 2.24 GiB",
			func(p *explore.Problem) { p.Objectives, p.ObjectiveNames = 1e8, nil }},
		{"Z: a table of the means of the items, 4 x 40000000 numbers, takes 1.19 GiB",
			func(p *explore.Problem) {
				p.Objectives, p.ObjectiveNames = 4e7, nil
				p.X, p.Z = x, mat.NewDense(4, 2, nil)
			}},
		{"Sigma: 0", func(p *explore.Problem) { p.Sigma = 0 }},
		{"Sigma: NaN", func(p *explore.Problem) { p.Sigma = math.NaN() }},
		{"Sigma: +Inf", func(p *explore.Problem) { p.Sigma = math.Inf(1) }},
		{"Sigma: 1e-101", func(p *explore.Problem) { p.Sigma = 1e-101 }},
		{"NormSigma: NaN", func(p *explore.Problem) { p.NormSigma = math.NaN() }},
		{"NormSigma: 1e+101", func(p *explore.Problem) { p.NormSigma = 1e101 }},
		{"NormSigma: -1", func(p *explore.Problem) { p.NormSigma = -1 }},
		{"NormSigma: 0.5; expected at least", func(p *explore.Problem) { p.NormSigma = .5 }},
		{"Question: nil", func(p *explore.Problem) { p.Question = nil }},
		{"ArmNames: 2 names; expected 3", func(p *explore.Problem) { p.ArmNames = p.ArmNames[:2] }},
		{"ItemNames: 3 names; expected 2, or nil", func(p *explore.Problem) {
			p.X, p.Z, p.ItemNames = x, mat.NewDense(2, 2, nil), p.ArmNames
		}},
		{`"placebo" is the name of both number 0 and number 2; names must differ`, func(p *explore.Problem) {
			p.ArmNames = []string{"placebo", "a", "placebo"}
		}},
		{"ObjectiveNames: 1 names; expected 2", func(p *explore.Problem) {
			p.ObjectiveNames = []string{"a"}
		}},
		{"feature 1 of arm 2 is NaN", func(p *explore.Problem) {
			p.X = mat.DenseCopyOf(x)
			p.X.Set(2, 1, math.NaN())
		}},
		{"feature 0 of arm 0 is -Inf", func(p *explore.Problem) {
			p.X = mat.DenseCopyOf(x)
			p.X.Set(0, 0, math.Inf(-1))
		}},
		{"feature 0 of item 0 is +Inf", func(p *explore.Problem) {
			p.X = x
			p.Z = mat.NewDense(1, 2, []float64{math.Inf(1), 0})
		}},
		{"Z: 1 features", func(p *explore.Problem) { p.X = x; p.Z = mat.NewDense(1, 1, nil) }},
		{"X: nil, but items have features (Z)", func(p *explore.Problem) { p.Z = x }},
		{"Sigmas: 1 scales; expected 2", func(p *explore.Problem) { p.Sigmas = []float64{p.Sigma} }},
		{"Sigmas: 0 for", func(p *explore.Problem) { p.Sigmas = []float64{p.Sigma, 0} }},
		{"Sigmas: the largest scale is 0.5", func(p *explore.Problem) { p.Sigma, p.Sigmas = 1, []float64{.5, .25} }},
		{"Known: 2 x 2; expected 3 x 2", func(p *explore.Problem) { p.Known = mat.NewDense(2, 2, nil) }},
		{"Known: given, but known means cannot be combined with Z", func(p *explore.Problem) { p.X, p.Z, p.Known = x, x, mat.NewDense(3, 2, nil) }},
		{"is 1e+101; expected", func(p *explore.Problem) { p.Known = mat.NewDense(3, 2, []float64{0, 0, 0, 0, 0, 1e101}) }},
		{"Costs: 2 costs; expected 3", func(p *explore.Problem) { p.Costs = []float64{1, 1} }},
		{"costs 9e-07", func(p *explore.Problem) { p.Costs = []float64{1, 9e-7, 1} }},
		{"costs 1.1e+12", func(p *explore.Problem) { p.Costs = []float64{1e12, 1e-6, 1.1e12} }},
		{"Link: Link(7)", func(p *explore.Problem) { p.X, p.Link = x, 7 }},
	} {
		p := problem()
		c.change(p)
		_, err := explore.NewSession(newScript(), p, nil)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v; want it to say %q", err, c.says)
		}
	}
	right := problem()
	right.NormSigma = right.Sigma * (1 - 1e-13) // below Sigma only by rounding
	right.X, right.Z, right.ItemNames = x, mat.NewDense(2, 2, nil), []string{"a", "b"}
	for _, p := range []*explore.Problem{problem(), right} {
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
	}
	for p, want := range map[*explore.Problem]string{nil: "explore: problem is nil",
		{Arms: 1, Sigma: 1, Question: picky{}}: "explore: problem: Question: too picky"} {
		if err := p.Validate(); err == nil || err.Error() != want {
			t.Errorf("error %v; want %q", err, want)
		}
	}
}

// picky is a question that fits no problem.
type picky struct{ anything }

func (picky) Validate(*explore.Problem) error { return errors.New("too picky") }

// endless requests the same two pulls forever.
type endless struct{ anything }

func (endless) Init(*explore.Problem, rand.Source) error { return nil }
func (endless) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return append(dst, explore.Pull{Arm: 0, N: 1}, explore.Pull{Arm: 2, N: 1}), nil
}
func (endless) Tell([]explore.Batch) error { return nil }
func (endless) Answer() explore.Answer     { return explore.Answer{} }
