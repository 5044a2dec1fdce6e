package explore

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// A Pull requests N rewards of one arm, given by its index.
type Pull struct{ Arm, N int }

// A Batch is the result of a Pull: the sum of the N rewards, one entry per objective, and
// optionally the sums of the squared rewards.
type Batch struct {
	Pull
	Sum []float64
	// Squares are the sums of the squares of the N rewards, one entry per objective. Only policies
	// that estimate variances use squares. If Squares is nil and N is 1, policies that use squares
	// compute the square of the reward from Sum. If Squares is nil and N is above 1, policies that
	// use squares use Problem.Sigma for the arm; the policy Piloted of package policy returns an
	// error.
	Squares []float64 `json:",omitempty"`
}

// Square returns the sum of the squared rewards in objective c. For a single reward without
// Squares, Square computes the square from Sum.
func (b *Batch) Square(c int) float64 {
	if b.Squares == nil {
		return b.Sum[c] * b.Sum[c]
	}
	return b.Squares[c]
}

// A Policy is an algorithm that decides what to measure next and when to stop. The exported fields
// of a policy are its settings; a zero field selects a documented default.
//
// Callers use a policy through a [Session] (or [Run], or a campaign), which checks the policy's
// requests and the reported results. A policy may assume that Tell reports exactly the requested
// rewards, with finite sums of the right length.
type Policy interface {
	// Init starts a run and discards any earlier run. Init returns an error that wraps ErrQuestion
	// if the policy cannot answer the question of p, or another error if a setting is out of range.
	// The policy may keep p, but must not change it. The policy must use src for every random
	// choice.
	Init(p *Problem, src rand.Source) error
	// Ask appends the pulls that the policy requests next to dst. If Ask appends no pulls, the run
	// has ended.
	Ask(dst []Pull) ([]Pull, error)
	// Tell reports the results of the pulls of the last Ask, in the same order. The policy must not
	// keep obs or the slices in obs.
	Tell(obs []Batch) error
	// Answer returns the current answer. A call of Answer does not change the state of the policy.
	Answer() Answer
}

// ErrQuestion reports that a policy cannot answer the question of a problem.
var ErrQuestion = errors.New("the policy cannot answer this question")

// ErrBudget reports that a fixed budget is too small for a problem. Init returns an error that
// wraps ErrBudget if the policy's budget is too small.
var ErrBudget = errors.New("the budget is too small for this problem")

// A Sampler makes measurements; it may be a simulator, a log file or a laboratory.
type Sampler interface {
	// Sample appends one batch for each pull to dst, in the order of pulls. Sample may reuse the
	// memory of batches in the spare capacity of dst.
	Sample(dst []Batch, pulls []Pull) ([]Batch, error)
}

// Name returns p.String() if p has a String method, and otherwise the name of p's type.
func Name(p Policy) string {
	if s, ok := p.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", p)
}

// An Asynchronous policy accepts requests for pulls while measurements are pending, and accepts
// results in any order. Results may be unsolicited: they may come, for example, from a plate with a
// failed well, from several machines, or from last year. In a run, callers use either More and
// Learn, or Ask and Tell; the first call after Init selects the pair. A [Session] by tickets tracks
// pending measurements and checks results.
//
// Only learned results affect stopping. For choosing arms, a policy treats pending results as if
// they had confirmed the estimates, so that a plate is not filled with a single arm.
//
// # Why the guarantee holds
//
// The guarantee is based on confidence intervals, or on a likelihood ratio. With probability at
// least 1 - Delta, the intervals, or the bounds on the ratio, hold simultaneously for all arms and
// all counts. Let F_s be everything known after s results arrived: the requests, failures, times of
// arrival and values. Suppose that the value of the next result, given F_s and its arm, has the
// mean of the arm and sub-Gaussian noise of scale Sigma. If the noise is sub-Gaussian given the
// past, the sums of noise are martingales, as in sequential sampling, and bounds for martingales
// hold at every s. The choice of arms may therefore depend on the policy's rules, on guesses about
// pending results, or on a chemist's preference. If all bounds hold, the answer is right whenever
// the stopping rule is satisfied. The proof does not depend on the order of results, delays,
// plates, or missing or additional results.
//
// # When the guarantee does not hold
//
//   - A result fails, is late or is left out because of its value. Examples are a detector that
//     overflows, a reaction that looks bad and is abandoned, and an outlier that is deleted.
//     Results may also arrive earlier because of their values. Results that are selected by their
//     values are biased. Report failed results at the limit of the range, or measure a quantity
//     that is not censored.
//   - Additional measurements are selected by their values, such as the good results of last year.
//     Report either all earlier measurements or no earlier measurement.
//   - A measurement is reported twice, or one value is reported as several rewards. The average of
//     three wells is one reward with less noise, not three rewards.
//   - Rewards of one batch share noise (a plate effect), so they are not independent given the
//     past.
//   - Conditions changed, so that additional measurements have another mean or more noise.
//
// In contrast to the guarantee, bounds on the number of measurements hold only for the policy's own
// choices with every result available.
type Asynchronous interface {
	Policy
	// More appends to dst the pulls that the policy requests next, for at most n further rewards.
	// The argument pending lists pulls that were requested, but whose results the policy has not
	// learned yet. More does not change the policy. If More appends no pulls and nothing is
	// pending, the run has ended. If More appends no pulls although results are pending, no further
	// request is useful before these results are learned.
	More(dst []Pull, n int, pending []Pull) ([]Pull, error)
	// Learn processes measurements, several of which may be of the same arm, and decides whether
	// the run has ended. The policy must not keep obs or the slices in obs. After the end of the
	// run, Learn ignores measurements.
	Learn(obs []Batch) error
}

// A Question defines which answers are right for given means. A question may also implement
// AllowsUndecided, ConstraintNamer, Explainer, OnPredictors, Rescaler, Titled, Tolerating,
// Validator and Valuer.
type Question interface {
	// Correct reports whether a is right for the means mu (M x d, one item per row). Correct needs
	// the true means, so only simulations can use it.
	Correct(mu *mat.Dense, a Answer) bool
}

// A Validator is a question that is not defined for every problem, or whose settings may be out of
// range.
type Validator interface {
	// If the question is not valid for p, Validate returns an error that says why and what to do.
	// [Problem.Validate] calls Validate.
	Validate(p *Problem) error
}

// A ConstraintNamer is a question with constraints.
type ConstraintNamer interface {
	// ConstraintName returns the name of the constraint with index k, as in the field Constraint of
	// a [Reason].
	ConstraintName(k int) string
}

// A Valuer is a question that compares items by one number.
type Valuer interface {
	// Value returns the value of an item whose mean vector mu has d numbers; larger is better. In
	// reasons, a margin is the difference between the values of two items.
	Value(mu []float64) float64
}

// AllowsUndecided is implemented by questions whose right answers may leave items undecided.
type AllowsUndecided interface {
	// AllowsUndecided reports whether a right answer may leave items undecided.
	AllowsUndecided() bool
}

// A Rescaler is a question that can be converted to other reward units or another origin of
// rewards.
type Rescaler interface {
	// Rescale returns the equivalent question for rewards that are converted from x to scale*x +
	// shift, where shift has d numbers.
	Rescale(scale float64, shift []float64) Question
}

// An Explainer is a question with its own phrases for the verdicts on items.
type Explainer interface {
	// Explain describes the reason r for the verdict on item i of p, in two phrases, verdict and
	// why, that can follow the name of the item. The phrase verdict or the phrase why may be empty.
	// The type [Words] and the function [Amount] help to implement Explain.
	Explain(p *Problem, i int, r Reason) (verdict, why string)
}

// OnPredictors is implemented by questions that may be asked about linear predictors instead of
// means, if the problem has a link.
type OnPredictors interface {
	// OnPredictors reports whether the question may be asked about linear predictors.
	OnPredictors() bool
}
