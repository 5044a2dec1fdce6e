package policytest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// A Failure is a rule that a policy broke.
type Failure struct {
	Check, Case string
	Err         error
}

// Test runs every check on every case, each as a subtest. New returns a fresh
// policy with the same settings each time.
func Test(t *testing.T, new func() explore.Policy, cases ...Case) {
	t.Helper()
	for i := range cases {
		for _, check := range checks {
			t.Run(cases[i].Name+"/"+check.name, func(t *testing.T) {
				if err := safely(check.f, new, &cases[i]); err != nil {
					t.Errorf("%s: %v", check.rule, err)
				}
			})
		}
	}
}

// Check runs every check on every case and returns the failures.
func Check(new func() explore.Policy, cases ...Case) []Failure {
	var fs []Failure
	for i := range cases {
		for _, check := range checks {
			if err := safely(check.f, new, &cases[i]); err != nil {
				fs = append(fs, Failure{check.name, cases[i].Name, err})
			}
		}
	}
	return fs
}

// safely turns a panic of the policy into a failure of the check.
func safely(check func(func() explore.Policy, *Case) error, new func() explore.Policy,
	c *Case) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return check(new, c)
}

// checks are the rules, each with what a violation means.
var checks = []struct {
	name, rule string
	f          func(new func() explore.Policy, c *Case) error
}{
	{"noise-free", "without noise the answer is right", noiseFree},
	{"explained", "an answer is sorted, complete and consistent, and its reasons are true",
		explained},
	{"determinism", "the same seed gives the same run", determinism},
	{"reuse", "Init forgets earlier runs", reuse},
	{"replay", "a run can be resumed from the log of its batches", replay},
	{"relabelling", "the names of the arms do not matter", relabelling},
	{"units", "the units of the objectives do not matter", units},
	{"origin", "the origin of the objectives does not matter", origin},
	{"coordinates", "the coordinates of the features do not matter", coordinates},
	{"duplicates", "a copy of a rejected arm is rejected", duplicates},
	{"untouched", "the problem and the measurements belong to the caller", untouched},
	{"limits", "a run that is cut short says what is undecided and claims nothing false", limits},
	{"budget", "neither budget nor schedule is exceeded", budget},
	{"allocations", "a round allocates nothing", allocations},
	{"before the first pull", "a policy that has seen nothing claims nothing", ignorant},
}

// A step is one round of a run, for comparison.
type step struct {
	pulls []explore.Pull
	obs   []explore.Batch
}

// record runs p on c with noise from s and keeps the first 2000 rounds.
func record(p explore.Policy, c *Case, s seed.Seed) (*explore.Result, []step, error) {
	rec := &recorder{}
	r, err := explore.Run(p, c.Problem, c.sampler(s.Child("noise")), &explore.Settings{
		MaxPulls: c.MaxPulls, Src: s.Child("policy").Source(), Recorder: rec,
	})
	return r, rec.steps, err
}

type recorder struct{ steps []step }

func (r *recorder) Record(e explore.Event) error {
	if len(r.steps) < 2000 {
		var s step
		for _, b := range e.Obs {
			s.pulls = append(s.pulls, b.Pull)
			s.obs = append(s.obs, explore.Batch{Pull: b.Pull, Sum: slices.Clone(b.Sum)})
		}
		r.steps = append(r.steps, s)
	}
	return nil
}

// same compares two runs.
func same(a, b *explore.Result, sa, sb []step) error {
	for r := range min(len(sa), len(sb)) {
		if !slices.Equal(sa[r].pulls, sb[r].pulls) {
			return fmt.Errorf("round %d asks for %v in one run and %v in the other", r+1,
				sa[r].pulls, sb[r].pulls)
		}
	}
	if !reflect.DeepEqual(a, b) {
		return fmt.Errorf("results differ:\n%+v\n%+v", a, b)
	}
	return nil
}

var root = seed.New(20260101)

func noiseFree(new func() explore.Policy, c *Case) error {
	r, err := explore.Run(new(), c.Problem, c.Exact(), &explore.Settings{MaxPulls: c.MaxPulls})
	switch {
	case err != nil:
		return err
	case r.Status != explore.Stopped:
		return fmt.Errorf("the run ended by %v after %d pulls, %d rounds", r.Status, r.Pulls,
			r.Rounds)
	case !c.Problem.Question.Correct(c.Truth(), r.Answer):
		return fmt.Errorf("wrong answer %+v", r.Answer)
	}
	return nil
}

func explained(new func() explore.Policy, c *Case) error {
	r, err := explore.Run(new(), c.Problem, c.Exact(), &explore.Settings{MaxPulls: c.MaxPulls})
	if err != nil {
		return err
	}
	return sound(c, r)
}

// sound checks the form of a final answer and the truth of its reasons where no
// noise excuses an error.
func sound(c *Case, r *explore.Result) error {
	a := r.Answer
	if !slices.IsSorted(a.Items) || len(slices.Compact(slices.Clone(a.Items))) != len(a.Items) {
		return fmt.Errorf("items %v are not in ascending order, each once", a.Items)
	}
	if a.Reasons == nil {
		return nil
	}
	if len(a.Reasons) != c.Problem.M() {
		return fmt.Errorf("%d reasons for %d items", len(a.Reasons), c.Problem.M())
	}
	if r.Status == explore.Stopped {
		if o := a.Of(explore.Optimal); !slices.Equal(o, a.Items) {
			return fmt.Errorf("items %v, but optimal are %v", a.Items, o)
		}
		partial, ok := c.Problem.Question.(explore.Partialler)
		if u := a.Of(explore.Undecided); u != nil && !(ok && partial.Partial()) {
			return fmt.Errorf("stopped with %v undecided", u)
		}
	}
	for i, x := range a.Reasons {
		switch {
		case x.By < -1 || x.By >= len(a.Reasons) || x.By == i:
			return fmt.Errorf("item %d is compared with %d", i, x.By)
		case math.IsNaN(x.Margin) || math.IsNaN(x.Slack) || x.MarginRadius < 0 || x.SlackRadius < 0:
			return fmt.Errorf("item %d: %+v", i, x)
		case x.Class == explore.Infeasible && !(x.Slack < 0):
			return fmt.Errorf("item %d is infeasible with slack %v", i, x.Slack)
		case x.Class == explore.Dominated && x.By < 0:
			return fmt.Errorf("item %d is dominated by nobody", i)
		}
		if x.Class == explore.Dominated && x.Margin > 0 {
			by, own := c.Truth().RawRowView(x.By), c.Truth().RawRowView(i)
			if q, ok := c.Problem.Question.(explore.Valuer); ok {
				if q.Value(by) < q.Value(own) {
					return fmt.Errorf("item %d is said to be behind %d, which is worth less", i,
						x.By)
				}
				continue
			}
			for j, v := range by {
				if v < own[j] {
					return fmt.Errorf(
						"item %d is said to be dominated by %d, which is worse in "+
							"objective %d", i, x.By, j)
				}
			}
		}
	}
	return nil
}

func determinism(new func() explore.Policy, c *Case) error {
	s := root.Child(c.Name)
	a, sa, err := record(new(), c, s)
	if err != nil {
		return err
	}
	b, sb, err := record(new(), c, s)
	if err != nil {
		return err
	}
	return same(a, b, sa, sb)
}

func reuse(new func() explore.Policy, c *Case) error {
	p := new()
	first := root.Child(c.Name)
	if _, _, err := record(p, c, root.Child(c.Name, "other")); err != nil {
		return err
	}
	a, sa, err := record(p, c, first)
	if err != nil {
		return err
	}
	b, sb, err := record(new(), c, first)
	if err != nil {
		return err
	}
	return same(a, b, sa, sb)
}

// replay feeds the log of a run to a fresh policy that is asked twice before
// each answer and whose answer is read in between.
func replay(new func() explore.Policy, c *Case) error {
	s := root.Child(c.Name)
	_, steps, err := record(new(), c, s)
	if err != nil {
		return err
	}
	ses, err := explore.NewSession(new(), c.Problem,
		&explore.Settings{MaxPulls: c.MaxPulls, Src: s.Child("policy").Source()})
	if err != nil {
		return err
	}
	for r, st := range steps {
		ses.Result()
		pulls, err := ses.Ask()
		if err != nil {
			return err
		}
		if !slices.Equal(pulls, st.pulls) {
			return fmt.Errorf("round %d asks for %v, the log has %v", r+1, pulls, st.pulls)
		}
		if err := ses.Tell(st.obs); err != nil {
			return err
		}
	}
	return nil
}

// randomised reports whether the runs of a policy depend on its own seed.
func randomised(new func() explore.Policy, c *Case) bool {
	s := root.Child(c.Name)
	run := func(own string) []int {
		r, err := explore.Run(new(), c.Problem, c.sampler(s.Child("noise")),
			&explore.Settings{MaxPulls: c.MaxPulls, Src: s.Child(own).Source()})
		if err != nil {
			return nil
		}
		return r.ArmPulls
	}
	return !slices.Equal(run("a"), run("b"))
}

// compareMoved checks that m, which is c with arm i from arm from[i], gives the
// same answer; and the same pulls where exactly is true.
func compareMoved(new func() explore.Policy, c, m *Case, from []int, exactly bool) error {
	s := root.Child(c.Name)
	a, _, err := record(new(), c, s)
	if err != nil {
		return err
	}
	b, _, err := record(new(), m, s)
	if err != nil {
		return err
	}
	exactly = exactly && !randomised(new, c)
	for i, f := range from {
		if exactly && b.ArmPulls[i] != a.ArmPulls[f] {
			return fmt.Errorf("%d pulls of arm %d instead of %d", b.ArmPulls[i], i, a.ArmPulls[f])
		}
	}
	if c.Problem.Z != nil {
		from = identity(c.Problem.M())
	}
	for i, f := range from {
		if slices.Contains(b.Answer.Items, i) != slices.Contains(a.Answer.Items, f) {
			return fmt.Errorf("answer %v, formerly %v", b.Answer.Items, a.Answer.Items)
		}
		if exactly && a.Answer.Reasons != nil &&
			b.Answer.Reasons[i].Class != a.Answer.Reasons[f].Class {
			return fmt.Errorf("arm %d is %v, formerly %v", i, b.Answer.Reasons[i].Class,
				a.Answer.Reasons[f].Class)
		}
	}
	return nil
}

func relabelling(new func() explore.Policy, c *Case) error {
	from := rand.New(root.Child("relabelling").Source()).Perm(c.Problem.K())
	if m, ok := c.move(1, make([]float64, c.Problem.D()), from); ok {
		return compareMoved(new, c, m, from, !c.Inexact)
	}
	return nil
}

// units multiplies everything by a power of 2, which is exact in floating
// point: not one pull may change.
func units(new func() explore.Policy, c *Case) error {
	from := identity(c.Problem.K())
	if m, ok := c.move(64, make([]float64, c.Problem.D()), from); ok {
		return compareMoved(new, c, m, from, !c.UnitDependent)
	}
	return nil
}

// origin adds constants to the objectives, which rounds: pulls may change where
// two numbers nearly tie.
func origin(new func() explore.Policy, c *Case) error {
	shift := make([]float64, c.Problem.D())
	for i := range shift {
		shift[i] = 3 - 5.5*float64(i)
	}
	from := identity(c.Problem.K())
	if m, ok := c.move(1, shift, from); ok {
		return compareMoved(new, c, m, from, false)
	}
	return nil
}

// coordinates shears the features, which rounds.
func coordinates(new func() explore.Policy, c *Case) error {
	if c.Problem.X == nil || c.Rigid {
		return nil
	}
	_, h := c.Problem.X.Dims()
	t := mat.NewDense(h, h, nil)
	for i := range h {
		t.Set(i, i, 1+float64(i%3)) // units of the features
		if i > 0 {
			t.Set(i, i-1, .5)
		}
	}
	return compareMoved(new, c, c.transform(t), identity(c.Problem.K()), false)
}

func duplicates(new func() explore.Policy, c *Case) error {
	r, err := explore.Run(new(), c.Problem, c.Exact(), &explore.Settings{MaxPulls: c.MaxPulls})
	if err != nil {
		return err
	}
	twin := -1
	if c.Problem.Z != nil {
		return nil // a copy of an arm is no copy of an item
	}
	for i := range c.Problem.K() {
		if r.Status == explore.Stopped && !slices.Contains(r.Answer.Items, i) {
			twin = i
		}
	}
	if twin < 0 {
		return nil // nothing is rejected
	}
	m, ok := c.move(1, make([]float64, c.Problem.D()), append(identity(c.Problem.K()), twin))
	if !ok {
		return nil
	}
	return noiseFree(new, m)
}

// untouched gives the policy measurements that are destroyed after each Tell,
// and compares the problem before and after.
func untouched(new func() explore.Policy, c *Case) error {
	s := root.Child(c.Name)
	p := *c.Problem
	for _, x := range []**mat.Dense{&p.X, &p.Z} {
		if *x != nil {
			*x = mat.DenseCopyOf(*x)
		}
	}
	r, _, err := record(new(), c, s)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(p, *c.Problem) {
		return errors.New("the problem was changed")
	}
	ses, err := explore.NewSession(new(), c.Problem,
		&explore.Settings{MaxPulls: c.MaxPulls, Src: s.Child("policy").Source()})
	if err != nil {
		return err
	}
	smp := c.sampler(s.Child("noise"))
	for {
		pulls, err := ses.Ask()
		if err != nil {
			return err
		}
		if len(pulls) == 0 {
			break
		}
		obs, err := smp.Sample(nil, pulls)
		if err != nil {
			return err
		}
		if err := ses.Tell(obs); err != nil {
			return err
		}
		for i := range obs {
			for j := range obs[i].Sum {
				obs[i].Sum[j] = math.NaN()
			}
			obs[i].Pull = explore.Pull{Arm: -1}
		}
	}
	if !reflect.DeepEqual(ses.Result(), r) {
		return errors.New("measurements were kept, and used after Tell")
	}
	return nil
}

func limits(new func() explore.Policy, c *Case) error {
	s := root.Child(c.Name)
	full, _, err := record(new(), c, s)
	if err != nil {
		return err
	}
	for _, part := range []int{1, 2, 3} {
		limit := full.Pulls * part / 4
		if limit < 1 {
			continue
		}
		r, err := explore.Run(new(), c.Problem, c.sampler(s.Child("noise")),
			&explore.Settings{MaxPulls: limit, Src: s.Child("policy").Source()})
		if err != nil {
			return err
		}
		if r.Pulls > limit {
			return fmt.Errorf("%d pulls with a limit of %d", r.Pulls, limit)
		}
		if r.Status != explore.PullLimit {
			return fmt.Errorf("status %v at %d quarters of %d pulls", r.Status, part, full.Pulls)
		}
		if r.Answer.Reasons == nil {
			continue
		}
		if err := sound(c, r); err != nil {
			return err
		}
		if r.Answer.Of(explore.Undecided) == nil {
			return fmt.Errorf("nothing is undecided after %d pulls of %d", r.Pulls, full.Pulls)
		}
	}
	return nil
}

func budget(new func() explore.Policy, c *Case) error {
	r, steps, err := record(new(), c, root.Child(c.Name))
	if err != nil {
		return err
	}
	if c.Budget > 0 && r.Pulls > c.Budget {
		return fmt.Errorf("%d pulls with a budget of %d", r.Pulls, c.Budget)
	}
	if c.Schedule == nil {
		return nil
	}
	before := make([]int, c.Problem.K())
	for i, st := range steps {
		if err := c.Schedule(i+1, before, st.pulls); err != nil {
			return fmt.Errorf("round %d: %w", i+1, err)
		}
		for _, p := range st.pulls {
			before[p.Arm] += p.N
		}
	}
	return nil
}

func allocations(new func() explore.Policy, c *Case) error {
	if c.Solves {
		return nil
	}
	s := root.Child(c.Name)
	ses, err := explore.NewSession(new(), c.Problem,
		&explore.Settings{MaxPulls: c.MaxPulls, Src: s.Child("policy").Source()})
	if err != nil {
		return err
	}
	smp := c.sampler(s.Child("noise"))
	var obs []explore.Batch
	ended := false
	round := func() {
		pulls, err2 := ses.Ask()
		if err2 != nil || len(pulls) == 0 {
			ended = true
			return
		}
		if obs, err2 = smp.Sample(obs[:0], pulls); err2 == nil {
			err2 = ses.Tell(obs)
		}
		err = errors.Join(err, err2)
	}
	// Memory may grow in the first rounds, and the average is rounded down.
	for range 20 {
		round()
	}
	n := testing.AllocsPerRun(200, round)
	if err != nil {
		return err
	}
	if n > 0 && !ended {
		return fmt.Errorf("%v allocations a round", n)
	}
	return nil
}

func ignorant(new func() explore.Policy, c *Case) error {
	ses, err := explore.NewSession(new(), c.Problem, nil)
	if err != nil {
		return err
	}
	if pulls, err := ses.Ask(); err != nil || len(pulls) == 0 {
		return err // there is nothing to find out
	}
	if ses, err = explore.NewSession(new(), c.Problem, nil); err != nil {
		return err
	}
	for range 2 { // before and after the first Ask
		r := ses.Result()
		for i, x := range r.Answer.Reasons {
			if x.Class != explore.Undecided {
				return fmt.Errorf("item %d is %v before the first pull", i, x.Class)
			}
		}
		if _, err := ses.Ask(); err != nil {
			return err
		}
	}
	return nil
}
