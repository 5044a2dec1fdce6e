package conform

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// untouched checks that a policy does not change the problem and does not keep measurements, which
// are overwritten after each Tell.
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
		return errors.New("the policy changed the problem; change a copy")
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
		return errors.New("the policy used the slices of Tell after Tell returned; copy the measurements")
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
			return fmt.Errorf("the run made %d pulls; expected at most the limit of %d", r.Pulls, limit)
		}
		if r.Status != explore.PullLimit {
			return fmt.Errorf("status %v after %d quarters of %d pulls; expected PullLimit", r.Status, part, full.Pulls)
		}
		if r.Answer.Reasons == nil {
			continue
		}
		if err := sound(c, r); err != nil {
			return err
		}
		if r.Answer.Of(explore.Undecided) == nil {
			return fmt.Errorf("all items are decided after %d of %d pulls; expected undecided items",
				r.Pulls, full.Pulls)
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
		return fmt.Errorf("the run made %d pulls; expected at most the budget of %d", r.Pulls, c.Budget)
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
	// In the first rounds, memory may still grow. The average is rounded down, so a few allocations
	// are tolerated.
	for range 20 {
		round()
	}
	n := mallocs(200, round)
	if err != nil {
		return err
	}
	if n > 0 && !ended {
		return fmt.Errorf("a round makes %v allocations; expected none", n)
	}
	return nil
}

// mallocs returns the average number of allocations per round, rounded down. The average includes
// allocations of other goroutines, if there are any.
func mallocs(rounds int, round func()) uint64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		round()
	}
	runtime.ReadMemStats(&after)
	return (after.Mallocs - before.Mallocs) / uint64(rounds)
}

func ignorant(new func() explore.Policy, c *Case) error {
	ses, err := explore.NewSession(new(), c.Problem, nil)
	if err != nil {
		return err
	}
	if pulls, err := ses.Ask(); err != nil || len(pulls) == 0 {
		return err // the answer is known without pulls, so there is nothing to check
	}
	if ses, err = explore.NewSession(new(), c.Problem, nil); err != nil {
		return err
	}
	for range 2 { // check before and after the first Ask
		r := ses.Result()
		for i, x := range r.Answer.Reasons {
			if x.Class != explore.Undecided {
				return fmt.Errorf("item %d has class %v before the first pull; expected Undecided", i, x.Class)
			}
		}
		if _, err := ses.Ask(); err != nil {
			return err
		}
	}
	return nil
}

// randomised reports whether the runs of a policy depend on the seed of the policy's random source.
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

// compareMoved checks that the policy gives equivalent answers for the cases m and c. In m, arm i
// is arm from[i] of c, and item i is item items[i] of c. If exactly is true and the policy is not
// randomised, pulls and reasons must also be equivalent, where amounts in m are scale times those
// in c.
func compareMoved(new func() explore.Policy, c, m *Case, scale float64, from, items []int, exactly bool) error {
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
			return fmt.Errorf("%d pulls of arm %d; expected %d, as before the change", b.ArmPulls[i], i, a.ArmPulls[f])
		}
	}
	for i, f := range items {
		if slices.Contains(b.Answer.Items, i) != slices.Contains(a.Answer.Items, f) {
			return fmt.Errorf("the answer is %v; expected %v, as before the change", b.Answer.Items, a.Answer.Items)
		}
		if exactly && a.Answer.Reasons != nil {
			was, is := a.Answer.Reasons[f], b.Answer.Reasons[i]
			if is.By >= 0 {
				is.By = items[is.By]
			}
			if !alike(is, was, scale) {
				return fmt.Errorf("the reason for item %d is %+v; expected %+v (amounts times %v)", i, is, was, scale)
			}
		}
	}
	return nil
}

// alike reports whether reason r equals, up to rounding, the earlier reason (the argument was) with
// its amounts multiplied by scale.
func alike(r, was explore.Reason, scale float64) bool {
	same := r.Class == was.Class && r.By == was.By && r.Constraint == was.Constraint && r.Estimated == was.Estimated
	for _, v := range [][2]float64{{r.Margin, was.Margin}, {r.MarginRadius, was.MarginRadius}, {r.Slack, was.Slack},
		{r.SlackRadius, was.SlackRadius}} {
		same = same && (v[0] == scale*v[1] || math.Abs(v[0]-scale*v[1]) <= 1e-9*scale*(1+math.Abs(v[1])))
	}
	return same
}

// relabelling checks a policy after items in the answer have exchanged names with other items. If a
// policy depends on names, its answer is then wrong.
func relabelling(new func() explore.Policy, c *Case) error {
	r, err := explore.Run(new(), c.Problem, c.Exact(), &explore.Settings{MaxPulls: c.MaxPulls})
	if err != nil {
		return err
	}
	items := trade(r.Answer.Items, c.Problem.M())
	if c.Problem.Z == nil {
		if m, ok := c.move(1, make([]float64, c.Problem.D()), items); ok {
			return compareMoved(new, c, m, 1, items, items, !c.Inexact)
		}
		return nil
	}
	arms := rand.New(root.Child("relabelling").Source()).Perm(c.Problem.K())
	m, ok := c.move(1, make([]float64, c.Problem.D()), arms)
	if !ok {
		return nil
	}
	m.Problem.Z, m.Problem.ItemNames = permuted(m.Problem.Z, items), nil
	if m.ItemMeans != nil {
		m.ItemMeans = permuted(m.ItemMeans, items)
	}
	return compareMoved(new, c, m, 1, arms, items, !c.Inexact)
}

// trade returns a permutation of n items. As far as possible, the permutation exchanges the items
// listed in the argument some with other items; it shifts all remaining items cyclically by one.
func trade(some []int, n int) []int {
	var others []int
	for i := range n {
		if !slices.Contains(some, i) {
			others = append(others, i)
		}
	}
	from := identity(n)
	pairs := min(len(some), len(others))
	for j := range pairs {
		from[some[j]], from[others[j]] = others[j], some[j]
	}
	rest := append(slices.Clone(some[pairs:]), others[pairs:]...)
	for j, i := range rest {
		from[i] = rest[(j+1)%len(rest)]
	}
	return from
}

// permuted returns the matrix whose row i is row from[i] of x.
func permuted(x *mat.Dense, from []int) *mat.Dense {
	_, n := x.Dims()
	y := mat.NewDense(len(from), n, nil)
	for i, f := range from {
		y.SetRow(i, x.RawRowView(f))
	}
	return y
}

// units checks a policy after all amounts have been multiplied by a power of 2. Multiplication by a
// power of 2 is exact in floating point, so pulls must not change.
func units(new func() explore.Policy, c *Case) error {
	from := identity(c.Problem.K())
	if m, ok := c.move(64, make([]float64, c.Problem.D()), from); ok {
		return compareMoved(new, c, m, 64, from, identity(c.Problem.M()), !c.UnitDependent)
	}
	return nil
}

// origin checks a policy after constants have been added to the objectives. Then, all rewards of
// the first objective are below 0, which reveals searches for a maximum that start at 0. Sums of
// rewards are rounded, so pulls may change near ties.
func origin(new func() explore.Policy, c *Case) error {
	shift := make([]float64, c.Problem.D())
	for i := range shift {
		shift[i] = -9 + 11.5*float64(i)
	}
	from := identity(c.Problem.K())
	if m, ok := c.move(1, shift, from); ok {
		return compareMoved(new, c, m, 1, from, identity(c.Problem.M()), false)
	}
	return nil
}

// coordinates checks a policy after a shear of the features, which causes rounding errors.
func coordinates(new func() explore.Policy, c *Case) error {
	if c.Problem.X == nil || c.Rigid {
		return nil
	}
	_, h := c.Problem.X.Dims()
	t := mat.NewDense(h, h, nil)
	for i := range h {
		t.Set(i, i, 1+float64(i%3)) // use different units for the features
		if i > 0 {
			t.Set(i, i-1, .5)
		}
	}
	return compareMoved(new, c, c.transform(t), 1, identity(c.Problem.K()), identity(c.Problem.M()), false)
}

func duplicates(new func() explore.Policy, c *Case) error {
	r, err := explore.Run(new(), c.Problem, c.Exact(), &explore.Settings{MaxPulls: c.MaxPulls})
	if err != nil {
		return err
	}
	twin := -1
	if c.Problem.Z != nil {
		return nil // the check does not apply, because a copy of an arm is not a copy of an item
	}
	for i := range c.Problem.K() {
		if r.Status == explore.Stopped && !slices.Contains(r.Answer.Items, i) {
			twin = i
		}
	}
	if twin < 0 {
		return nil // the check does not apply, because no arm is rejected
	}
	m, ok := c.move(1, make([]float64, c.Problem.D()), append(identity(c.Problem.K()), twin))
	if !ok {
		return nil
	}
	return noiseFree(new, m)
}
