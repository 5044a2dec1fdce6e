package explore

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// A Pull asks for N rewards of one arm.
type Pull struct{ Arm, N int }

// A Batch is the answer to a Pull: the sum of its N rewards, one entry an
// objective, and the sum of their squares where it was kept.
type Batch struct {
	Pull
	Sum []float64
	// Squares are the sums of the squares of the N rewards, one entry an objective. Nil where
	// nobody kept them: policies whose radii adapt to the variance then do without, unless N is 1.
	Squares []float64 `json:",omitempty"`
}

// Square returns the sum of the squares of objective c, that of a single reward if nobody kept it.
func (b *Batch) Square(c int) float64 {
	if b.Squares == nil {
		return b.Sum[c] * b.Sum[c]
	}
	return b.Squares[c]
}

// A Policy is an algorithm for pure exploration. Its exported fields are its
// settings; the zero value of each is a documented default.
//
// Callers use a [Session] (or [Run], or a campaign), which checks both sides:
// a policy may assume that it is told exactly what it asked for, with finite
// sums of the right length.
type Policy interface {
	// Init starts a run and forgets earlier ones. It returns an error that
	// wraps ErrQuestion if the policy cannot answer p's question, and an error
	// if a setting is out of range. The policy may keep p, and must not change
	// it. Every random choice comes from src.
	Init(p *Problem, src rand.Source) error
	// Ask appends to dst the pulls wanted next. No pulls means that the policy
	// has stopped.
	Ask(dst []Pull) ([]Pull, error)
	// Tell hands over the answers to the last Ask, in its order. The policy
	// must not keep obs or the slices in it.
	Tell(obs []Batch) error
	// Answer returns the answer as it stands. It does not change the policy.
	Answer() Answer
}

// ErrQuestion says that a policy cannot answer the question of a problem.
var ErrQuestion = errors.New("the policy cannot answer this question")

// ErrBudget says that the budget of a policy is too small for a problem. Init of a
// policy with a fixed budget returns an error that wraps it.
var ErrBudget = errors.New("the budget is too small for this problem")

// A Sampler measures: a simulator, a log file, a laboratory.
type Sampler interface {
	// Sample appends one batch a pull to dst, in the order of pulls. It may
	// reuse the memory of the batches that dst has room for.
	Sample(dst []Batch, pulls []Pull) ([]Batch, error)
}

// Name returns the name of p: its String method if it has one, its type
// otherwise.
func Name(p Policy) string {
	if s, ok := p.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", p)
}

// An Open policy can be asked for more while measurements are pending, and told measurements in
// any order, also unsolicited ones: from a plate with a failed well, from several machines, from
// last year. More and Learn take the place of Ask and Tell; which of the two pairs a
// run uses is decided by its first call after Init. A [Session] by tickets keeps track of what
// is pending and checks what goes in.
//
// Stopping looks at what was learned only. What is pending counts for the choice alone, as if it
// were done and had confirmed the estimates, so that a plate is not filled with one arm.
//
// # Why the guarantee holds
//
// The guarantee of such a policy is that of intervals, or of a likelihood ratio, that hold with
// probability at least 1 - Delta for all arms and all counts at once. Let F_s be what was known
// after s results came in: who asked for what, what failed, what came when, and every value. If
// the value of the next result, given F_s and that it is this measurement of this arm that comes
// in next, has the mean of its arm and noise that is sub-Gaussian of scale Sigma, then the sums
// of noise are martingales, the same as when measurements are made one after the other, and the
// bounds, which are about such martingales, hold at every s. The event on which they hold has
// probability at least 1 - Delta whatever the choice of arms was based on: the policy's rules,
// guesses about pending results, a chemist's taste. On that event an answer given whenever the
// stopping rule holds is right. Neither the order, nor delays, nor plates, nor missing results,
// nor additional ones have a part in the argument.
//
// # When it does not
//
//   - A result fails, is late, or is left out because of its value: a detector that overflows, a
//     reaction that is given up since it looks bad, a replicate that is deleted as an outlier,
//     fast results told before slow ones where speed depends on the value. What comes in is then
//     biased, and no bound knows it. Report such results at the limit of the range, or measure
//     something that is not censored.
//   - The decision to tell additional measurements depends on their own values: last year's good
//     results, but not the bad ones. Tell all or none.
//   - A measurement is told twice, or one value as several: an average of three wells is one
//     reward of less noise, not three.
//   - Rewards of one batch share noise (a plate effect): they are not independent given the past.
//   - Conditions changed, so that additional measurements have another mean or more noise.
//
// What suffers in any case is efficiency: bounds on the number of measurements are about the
// policy's own choice with every result at hand.
type Open interface {
	Policy
	// More appends to dst pulls for at most n further rewards, given that pending ones were
	// asked for and not learned yet. It changes nothing: it depends on what was learned and on
	// what is pending. No pulls means that the run has ended if nothing is pending; if
	// something is, that it may end when that is learned, and that nothing else is worth
	// asking for before.
	More(dst []Pull, n int, pending []Pull) ([]Pull, error)
	// Learn takes measurements, several of which may be of the same arm, and finds out whether
	// the run has ended. The policy must not keep obs or the slices in it. After the
	// end it learns nothing.
	Learn(obs []Batch) error
}

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
