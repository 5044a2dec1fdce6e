package explore_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// follower pulls the arm whose context has the largest first feature, for a given number of rounds, and records
// the contexts.
type follower struct {
	rounds int
	saw    [][]float64
	arm    int
	told   []float64
}

func (f *follower) Init(*explore.Problem, rand.Source) error {
	f.saw, f.told = nil, nil
	return nil
}

func (f *follower) Observe(x *mat.Dense) {
	f.saw = append(f.saw, append([]float64{}, x.RawMatrix().Data...))
	k, _ := x.Dims()
	f.arm = 0
	for i := range k {
		if x.At(i, 0) > x.At(f.arm, 0) {
			f.arm = i
		}
	}
}

func (f *follower) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if len(f.told) < f.rounds {
		dst = append(dst, explore.Pull{Arm: f.arm, N: 1})
	}
	return dst, nil
}

func (f *follower) Tell(obs []explore.Batch) error {
	f.told = append(f.told, obs[0].Sum...)
	return nil
}

func (f *follower) Answer() explore.Answer { return explore.Answer{Items: []int{f.arm}} }

// weather is a problem with two arms and two changing features.
func weather() *explore.Problem {
	return &explore.Problem{
		X: mat.NewDense(2, 2, []float64{1, 0, 0, 1}), Changing: true, Sigma: 1,
		Question: anything{},
		ArmNames: []string{"umbrella", "hat"},
	}
}

// days draws contexts that identify the round, and rewards that identify the round and the arm.
type days struct {
	round int
	err   error
}

func (d *days) Contexts(dst *mat.Dense) error {
	d.round++
	r := float64(d.round)
	dst.Copy(mat.NewDense(2, 2, []float64{math.Sin(r), r, math.Cos(r), -r}))
	return d.err
}

func (d *days) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	for _, p := range pulls {
		dst = append(dst, explore.Batch{Pull: p, Sum: []float64{float64(10*d.round + p.Arm)}})
	}
	return dst, nil
}

// contextsSeen records the contexts of events.
type contextsSeen struct{ x []*mat.Dense }

func (c *contextsSeen) Record(e explore.Event) error {
	if e.Contexts == nil {
		c.x = append(c.x, nil)
		return nil
	}
	c.x = append(c.x, mat.DenseCopyOf(e.Contexts))
	return nil
}

func TestRunReadsContexts(t *testing.T) {
	f, rec := &follower{rounds: 5}, &contextsSeen{}
	r, err := explore.Run(f, weather(), &days{}, &explore.Settings{Recorder: rec})
	if err != nil || r.Pulls != 5 || r.Status != explore.Stopped {
		t.Fatalf("%+v, %v", r, err)
	}
	for round := range 5 {
		want := []float64{math.Sin(float64(round + 1)), float64(round + 1), math.Cos(float64(round + 1)), -float64(round + 1)}
		arm := 0.
		if want[2] > want[0] {
			arm = 1
		}
		if !reflect.DeepEqual(f.saw[round], want) || f.told[round] != 10*float64(round+1)+arm {
			t.Errorf("round %d: saw %v, told %v; want %v and the arm that is larger first", round+1,
				f.saw[round], f.told[round], want)
		}
		if rec.x[round] == nil || !reflect.DeepEqual(rec.x[round].RawMatrix().Data, want) {
			t.Errorf("round %d: recorded %v; want %v", round+1, rec.x[round], want)
		}
	}
	// No contexts are needed if the policy reads no contexts, or if the features are fixed.
	fixed := weather()
	fixed.Changing = false
	rec.x = nil
	if _, err := explore.Run(&follower{rounds: 1}, fixed, &days{},
		&explore.Settings{Recorder: rec}); err != nil || rec.x[0] != nil {
		t.Errorf("features that do not change: contexts %v, %v", rec.x, err)
	}
	plain := weather()
	plain.Objectives, plain.X, plain.ArmNames = 2, mat.NewDense(3, 1, nil), nil
	if _, err := explore.Run(newScript(), plain, silent{}, nil); err != nil {
		t.Errorf("a policy without contexts: %v", err)
	}
	// A run ends with an error if the sampler has no contexts, or returns an error.
	if _, err := explore.Run(&follower{rounds: 1}, weather(), silent{}, nil); !errors.Is(err, explore.ErrContext) {
		t.Errorf("a sampler without contexts: %v", err)
	}
	broken := errors.New("no sun today")
	r, err = explore.Run(&follower{rounds: 1}, weather(), &days{err: broken}, nil)
	if !errors.Is(err, broken) || r.Status != explore.Failure || !strings.Contains(err.Error(), "no contexts in round 1") {
		t.Errorf("a sampler that fails: %+v, %v", r, err)
	}
}

// silent is a sampler without contexts, whose rewards are 0.
type silent struct{}

func (silent) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	for _, p := range pulls {
		dst = append(dst, explore.Batch{Pull: p, Sum: make([]float64, 2)})
	}
	return dst, nil
}

func TestSessionContexts(t *testing.T) {
	f := &follower{rounds: 1}
	s, err := explore.NewSession(f, weather(), nil)
	if err != nil || !s.ReadsContexts() {
		t.Fatal(err)
	}
	if _, err := s.Ask(); !errors.Is(err, explore.ErrContext) || !strings.Contains(err.Error(), "round 1") {
		t.Errorf("asked before the contexts: %v", err)
	}
	nan := math.NaN()
	for _, c := range []struct {
		x    *mat.Dense
		want string
	}{
		{nil, "expected 2 x 2"},
		{mat.NewDense(2, 3, nil), "contexts of 2 arms x 3 features; expected 2 x 2"},
		{mat.NewDense(3, 2, nil), "contexts of 3 arms x 2 features; expected 2 x 2"},
		{mat.NewDense(2, 2, []float64{0, 0, 1, nan}), "the context of hat, column 1, is NaN"},
		{mat.NewDense(2, 2, []float64{math.Inf(1), 0, 1, 2}), "the context of umbrella, column 0, is +Inf"},
		{mat.NewDense(2, 2, []float64{0, -1e101, 1, 2}), "the context of umbrella, column 1"},
	} {
		if err := s.Observe(c.x); !errors.Is(err, explore.ErrContext) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want %q", err, c.want)
		}
	}
	if len(f.saw) > 0 {
		t.Fatal("the policy saw contexts that were refused")
	}
	x := mat.NewDense(2, 2, []float64{0, 1, 2, 3})
	if err := s.Observe(x); err != nil {
		t.Fatal(err)
	}
	if err := s.Observe(x); !errors.Is(err, explore.ErrUnexpected) || !strings.Contains(err.Error(), "with the same values") {
		t.Errorf("the same contexts again: %v", err)
	}
	if err := s.Observe(mat.NewDense(2, 2, nil)); !errors.Is(err, explore.ErrUnexpected) ||
		!strings.Contains(err.Error(), "with other values") {
		t.Errorf("other contexts: %v", err)
	}
	if err := s.Observe(nil); !errors.Is(err, explore.ErrUnexpected) {
		t.Errorf("no contexts after those of the round: %v", err)
	}
	for range 2 { // Ask is idempotent
		if pulls, err := s.Ask(); err != nil || len(pulls) != 1 || pulls[0].Arm != 1 {
			t.Fatal(pulls, err)
		}
	}
	if err := s.Tell([]explore.Batch{batch(1, 1, 5)}); err != nil {
		t.Fatal(err)
	}
	if err := s.Observe(x); err != nil {
		t.Fatal(err)
	}
	if pulls, err := s.Ask(); err != nil || len(pulls) > 0 {
		t.Fatal(pulls, err)
	}
	s2, err := explore.NewSession(&follower{rounds: 0}, weather(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s2.Observe(x)
	if pulls, err := s2.Ask(); err != nil || len(pulls) > 0 {
		t.Fatal(pulls, err)
	}
	if err := s2.Observe(x); !errors.Is(err, explore.ErrUnexpected) || !strings.Contains(err.Error(), "has ended") {
		t.Errorf("contexts after the end: %v", err)
	}
	// If the features are fixed, a session rejects contexts.
	fixed := weather()
	fixed.Changing = false
	s, err = explore.NewSession(f, fixed, nil)
	if err != nil || s.ReadsContexts() {
		t.Fatal(err)
	}
	if err := s.Observe(x); !errors.Is(err, explore.ErrContext) || !strings.Contains(err.Error(), "set Problem.Changing") {
		t.Errorf("features that do not change: %v", err)
	}
	s, err = explore.NewSession(newScript(), weather(), nil)
	if err != nil || s.ReadsContexts() {
		t.Fatal(err)
	}
	if err := s.Observe(x); !errors.Is(err, explore.ErrContext) || !strings.Contains(err.Error(), "uses no contexts") {
		t.Errorf("a policy without contexts: %v", err)
	}
	none := weather()
	none.X = nil
	none.Arms = 2
	if _, err := explore.NewSession(f, none, nil); err == nil ||
		!strings.Contains(err.Error(), "X: nil, but the features are Changing") {
		t.Errorf("changing features without their shape: %v", err)
	}
}

// With changing features, the policy receives the features of a round before Ask.
func ExampleSession_Observe() {
	prob := &explore.Problem{
		X: mat.NewDense(2, 1, []float64{.4, .6}), Changing: true, // mean features
		Sigma: 1, Question: anything{}, ArmNames: []string{"umbrella", "hat"},
	}
	s, err := explore.NewSession(&follower{rounds: 2}, prob, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, today := range [][]float64{{.9, .2}, {.1, .8}} {
		if err := s.Observe(mat.NewDense(2, 1, today)); err != nil {
			fmt.Println(err)
			return
		}
		pulls, _ := s.Ask()
		fmt.Println(today, prob.Arm(pulls[0].Arm))
		s.Tell([]explore.Batch{{Pull: pulls[0], Sum: []float64{1}}})
	}
	// Output:
	// [0.9 0.2] umbrella
	// [0.1 0.8] hat
}
