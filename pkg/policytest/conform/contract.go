package conform

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

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
	n := mallocs(200, round)
	if err != nil {
		return err
	}
	if n > 0 && !ended {
		return fmt.Errorf("%v allocations a round", n)
	}
	return nil
}

// mallocs returns the average number of allocations of a round, rounded down. Other goroutines
// would count as well.
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
