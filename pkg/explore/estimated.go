package explore

import "slices"

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
