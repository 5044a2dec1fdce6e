package explore

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// A Question says what a right answer is. It may also implement
//
//	Validate(p *Problem) error       // the question fits the problem
//	ConstraintName(k int) string     // names its constraints
//	Value(mu []float64) float64      // items are compared by this weighted sum of their objectives
type Question interface {
	// Correct reports whether a is right when the means are mu (M x d, one
	// item a row). Only those who know the truth can call it.
	Correct(mu *mat.Dense, a Answer) bool
}

// An Answer is what a policy says about the items. After a run that Stopped it
// holds with the policy's probability; before, it is the best guess, and the
// reasons tell which items are still undecided.
type Answer struct {
	// Items are the items that the question asks for, in ascending order.
	Items []int
	// Reasons has one entry an item, or is nil if the policy has none to give.
	Reasons []Reason
}

// A Class is the verdict on one item.
type Class int

// The verdicts.
const (
	Undecided  Class = iota // not certified yet
	Optimal                 // a member of the answer
	Dominated               // another item is better in every objective
	Infeasible              // outside the feasible region
)

var classNames = [...]string{"undecided", "optimal", "dominated", "infeasible"}

// String returns the verdict's name.
func (c Class) String() string {
	if c < 0 || int(c) >= len(classNames) {
		return "class " + strconv.Itoa(int(c))
	}
	return classNames[c]
}

// A Reason explains the verdict on one item. Amounts are estimates in reward
// units, each with the half-width of its confidence interval: the interval
// holds simultaneously for all items and all times with the policy's
// probability.
type Reason struct {
	Class Class

	// By is the item that Margin is measured against, -1 if there is none.
	// Dominated: By is better by Margin in every objective. Optimal: By comes
	// closest to dominating this item, which is ahead of it by Margin in some
	// objective. Undecided: as for Optimal.
	By                   int
	Margin, MarginRadius float64

	// Constraint is the constraint that Slack is measured against, -1 if the
	// question has none. Slack is the distance to the boundary of the feasible
	// region, positive inside, negative outside.
	Constraint         int
	Slack, SlackRadius float64
}

// Explain puts r, the reason for item i of p, into words.
func (r Reason) Explain(p *Problem, i int) string {
	// Three digits of the radius, and as many decimals of the estimate: at the
	// moment of certainty the two are all but equal.
	amount := func(x, radius float64) string {
		decimals := 3
		if radius > 0 && !math.IsInf(radius, 1) {
			decimals = min(max(2-int(math.Floor(math.Log10(radius))), 0), 15)
		}
		return fmt.Sprintf("%.*f ± %.*f", decimals, x+0, decimals, radius) // + 0 turns -0 into 0
	}
	constraint := func() string {
		if n, ok := p.Question.(interface{ ConstraintName(k int) string }); ok {
			return n.ConstraintName(r.Constraint)
		}
		return "constraint " + strconv.Itoa(r.Constraint)
	}
	feasible := ""
	if r.Constraint >= 0 && !math.IsInf(r.Slack, 0) {
		feasible = fmt.Sprintf("feasible with %s to spare (%s)", amount(r.Slack, r.SlackRadius), constraint())
		if r.Slack < 0 {
			feasible = fmt.Sprintf("outside %s by %s", constraint(), amount(-r.Slack, r.SlackRadius))
		}
	}
	some, every, single := " in some objective", " in every objective", false
	if _, ok := p.Question.(interface{ Value(mu []float64) float64 }); ok {
		some, every, single = " in the weighted sum", " in the weighted sum", true
	} else if p.D() == 1 {
		some, every, single = "", "", true
	}
	ahead := ""
	if r.By >= 0 {
		ahead = fmt.Sprintf("ahead of %s by %s%s", p.Item(r.By), amount(r.Margin, r.MarginRadius), some)
		if r.Margin < 0 {
			ahead = fmt.Sprintf("behind %s by %s%s", p.Item(r.By), amount(-r.Margin, r.MarginRadius), every)
		}
	}
	join := func(a, b string) string {
		switch {
		case a == "":
			return b
		case b == "":
			return a
		}
		return a + "; " + b
	}
	switch r.Class {
	case Optimal:
		if s := join(feasible, ahead); s != "" {
			return fmt.Sprintf("%s: optimal: %s", p.Item(i), s)
		}
		return p.Item(i) + ": optimal"
	case Dominated:
		if r.By < 0 {
			return p.Item(i) + ": dominated"
		}
		if single {
			return fmt.Sprintf("%s: behind %s by %s%s", p.Item(i), p.Item(r.By), amount(r.Margin, r.MarginRadius), every)
		}
		return fmt.Sprintf("%s: dominated by %s, which is better by %s%s", p.Item(i), p.Item(r.By), amount(r.Margin, r.MarginRadius), every)
	case Infeasible:
		return fmt.Sprintf("%s: infeasible: outside %s by %s", p.Item(i), constraint(), amount(-r.Slack, r.SlackRadius))
	}
	if s := join(feasible, ahead); s != "" {
		return fmt.Sprintf("%s: undecided: %s", p.Item(i), s)
	}
	return p.Item(i) + ": undecided"
}

// Explain returns one sentence an item, in item order; nil if a has no reasons.
func (a Answer) Explain(p *Problem) []string {
	if a.Reasons == nil {
		return nil
	}
	s := make([]string, len(a.Reasons))
	for i, r := range a.Reasons {
		s[i] = r.Explain(p, i)
	}
	return s
}

// Of returns the items whose verdict is c, in ascending order.
func (a Answer) Of(c Class) []int {
	var items []int
	for i, r := range a.Reasons {
		if r.Class == c {
			items = append(items, i)
		}
	}
	return items
}
