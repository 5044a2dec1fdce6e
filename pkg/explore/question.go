package explore

import "gonum.org/v1/gonum/mat"

// A Question says which answers are right. The other interfaces of this file are
// optional: a question implements those that apply to it.
type Question interface {
	// Correct reports whether a is right when the means are mu (M x d, one
	// item a row). Only those who know the truth can call it.
	Correct(mu *mat.Dense, a Answer) bool
}

// A Validator is a question that does not fit every problem, or that has
// settings which may be out of range.
type Validator interface {
	// Validate returns an error that says what does not fit p and what to do.
	// [Problem.Validate] calls it, and so every [Session].
	Validate(p *Problem) error
}

// A ConstraintNamer is a question with constraints.
type ConstraintNamer interface {
	// ConstraintName names constraint k, which is one that a reason has as its
	// Constraint.
	ConstraintName(k int) string
}

// A Valuer is a question that compares items by one number.
type Valuer interface {
	// Value returns what an item with mean mu, d numbers, is worth; larger is
	// better. Margins of reasons are differences of values.
	Value(mu []float64) float64
}

// AllowsUndecided is a question that may be settled while some items are undecided.
type AllowsUndecided interface {
	// AllowsUndecided reports whether a right answer may leave items undecided.
	AllowsUndecided() bool
}

// A Rescaler is a question that can be asked in other units, or from another origin.
type Rescaler interface {
	// Rescale returns the same question about the rewards scale x + shift, shift
	// being d numbers.
	Rescale(scale float64, shift []float64) Question
}

// An Explainer is a question with words of its own for the verdicts on items.
type Explainer interface {
	// Explain puts r, the reason for item i of p, into words that follow the name
	// of the item: the verdict, and why. One of the two may be empty, for example
	// the verdict where why says it too. [Words] and [Amount] help.
	Explain(p *Problem, i int, r Reason) (verdict, why string)
}

// A ClassNamer is a question in whose tables verdicts have names of their own: no arm is optimal
// where several may be within a tolerance.
type ClassNamer interface {
	// ClassName returns what an item with that verdict is called.
	ClassName(c Class) string
}

// ClassName returns what tables call an item with the verdict c on the question q.
func ClassName(q Question, c Class) string {
	if n, ok := q.(ClassNamer); ok {
		return n.ClassName(c)
	}
	return c.String()
}

// OnPredictors is a question that can be asked about linear predictors where the problem
// has a link.
type OnPredictors interface {
	// OnPredictors reports whether it can.
	OnPredictors() bool
}
