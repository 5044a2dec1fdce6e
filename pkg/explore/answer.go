package explore

import (
	"fmt"
	"math"
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

// Words are those in which a question compares two items. The zero value is for
// items that are compared by one number.
type Words struct {
	// Ahead and Behind follow the amount by which an item is ahead of another or
	// behind it: " in some objective" and " in every objective".
	Ahead, Behind string
	// Spare follows the distance to a constraint that an item keeps, and says what else is possible.
	Spare string
	// Dominated is the format of why an item is rejected, of the name of the item
	// that is better, the amount and Behind. Empty means "behind %s by %s%s".
	Dominated string
	// Margin writes the amount x by which an item is ahead of another or behind it,
	// and Slack the distance x to constraint k, with the half-width of the interval.
	// Nil means [Amount].
	Margin func(x, radius float64, ahead bool) string
	Slack  func(k int, x, radius float64) string
}

// Explain puts r, the reason for item i of p, into words that follow the name of
// the item: the verdict, empty if why says it too, and why, empty if that is not
// known.
func (w Words) Explain(p *Problem, i int, r Reason) (verdict, why string) {
	switch r.Class {
	case Dominated:
		if r.By < 0 {
			return r.Class.String(), ""
		}
		format := w.Dominated
		if format == "" {
			format = "behind %s by %s%s"
		}
		if r.Margin < 0 {
			ahead := r.estimated() + w.margin(r, -r.Margin, true)
			return "", fmt.Sprintf("not needed beside %s, which it is ahead of by %s%s",
				p.Item(r.By), ahead, w.Ahead)
		}
		by := r.estimated() + w.margin(r, r.Margin, false)
		return "", fmt.Sprintf(format, p.Item(r.By), by, w.Behind)
	case Infeasible:
		if r.Constraint < 0 { // a guest need not say which
			return r.Class.String(), ""
		}
		return r.Class.String(), w.outside(p, r)
	case Optimal:
		return r.Class.String(), clauses(w.feasible(p, r), w.compared(p, r))
	}
	return Undecided.String(), clauses(w.feasible(p, r), w.compared(p, r))
}

// compared says where the item is relative to r.By, "" if that is none.
func (w Words) compared(p *Problem, r Reason) string {
	switch {
	case r.By < 0:
		return ""
	case r.Margin < 0:
		by := r.estimated() + w.margin(r, -r.Margin, false)
		return fmt.Sprintf("behind %s by %s%s", p.Item(r.By), by, w.Behind)
	}
	by := r.estimated() + w.margin(r, r.Margin, true)
	return fmt.Sprintf("ahead of %s by %s%s", p.Item(r.By), by, w.Ahead)
}

// amount writes an amount of r with its half-width; an estimate may have none.
func (r Reason) amount(x float64) string {
	if r.Estimated && r.MarginRadius == 0 {
		return fmt.Sprintf("%.3f", x)
	}
	return Amount(x, r.MarginRadius)
}

// estimated is what precedes an amount that is not certified.
func (r Reason) estimated() string {
	if r.Estimated {
		return "an estimated "
	}
	return ""
}

// feasible says where the item is relative to the constraints, "" if that is not
// known or there are none.
func (w Words) feasible(p *Problem, r Reason) string {
	switch {
	case r.Constraint < 0 || math.IsInf(r.Slack, 0):
		return ""
	case r.Slack < 0:
		return w.outside(p, r)
	}
	by := w.slack(r.Constraint, r.Slack, r.SlackRadius)
	return fmt.Sprintf("feasible with %s to spare%s (%s)", by, w.Spare, r.constraint(p))
}

func (w Words) outside(p *Problem, r Reason) string {
	by := w.slack(r.Constraint, -r.Slack, r.SlackRadius)
	return fmt.Sprintf("outside %s by %s", r.constraint(p), by)
}

func (w Words) margin(r Reason, x float64, ahead bool) string {
	if w.Margin != nil {
		return w.Margin(x, r.MarginRadius, ahead)
	}
	return r.amount(x)
}

func (w Words) slack(k int, x, radius float64) string {
	if w.Slack != nil {
		return w.Slack(k, x, radius)
	}
	if radius == 0 { // a value that is known, or an estimate of a method without intervals
		return fmt.Sprintf("%.3f", x+0)
	}
	return Amount(x, radius)
}

func (r Reason) constraint(p *Problem) string {
	if n, ok := p.Question.(ConstraintNamer); ok {
		return n.ConstraintName(r.Constraint)
	}
	return "constraint " + strconv.Itoa(r.Constraint)
}

// clauses joins those that are not empty.
func clauses(a, b string) string {
	if a != "" && b != "" {
		return a + "; " + b
	}
	return a + b
}

// Amount writes an estimate with the half-width of its interval: three digits of
// the half-width, and as many decimals of the estimate, because at the moment of
// certainty the two are all but equal.
func Amount(x, radius float64) string {
	decimals := 3
	if radius > 0 && !math.IsInf(radius, 1) {
		decimals = min(max(2-int(math.Floor(math.Log10(radius))), 0), 15)
	}
	return fmt.Sprintf("%.*f ± %.*f", decimals, x+0, decimals, radius) // + 0 turns -0 into 0
}
