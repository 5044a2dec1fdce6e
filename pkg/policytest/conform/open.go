package conform

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
)

// openChecks are the rules, each with what a violation means.
var openChecks = []check{
	{"rounds", "with room for a round and nothing pending, More is Ask and Learn is Tell",
		open(openRounds)},
	{"room", "More keeps to its room, whatever is pending", open(openRoom)},
	{"imagined", "what is pending has no part in what is known: neither in the answer nor in " +
		"when it is given", open(openImagined)},
	{"order", "the order of results within a Learn makes no difference", open(openOrder)},
	{"extra", "measurements that were not asked for are used", open(openExtra)},
	{"plates", "without noise the answer is right, whatever fails and whatever is late",
		open(openPlates)},
}

// open runs a check on policies that must be open.
func open(f func(new func() explore.Open, c *Case) error) func(new func() explore.Policy, c *Case) error {
	return func(new func() explore.Policy, c *Case) error {
		if _, ok := new().(explore.Open); !ok {
			return errors.New("the policy is no explore.Open")
		}
		return f(func() explore.Open { return new().(explore.Open) }, c)
	}
}

// mostRounds is how many rounds the checks look at.
const mostRounds = 150

// start returns a policy that has begun a run.
func start(new func() explore.Open, c *Case) (explore.Open, error) {
	p := new()
	return p, p.Init(c.Problem, root.Child(c.Name, "policy").Source())
}

// pairOf returns two policies that have begun the same run.
func pairOf(new func() explore.Open, c *Case) (a, b explore.Open, err error) {
	if a, err = start(new, c); err == nil {
		b, err = start(new, c)
	}
	return a, b, err
}

func total(pulls []explore.Pull) (n int) {
	for _, p := range pulls {
		n += p.N
	}
	return n
}

func openRounds(new func() explore.Open, c *Case) error {
	a, b, err := pairOf(new, c)
	if err != nil {
		return err
	}
	s := c.sampler(root.Child(c.Name, "noise"))
	var obs []explore.Batch
	for round := range mostRounds {
		asked, err := a.Ask(nil)
		if err != nil {
			return err
		}
		more, err := b.More(nil, max(total(asked), 1), nil)
		if err != nil {
			return err
		}
		if !slices.Equal(asked, more) {
			return fmt.Errorf("round %d: Ask gives %v, More %v", round+1, asked, more)
		}
		if x, y := a.Answer(), b.Answer(); !reflect.DeepEqual(x, y) {
			return fmt.Errorf("round %d: by Tell %+v, by Learn %+v", round+1, x, y)
		}
		if len(asked) == 0 {
			break
		}
		if obs, err = s.Sample(obs[:0], asked); err != nil {
			return err
		}
		if err := errors.Join(a.Tell(obs), b.Learn(obs)); err != nil {
			return err
		}
	}
	return nil
}

// chaotic runs p by plates of random sizes, of which parts come back in any order, and calls see
// with what is pending before each Learn. The policy is asked once a plate.
func chaotic(p explore.Open, c *Case, see func(pending []explore.Pull, obs []explore.Batch) error) (
	err error) {
	rnd := rand.New(root.Child(c.Name, "chaos").Source())
	s := c.sampler(root.Child(c.Name, "noise"))
	var pending []explore.Pull
	for range mostRounds {
		n := 1 + rnd.IntN(12)
		if pending, err = p.More(pending, n, pending); err != nil {
			return err
		}
		if len(pending) == 0 {
			return nil
		}
		rnd.Shuffle(len(pending), func(i, j int) {
			pending[i], pending[j] = pending[j], pending[i]
		})
		back := 1 + rnd.IntN(len(pending))
		obs, err := s.Sample(nil, pending[:back])
		if err != nil {
			return err
		}
		if rnd.IntN(4) == 0 { // the first of them fails
			obs = obs[1:]
		}
		for _, o := range obs {
			for j := range o.Sum { // sums that are exact in any order
				o.Sum[j] = math.Round(o.Sum[j]*1024) / 1024
			}
		}
		pending = slices.Delete(pending, 0, back)
		if err := see(pending, obs); err != nil {
			return err
		}
		if err := p.Learn(obs); err != nil {
			return err
		}
	}
	return nil
}

func openRoom(new func() explore.Open, c *Case) error {
	p, err := start(new, c)
	if err != nil {
		return err
	}
	return chaotic(p, c, func(pending []explore.Pull, _ []explore.Batch) error {
		for _, n := range []int{1, 3, 40} {
			for _, wait := range [][]explore.Pull{nil, pending} {
				more, err := p.More(nil, n, wait)
				if err != nil {
					return err
				}
				if total(more) > n {
					return fmt.Errorf("%v with room for %d", more, n)
				}
				for _, x := range more {
					if x.N < 1 || uint(x.Arm) >= uint(c.Problem.K()) {
						return fmt.Errorf("%v is no pull of an arm", x)
					}
				}
				again, err := p.More(nil, n, wait)
				if err != nil {
					return err
				}
				if !slices.Equal(more, again) {
					return fmt.Errorf("first %v, then %v, and nothing was learned", more, again)
				}
			}
		}
		return nil
	})
}

func openImagined(new func() explore.Open, c *Case) error {
	a, b, err := pairOf(new, c)
	if err != nil {
		return err
	}
	var flood []explore.Pull
	for i := range c.Problem.K() {
		flood = append(flood, explore.Pull{Arm: i, N: 1 << 18})
	}
	return chaotic(a, c, func(pending []explore.Pull, obs []explore.Batch) error {
		before := b.Answer()
		for _, wait := range [][]explore.Pull{flood, pending, append(slices.Clone(flood[:1]), pending...)} {
			if _, err := b.More(nil, 7, wait); err != nil {
				return err
			}
		}
		if after := b.Answer(); !reflect.DeepEqual(before, after) {
			return fmt.Errorf("the answer was %+v, and with much pending it is %+v", before, after)
		}
		for _, wait := range [][]explore.Pull{nil, pending} {
			x, err := a.More(nil, 5, wait)
			if err != nil {
				return err
			}
			y, err := b.More(nil, 5, wait)
			if err != nil {
				return err
			}
			if !slices.Equal(x, y) {
				return fmt.Errorf("what was once pending makes it ask for %v instead of %v", y, x)
			}
		}
		return b.Learn(obs) // a learns by chaotic
	})
}

func openOrder(new func() explore.Open, c *Case) error {
	a, b, err := pairOf(new, c)
	if err != nil {
		return err
	}
	rnd := rand.New(root.Child(c.Name, "order").Source())
	return chaotic(a, c, func(pending []explore.Pull, obs []explore.Batch) error {
		x, err := a.More(nil, 5, pending)
		if err != nil {
			return err
		}
		y, err := b.More(nil, 5, pending)
		if err != nil {
			return err
		}
		if !slices.Equal(x, y) || !reflect.DeepEqual(a.Answer(), b.Answer()) {
			return fmt.Errorf("in another order it asks for %v instead of %v, with the answer "+
				"%+v instead of %+v", y, x, b.Answer(), a.Answer())
		}
		mixed := slices.Clone(obs)
		rnd.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		return b.Learn(mixed)
	})
}

func openExtra(new func() explore.Open, c *Case) error {
	p, err := start(new, c)
	if err != nil {
		return err
	}
	s := c.Exact()
	// Little about the arms in descending order, then much, in steps: no step is asked for.
	for n := 1; n <= 1<<20; n *= 4 {
		for i := c.Problem.K() - 1; i >= 0; i-- {
			obs, err := s.Sample(nil, []explore.Pull{{Arm: i, N: n + i}})
			if err != nil {
				return err
			}
			if err := p.Learn(obs); err != nil {
				return err
			}
		}
	}
	more, err := p.More(nil, 1, nil)
	switch {
	case err != nil:
		return err
	case len(more) > 0:
		return fmt.Errorf("it knows more than a million rewards of each arm, and asks for %v", more)
	case !c.Problem.Question.Correct(c.Truth(), p.Answer()):
		return fmt.Errorf("wrong answer %+v", p.Answer())
	}
	return nil
}

func openPlates(new func() explore.Open, c *Case) error {
	for _, l := range plates {
		l.Src = root.Child(c.Name, "plates", l.Size).Source()
		r, err := l.Run(new(), c.Problem, c.Exact(), &explore.Settings{MaxPulls: c.MaxPulls})
		switch {
		case err != nil:
			return err
		case r.Status != explore.Stopped:
			return fmt.Errorf("plates of %d: the run ended by %v after %d pulls", l.Size, r.Status, r.Pulls)
		case !c.Problem.Question.Correct(c.Truth(), r.Answer):
			return fmt.Errorf("plates of %d: wrong answer %+v", l.Size, r.Answer)
		}
		if err := sound(c, r); err != nil {
			return fmt.Errorf("plates of %d: %w", l.Size, err)
		}
	}
	return nil
}

// plates are what open policies are tested with.
var plates = []explore.Plates{
	{Size: 1, Out: 3, Fail: .05, Late: .3},
	{Size: 8, Out: 2, Fail: .05, Late: .3},
	{Size: 96, Fail: .05, Late: .3},
}
