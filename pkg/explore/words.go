package explore

import (
	"fmt"
	"math"
	"strconv"
)

// Words are those in which a question compares two items. The zero value is for
// items that are compared by one number.
type Words struct {
	// Ahead and Behind follow the amount by which an item is ahead of another or
	// behind it: " in some objective" and " in every objective".
	Ahead, Behind string
	// Dominated is the format of why an item is rejected, of the name of the item
	// that is better, the amount and Behind. Empty means "behind %s by %s%s".
	Dominated string
}

// Explain puts r, the reason for item i of p, into words.
func (w Words) Explain(p *Problem, i int, r Reason) string {
	item := p.Item(i)
	switch r.Class {
	case Optimal:
		return item + ": optimal" + clauses(r.feasible(p), w.compared(p, r))
	case Dominated:
		if r.By < 0 {
			return item + ": dominated"
		}
		format := w.Dominated
		if format == "" {
			format = "behind %s by %s%s"
		}
		return item + ": " + fmt.Sprintf(format, p.Item(r.By), Amount(r.Margin, r.MarginRadius), w.Behind)
	case Infeasible:
		return item + ": infeasible: " + r.outside(p)
	}
	return item + ": undecided" + clauses(r.feasible(p), w.compared(p, r))
}

// compared says where the item is relative to r.By, "" if that is none.
func (w Words) compared(p *Problem, r Reason) string {
	switch {
	case r.By < 0:
		return ""
	case r.Margin < 0:
		return fmt.Sprintf("behind %s by %s%s", p.Item(r.By), Amount(-r.Margin, r.MarginRadius), w.Behind)
	}
	return fmt.Sprintf("ahead of %s by %s%s", p.Item(r.By), Amount(r.Margin, r.MarginRadius), w.Ahead)
}

// feasible says where the item is relative to the constraints, "" if that is not
// known or there are none.
func (r Reason) feasible(p *Problem) string {
	switch {
	case r.Constraint < 0 || math.IsInf(r.Slack, 0):
		return ""
	case r.Slack < 0:
		return r.outside(p)
	}
	return fmt.Sprintf("feasible with %s to spare (%s)", Amount(r.Slack, r.SlackRadius), r.constraint(p))
}

func (r Reason) outside(p *Problem) string {
	return fmt.Sprintf("outside %s by %s", r.constraint(p), Amount(-r.Slack, r.SlackRadius))
}

func (r Reason) constraint(p *Problem) string {
	if n, ok := p.Question.(ConstraintNamer); ok {
		return n.ConstraintName(r.Constraint)
	}
	return "constraint " + strconv.Itoa(r.Constraint)
}

// clauses puts those that are not empty behind a colon.
func clauses(texts ...string) string {
	s, sep := "", ": "
	for _, t := range texts {
		if t != "" {
			s += sep + t
			sep = "; "
		}
	}
	return s
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
