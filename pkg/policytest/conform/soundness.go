package conform

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
)

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
	p := new()
	r, err := explore.Run(p, c.Problem, c.Exact(), &explore.Settings{MaxPulls: c.MaxPulls})
	if err != nil {
		return err
	}
	if err := sound(c, r); err != nil {
		return err
	}
	for i, x := range r.Answer.Reasons {
		if err := c.holds(i, x, promise(p)); err != nil {
			return err
		}
		if x.Class != explore.Dominated {
			continue
		}
		if ahead := c.differences(i, x.By); x.Margin*floats.Max(ahead) > 0 {
			return fmt.Errorf("item %d is dominated by %d and ahead of it by %v, and its margin is said "+
				"to be %v", i, x.By, ahead, x.Margin)
		}
	}
	return certified(p, r.Answer.Reasons)
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
		partial, ok := c.Problem.Question.(explore.AllowsUndecided)
		if u := a.Of(explore.Undecided); u != nil && !(ok && partial.AllowsUndecided()) {
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
		if err := c.holds(i, x, explore.CertifiesReasons); err != nil {
			return err
		}
	}
	return nil
}

// certified checks that a policy whose card says that amounts are certified has margins that lie on
// the side of their verdicts with the whole interval: a Session marks the others as estimates.
func certified(p explore.Policy, reasons []explore.Reason) error {
	c, ok := p.(explore.Carded)
	if !ok || c.Card().Certifies < explore.CertifiesAmounts {
		return nil
	}
	for i, r := range reasons {
		if r.Estimated {
			return fmt.Errorf("item %d is %v, which its margin over %d, %v ± %v, does not say; the "+
				"card says that amounts are certified", i, r.Class, r.By, r.Margin, r.MarginRadius)
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

// reuse runs a policy on other problems before: of smaller and larger amounts, and with the arms in
// the opposite order, so that a smallest gap so far or a leader would be in the way. Whether those are
// solved does not matter.
func reuse(new func() explore.Policy, c *Case) error {
	p := new()
	first, other := root.Child(c.Name), root.Child(c.Name, "other")
	cases, before := []*Case{c}, []*Case{c}
	origin, back := make([]float64, c.Problem.D()), identity(c.Problem.K())
	const enough = 1000 // pulls: policies that depend on units may need many
	if m, ok := c.move(64, origin, back); ok {
		m.MaxPulls = enough
		before = append(before, m)
	}
	slices.Reverse(back)
	if m, ok := c.move(1./64, origin, back); ok {
		m.MaxPulls = enough
		before = append(before, m)
	}
	if m, ok := c.move(1, origin, back); ok {
		cases = append(cases, m)
	}
	for _, c := range cases {
		for _, m := range before {
			_, _, _ = record(p, m, other)
		}
		a, sa, err := record(p, c, first)
		if err != nil {
			return err
		}
		b, sb, err := record(new(), c, first)
		if err != nil {
			return err
		}
		if err := same(a, b, sa, sb); err != nil {
			return err
		}
	}
	return nil
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
