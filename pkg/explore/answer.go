package explore

import (
	"fmt"
	"slices"
	"strconv"
)

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

// MarshalText writes the verdict's name.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the verdict's name.
func (c *Class) UnmarshalText(text []byte) error {
	i := slices.Index(classNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("explore: there is no verdict %q; they are %q", text, classNames)
	}
	*c = Class(i)
	return nil
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

	// Estimated says of a decided item that Margin is an estimate, which the verdict does not rest
	// on; otherwise what it says is certified as it reads. A [Session] sets it, not the policy.
	Estimated bool
}

// Explain puts r, the reason for item i of p, into one sentence that begins with
// the name of the item.
func (r Reason) Explain(p *Problem, i int) string {
	s := p.Item(i)
	verdict, why := r.Why(p, i)
	for _, t := range []string{verdict, why} {
		if t != "" {
			s += ": " + t
		}
	}
	return s
}

// Why puts r, the reason for item i of p, into words that follow the name of the
// item: those of the question if it is an [Explainer]. One of the two may be empty.
func (r Reason) Why(p *Problem, i int) (verdict, why string) {
	if e, ok := p.Question.(Explainer); ok {
		return e.Explain(p, i, r)
	}
	return Words{}.Explain(p, i, r)
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

// A Tolerating question has answers that are right although they are worse by some amount.
type Tolerating interface {
	Question
	// Tolerates returns the largest difference of means that it tolerates, in reward units.
	Tolerates() float64
}

// marked returns the reasons of an answer of p to q with Estimated set where the margin of a
// decided item is not certified as it reads: where p does not certify amounts, or where the interval
// does not lie on the side of the verdict, but for what q tolerates.
func marked(p Policy, q Question, reasons []Reason) []Reason {
	certified := false
	if c, ok := p.(Carded); ok {
		certified = c.Card().Certifies >= CertifiesAmounts
	}
	tolerance := 0.
	if t, ok := q.(Tolerating); ok {
		tolerance = t.Tolerates()
	}
	reasons = slices.Clone(reasons)
	for i := range reasons {
		r := &reasons[i]
		r.Estimated = r.By >= 0 && (r.Class == Optimal || r.Class == Dominated) &&
			!(certified && r.Margin+tolerance >= r.MarginRadius*(1-1e-9))
	}
	return reasons
}
