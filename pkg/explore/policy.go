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
	// Squares are the sums of the squares of the N rewards, one entry per objective. Nil where
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
	// Init starts a run and forgets earlier ones. It returns an error that wraps ErrQuestion if the
	// policy cannot answer p's question, and an error if a setting is out of range. The policy may
	// keep p, and must not change it. Every random choice uses src.
	Init(p *Problem, src rand.Source) error
	// Ask appends the pulls that the policy requests next to dst. No pulls mean that it has
	// stopped.
	Ask(dst []Pull) ([]Pull, error)
	// Tell reports the results of the last Ask, in its order. The policy must not keep obs or the
	// slices in it.
	Tell(obs []Batch) error
	// Answer returns the current answer. It does not change the policy.
	Answer() Answer
}

// ErrQuestion reports that a policy cannot answer the question of a problem.
var ErrQuestion = errors.New("the policy cannot answer this question")

// ErrBudget reports that a fixed budget is too small for a problem. Init returns an error that
// wraps it.
var ErrBudget = errors.New("the budget is too small for this problem")

// A Sampler measures: it is a simulator, a log file or a laboratory.
type Sampler interface {
	// Sample appends one batch for each pull to dst, in the order of pulls. It may reuse the memory
	// of batches within dst's capacity.
	Sample(dst []Batch, pulls []Pull) ([]Batch, error)
}

// Name returns the result of p's String method, or the name of p's type.
func Name(p Policy) string {
	if s, ok := p.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", p)
}

// An Asynchronous policy accepts requests for more pulls while measurements are pending, and results in any
// order, including unsolicited ones: from a plate with a failed well, from several machines, or
// from last year. More and Learn replace Ask and Tell; the first call after Init decides which pair
// a run uses. A [Session] by tickets tracks pending measurements and checks results.
//
// Only learned results affect stopping. Pending ones affect only the choice of arms, as if they had
// confirmed the estimates, so that a plate is not filled with one arm.
//
// # Why the guarantee holds
//
// The guarantee is that of intervals, or of a likelihood ratio, that hold with probability at least
// 1 - Delta for all arms and all counts at once. Let F_s be everything known after s results
// arrived: the requests, failures, times of arrival and values. Suppose that, given F_s and the
// identity of the next result, its value has the mean of its arm and noise that is sub-Gaussian of
// scale Sigma. Then the sums of noise are martingales, as in sequential sampling, and bounds about
// such martingales hold at every s. They hold with probability at least 1 - Delta whatever the
// choice of arms depends on: the rules of the policy, guesses about pending results, or a chemist's
// preference. On that event an answer is right whenever the stopping rule holds. The argument does
// not depend on order, delays, plates, missing results or additional ones.
//
// # When it does not
//
//   - A result fails, is late or is left out because of its value: a detector overflows, a reaction
//     that looks bad is given up, an outlier is deleted, or fast results arrive first and speed
//     depends on the value. Such results are biased. Report them at the limit of the range, or measure
//     something that is not censored.
//   - Additional measurements are selected by their values, such as the good results of last year.
//     Report all or none.
//   - A measurement is reported twice, or one value as several. The average of three wells is one
//     reward with less noise, not three rewards.
//   - Rewards of one batch share noise (a plate effect), so they are not independent given the past.
//   - Conditions changed, so that additional measurements have another mean or more noise.
//
// Bounds on the number of measurements hold only for the policy's own choices with every result at
// hand.
type Asynchronous interface {
	Policy
	// More appends pulls for at most n further rewards to dst, given the pending pulls, which were
	// requested and are not learned. It changes nothing. If it appends no pulls and nothing is
	// pending, the run has ended. If something is pending, nothing else is worth requesting before
	// it is learned.
	More(dst []Pull, n int, pending []Pull) ([]Pull, error)
	// Learn takes measurements, several of which may be of the same arm, and checks whether the run
	// has ended. The policy must not keep obs or the slices in it. After the end it learns nothing.
	Learn(obs []Batch) error
}

// A Question says which answers are right. The other interfaces in this file are optional.
type Question interface {
	// Correct reports whether a is right for the means mu (M x d, one item a row). Only callers
	// that know the truth can use it.
	Correct(mu *mat.Dense, a Answer) bool
}

// A Validator is a question that does not fit every problem, or has settings that may be out of
// range.
type Validator interface {
	// Validate returns an error that says what does not fit p and how to fix it. [Problem.Validate]
	// calls it.
	Validate(p *Problem) error
}

// A ConstraintNamer is a question with constraints.
type ConstraintNamer interface {
	// ConstraintName returns the name of constraint k, as in [Reason].
	ConstraintName(k int) string
}

// A Valuer is a question that compares items by one number.
type Valuer interface {
	// Value returns the value of an item with mean mu, d numbers; larger is better. Margins of
	// reasons are differences of values.
	Value(mu []float64) float64
}

// AllowsUndecided is implemented by questions whose right answers may leave items undecided.
type AllowsUndecided interface {
	// AllowsUndecided reports whether a right answer may leave items undecided.
	AllowsUndecided() bool
}

// A Rescaler is a question that can be converted to other units or another origin.
type Rescaler interface {
	// Rescale returns the equivalent question about the rewards scale x + shift, where shift has d
	// numbers.
	Rescale(scale float64, shift []float64) Question
}

// An Explainer is a question with its own words for verdicts.
type Explainer interface {
	// Explain returns r, the reason for item i of p, as a verdict and a reason that follow the name
	// of the item. One of the two may be empty. [Words] and [Amount] help.
	Explain(p *Problem, i int, r Reason) (verdict, why string)
}

// OnPredictors is implemented by questions that may be about linear predictors if the problem has a
// link.
type OnPredictors interface {
	// OnPredictors reports whether the question may be about linear predictors.
	OnPredictors() bool
}
