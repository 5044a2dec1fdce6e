package explore

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// An Answer is a policy's statement about the items in question. After a run with status Stopped,
// the answer is right with probability at least 1 - Delta, if the policy certifies answers and its
// assumptions hold. Before the end of the run, the answer is the best guess, and the reasons mark
// undecided items.
type Answer struct {
	// Items are the indices of the items in the answer, in ascending order.
	Items []int
	// Reasons has one entry for each item, or is nil if the policy gives no reasons.
	Reasons []Reason
}

// A Class is the verdict on one item.
type Class int

// The following constants are possible verdicts on an item.
const (
	Undecided  Class = iota // the verdict is not certified yet
	Optimal                 // the item is a member of the answer
	Dominated               // another item is better than this item in every objective
	Infeasible              // the item is outside the feasible region
)

var classNames = [...]string{"undecided", "optimal", "dominated", "infeasible"}

// String returns the name of the class, such as "optimal".
func (c Class) String() string {
	if c < 0 || int(c) >= len(classNames) {
		return "class " + strconv.Itoa(int(c))
	}
	return classNames[c]
}

// MarshalText returns the name of the class.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText parses the name of a class.
func (c *Class) UnmarshalText(text []byte) error {
	i := slices.Index(classNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("explore: unknown verdict %q; expected one of %q", text, classNames)
	}
	*c = Class(i)
	return nil
}

// A Reason explains the verdict on one item. Amounts are estimates in reward units, each
// accompanied by the half-width of its confidence interval. If the policy certifies amounts, the
// intervals hold simultaneously for all items and all times, with the probability of the policy's
// guarantee.
type Reason struct {
	// Class is the verdict on the item.
	Class Class

	// By is the item with which Margin compares the explained item, or -1. For a Dominated item,
	// item By is better by Margin in every objective. For an Optimal item, item By comes closest to
	// dominating it; in some objective, the Optimal item is better than By by Margin. For an
	// Undecided item, By and Margin are defined as for an Optimal item. MarginRadius is the
	// half-width of the confidence interval for Margin.
	By                   int
	Margin, MarginRadius float64

	// Constraint is the index of the constraint to which Slack refers, or -1 if the question has no
	// constraints. Slack is the distance of the item from the boundary of the feasible region,
	// positive inside and negative outside. SlackRadius is the half-width of the confidence
	// interval for Slack.
	Constraint         int
	Slack, SlackRadius float64

	// If Estimated is true, the Margin of a decided item is only an estimate, on which the verdict
	// does not depend. If Estimated is false for an Optimal or Dominated item, and By is not -1,
	// the policy certifies Margin. The [Session], not the policy, sets Estimated.
	Estimated bool
}

// Explain describes the reason r for the verdict on item i of p, in one sentence that begins with
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

// Why describes the reason r for the verdict on item i of p, in two phrases that can follow the
// name of the item. If the question of p is an [Explainer], Why uses the question's own phrases.
// The phrase verdict or the phrase why may be empty.
func (r Reason) Why(p *Problem, i int) (verdict, why string) {
	if e, ok := p.Question.(Explainer); ok {
		return e.Explain(p, i, r)
	}
	return Words{}.Explain(p, i, r)
}

// Explain describes the reasons of a, one sentence for each item in order; it returns nil if a has
// no reasons.
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

// A Tolerating question accepts answers with items that are worse than the best by up to a
// tolerance.
type Tolerating interface {
	Question
	// Tolerates returns the largest tolerated difference of means, in reward units.
	Tolerates() float64
}

// marked returns the reasons for the answer of policy p to question q. marked sets Estimated for
// decided items whose margin is not certified. A margin is not certified if p does not certify
// amounts, or if the margin's interval contradicts the verdict by more than q tolerates.
func marked(p Policy, q Question, reasons []Reason) []Reason {
	certified := false
	if c, ok := p.(Describer); ok {
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

// Words contains the phrases for comparing two items in a question. The zero value of Words is for
// questions that compare items by one number.
type Words struct {
	// Ahead and Behind are texts after the amount by which an item is ahead of or behind another
	// item, for example " in some objective" and " in every objective".
	Ahead, Behind string
	// Spare is the text after the distance to a constraint that the item satisfies.
	Spare string
	// Dominated is the format of the reason for the rejection of a dominated item. The format's
	// arguments are the name of the better item, the amount and Behind. If Dominated is empty, the
	// format is "behind %s by %s%s".
	Dominated string
	// Margin formats the amount x by which an item is ahead of or behind another item; Slack formats
	// the distance x to constraint k. The argument radius is the half-width of the confidence
	// interval for x. If Margin or Slack is nil, [Amount] formats x with its half-width. The
	// half-width is omitted for an estimated margin, and for a slack with a radius of zero.
	Margin func(x, radius float64, ahead bool) string
	Slack  func(k int, x, radius float64) string
}

// Explain describes the reason r for the verdict on item i of p, in two phrases that can follow the
// name of the item. The phrase verdict is empty if why already states it; the phrase why is empty
// if no reason is known.
func (w Words) Explain(p *Problem, i int, r Reason) (verdict, why string) {
	switch r.Class {
	case Dominated:
		if r.By < 0 {
			return r.Class.String(), ""
		}
		format := w.Dominated
		format = cmp.Or(format, "behind %s by %s%s")
		if r.Margin < 0 {
			ahead := r.estimated() + w.margin(r, -r.Margin, true)
			return "", fmt.Sprintf("not needed beside %s, although ahead of it by %s%s", p.Item(r.By), ahead, w.Ahead)
		}
		by := r.estimated() + w.margin(r, r.Margin, false)
		return "", fmt.Sprintf(format, p.Item(r.By), by, w.Behind)
	case Infeasible:
		if r.Constraint < 0 { // a policy in another language may omit the constraint
			return r.Class.String(), ""
		}
		return r.Class.String(), w.outside(p, r)
	case Optimal:
		return r.Class.String(), clauses(w.feasible(p, r), w.compared(p, r))
	}
	return Undecided.String(), clauses(w.feasible(p, r), w.compared(p, r))
}

// compared describes how the item compares with item r.By, or returns "" if r.By is -1.
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

// amount formats an amount of reason r, with its half-width unless r is Estimated.
func (r Reason) amount(x float64) string {
	if r.Estimated { // the verdict does not depend on the half-width
		return fmt.Sprintf("%.4g", x)
	}
	return Amount(x, r.MarginRadius)
}

func (r Reason) estimated() string {
	if r.Estimated {
		return "an estimated "
	}
	return ""
}

// feasible describes how the item compares with the constraints. feasible returns "" if there are
// no constraints or the slack is unknown.
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
	if radius == 0 { // the amount is a known value, or an estimate without an interval
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

func clauses(a, b string) string {
	if a != "" && b != "" {
		return a + "; " + b
	}
	return a + b
}

// Amount formats an estimate with the half-width of its confidence interval. The half-width has
// three significant digits, and the estimate has as many decimals as the half-width.
func Amount(x, radius float64) string {
	decimals := 3
	if radius > 0 && !math.IsInf(radius, 1) {
		decimals = min(max(2-int(math.Floor(math.Log10(radius))), 0), 15)
	}
	return fmt.Sprintf("%.*f ± %.*f", decimals, x+0, decimals, radius) // adding 0 turns -0 into 0
}
