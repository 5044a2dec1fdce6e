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

// openChecks are the checks for an explore.Asynchronous, each with the rule that it tests.
var openChecks = []check{
	{"rounds", "with room for a round and no pending pulls, More equals Ask and Learn equals Tell",
		open(openRounds)},
	{"room", "More returns at most n pulls, whatever pulls are pending", open(openRoom)},
	{"imagined", "pending pulls affect neither the answer nor the time at which the run stops", open(openImagined)},
	{"order", "the order of results in one Learn has no effect", open(openOrder)},
	{"extra", "measurements that were not requested are used", open(openExtra)},
	{"plates", "without noise the answer is right, despite failures and delays",
		open(openPlates)},
}

// open converts a check for an explore.Asynchronous to a check for any policy. For other policies,
// the converted check fails.
func open(f func(new func() explore.Asynchronous, c *Case) error) func(new func() explore.Policy, c *Case) error {
	return func(new func() explore.Policy, c *Case) error {
		if _, ok := new().(explore.Asynchronous); !ok {
			return errors.New("the policy does not implement explore.Asynchronous; implement it, or change the card")
		}
		return f(func() explore.Asynchronous { return new().(explore.Asynchronous) }, c)
	}
}

// mostRounds limits the number of rounds in a check for an explore.Asynchronous.
const mostRounds = 150

// start returns a policy at the beginning of a run.
func start(new func() explore.Asynchronous, c *Case) (explore.Asynchronous, error) {
	p := new()
	return p, p.Init(c.Problem, root.Child(c.Name, "policy").Source())
}

// pairOf returns two policies at the beginning of the same run.
func pairOf(new func() explore.Asynchronous, c *Case) (a, b explore.Asynchronous, err error) {
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

func openRounds(new func() explore.Asynchronous, c *Case) error {
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
			return fmt.Errorf("round %d: More returns %[3]v; expected %[2]v, as from Ask", round+1, asked, more)
		}
		if x, y := a.Answer(), b.Answer(); !reflect.DeepEqual(x, y) {
			return fmt.Errorf("round %d: after Learn the answer is %+[3]v; expected %+[2]v", round+1, x, y)
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

// chaotic runs p with plates of random sizes. Pending results are reported in random order, and
// some of them fail. Before each Learn, chaotic calls see with the pending pulls. For each plate,
// chaotic calls More once.
func chaotic(p explore.Asynchronous, c *Case, see func(pending []explore.Pull, obs []explore.Batch) error) (err error) {
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
		if rnd.IntN(4) == 0 { // the first of these results fails
			obs = obs[1:]
		}
		for _, o := range obs {
			for j := range o.Sum { // round rewards so that sums are exact in any order
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

func openRoom(new func() explore.Asynchronous, c *Case) error {
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
					return fmt.Errorf("method More returns %v; expected at most %d pulls", more, n)
				}
				for _, x := range more {
					if x.N < 1 || uint(x.Arm) >= uint(c.Problem.K()) {
						return fmt.Errorf("method More returns %v; expected pulls of the arms of the problem", x)
					}
				}
				again, err := p.More(nil, n, wait)
				if err != nil {
					return err
				}
				if !slices.Equal(more, again) {
					return fmt.Errorf("two calls of More return %v and %v; expected equal pulls", more, again)
				}
			}
		}
		return nil
	})
}

func openImagined(new func() explore.Asynchronous, c *Case) error {
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
			return fmt.Errorf("after More with pending pulls, the answer is %+[2]v; expected %+[1]v", before, after)
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
				return fmt.Errorf("after calls to More with other pending pulls, More returns %v; expected %v", y, x)
			}
		}
		return b.Learn(obs) // chaotic itself passes obs to policy a
	})
}

func openOrder(new func() explore.Asynchronous, c *Case) error {
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
			return fmt.Errorf("after results in another order, More returns %v; expected %v; the "+
				"answer is %+v; expected %+v", y, x, b.Answer(), a.Answer())
		}
		mixed := slices.Clone(obs)
		rnd.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		return b.Learn(mixed)
	})
}

func openExtra(new func() explore.Asynchronous, c *Case) error {
	p, err := start(new, c)
	if err != nil {
		return err
	}
	s := c.Exact()
	// First report few rewards of each arm and then many rewards, in descending order of arms. The
	// policy has not requested any of the reported rewards.
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
		return fmt.Errorf("after a million rewards of each arm, More returns %v; expected no pulls", more)
	case !c.Problem.Question.Correct(c.Truth(), p.Answer()):
		return fmt.Errorf("the answer %+v is wrong", p.Answer())
	}
	return nil
}

func openPlates(new func() explore.Asynchronous, c *Case) error {
	for _, l := range plates {
		l.Src = root.Child(c.Name, "plates", l.Size).Source()
		r, err := l.Run(new(), c.Problem, c.Exact(), &explore.Settings{MaxPulls: c.MaxPulls})
		switch {
		case err != nil:
			return err
		case r.Status != explore.Stopped:
			return fmt.Errorf("plates of %d: status %v after %d pulls; expected Stopped", l.Size, r.Status, r.Pulls)
		case !c.Problem.Question.Correct(c.Truth(), r.Answer):
			return fmt.Errorf("plates of %d: the answer %+v is wrong", l.Size, r.Answer)
		}
		if err := sound(c, r); err != nil {
			return fmt.Errorf("plates of %d: %w", l.Size, err)
		}
	}
	return nil
}

// plates describes the laboratory in tests of asynchronous policies.
var plates = []explore.Plates{
	{Size: 1, Out: 3, Fail: .05, Late: .3},
	{Size: 8, Out: 2, Fail: .05, Late: .3},
	{Size: 96, Fail: .05, Late: .3},
}
