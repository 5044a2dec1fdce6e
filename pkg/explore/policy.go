package explore

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// A Pull requests N rewards of one arm, given by its index.
type Pull struct{ Arm, N int }

// A Batch answers a Pull: the sum of its N rewards, one entry per objective, and the sum of their
// squares if available.
type Batch struct {
	Pull
	Sum []float64
	// Squares are the sums of the squares of the N rewards, one entry per objective. Only policies
	// whose radii adapt to the variance use squares. If Squares is nil, policies that use squares
	// compute the square of a single reward from Sum. After a batch with nil Squares and N above 1,
	// policies fall back to Problem.Sigma for the arm, and Piloted of package policy returns an
	// error.
	Squares []float64 `json:",omitempty"`
}

// Square returns the sum of the squared rewards of objective c. For a single reward, Square
// computes the square from the sum if Squares is nil.
func (b *Batch) Square(c int) float64 {
	if b.Squares == nil {
		return b.Sum[c] * b.Sum[c]
	}
	return b.Squares[c]
}

// A Policy is an algorithm for pure exploration. The exported fields of a policy are its settings;
// the zero value of each field selects a documented default.
//
// Callers use a [Session] (or [Run], or a campaign), which checks the requests of the policy and
// the reported results. A policy may assume that Tell reports exactly the requested rewards, with
// finite sums of the right length.
type Policy interface {
	// Init starts a run and discards any earlier run. Init returns an error that wraps ErrQuestion
	// if the policy cannot answer the question of p, or another error if a setting is out of range.
	// The policy may keep p, but must not change it. The policy must use src for every random
	// choice.
	Init(p *Problem, src rand.Source) error
	// Ask appends the pulls that the policy requests next to dst. If Ask appends no pulls, the run
	// has ended.
	Ask(dst []Pull) ([]Pull, error)
	// Tell reports the results of the last Ask, in the order of its pulls. The policy must not keep
	// obs or the slices in obs.
	Tell(obs []Batch) error
	// Answer returns the current answer. Answer does not change the policy.
	Answer() Answer
}

// ErrQuestion reports that a policy cannot answer the question of a problem.
var ErrQuestion = errors.New("the policy cannot answer this question")

// ErrBudget reports that a fixed budget is too small for a problem. Init returns an error that
// wraps ErrBudget if the policy's budget is too small.
var ErrBudget = errors.New("the budget is too small for this problem")

// A Sampler makes measurements: a simulator, a log file or a laboratory.
type Sampler interface {
	// Sample appends one batch for each pull to dst, in the order of pulls. Sample may reuse the
	// memory of batches within the capacity of dst.
	Sample(dst []Batch, pulls []Pull) ([]Batch, error)
}

// Name returns the result of p's String method, or the name of p's type.
func Name(p Policy) string {
	if s, ok := p.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", p)
}

// An Asynchronous policy accepts requests for more pulls while measurements are pending, and
// results in any order. Results may be unsolicited: for example, results may come from a plate with
// a failed well, from several machines, or from last year. A run uses either More and Learn or Ask
// and Tell; the first call after Init decides. A [Session] by tickets tracks pending measurements
// and checks results.
//
// Only learned results affect stopping. Pending results affect only the choice of arms, as if they
// had confirmed the estimates, so that a plate is not filled with one arm.
//
// # Why the guarantee holds
//
// The guarantee rests on intervals, or on a likelihood ratio. With probability at least 1 - Delta,
// the intervals or bounds on the ratio hold simultaneously for all arms and all counts. Let F_s be
// everything known after s results arrived: the requests, failures, times of arrival and values.
// Suppose that, given F_s and the arm of the next result, the value has the mean of the arm and
// sub-Gaussian noise of scale Sigma. If the noise is sub-Gaussian given the past, the sums of noise
// are martingales, as in sequential sampling, and bounds about martingales hold at every s. The
// choice of arms may depend on the rules of the policy, guesses about pending results, or a
// chemist's preference. If all bounds hold, an answer is right whenever the stopping rule holds.
// The proof does not depend on order, delays, plates, or missing or additional results.
//
// # When it does not
//
//   - A result fails, is late or is left out because of its value. Examples are a detector that
//     overflows, a reaction that looks bad and is abandoned, and an outlier that is deleted.
//     Results may also arrive earlier because of their values. Results that are selected by their
//     values are biased. Report failed results at the limit of the range, or measure a quantity
//     that is not censored.
//   - Additional measurements are selected by their values, such as the good results of last year.
//     Report all earlier measurements or none.
//   - A measurement is reported twice, or one value is reported as several rewards. The average of
//     three wells is one reward with less noise, not three rewards.
//   - Rewards of one batch share noise (a plate effect), so they are not independent given the
//     past.
//   - Conditions changed, so that additional measurements have another mean or more noise.
//
// Bounds on the number of measurements hold only for the policy's own choices with every result
// available.
type Asynchronous interface {
	Policy
	// More appends pulls for at most n further rewards to dst. The argument pending lists pulls
	// that are requested, but not yet learned. More does not change the policy. If More appends no
	// pulls and nothing is pending, the run has ended. If More appends no pulls and some results
	// are pending, no further request is useful before these results are learned.
	More(dst []Pull, n int, pending []Pull) ([]Pull, error)
	// Learn processes measurements, several of which may be of the same arm, and checks whether the
	// run has ended. The policy must not keep obs or the slices in obs. After the end of the run,
	// Learn ignores measurements.
	Learn(obs []Batch) error
}

// A Question defines which answers are right. A question may also implement AllowsUndecided,
// ConstraintNamer, Explainer, OnPredictors, Rescaler, Titled, Tolerating, Validator and Valuer.
type Question interface {
	// Correct reports whether a is right for the means mu (M x d, one item per row). Only callers
	// that know the true means can use Correct.
	Correct(mu *mat.Dense, a Answer) bool
}

// A Validator is a question that does not fit every problem, or whose settings may be out of range.
type Validator interface {
	// Validate returns an error that states how the question does not fit p and how to fix it.
	// [Problem.Validate] calls Validate.
	Validate(p *Problem) error
}

// A ConstraintNamer is a question with constraints.
type ConstraintNamer interface {
	// ConstraintName returns the name of constraint k, whose number is the field Constraint of a
	// [Reason].
	ConstraintName(k int) string
}

// A Valuer is a question that compares items by one number.
type Valuer interface {
	// Value returns the value of an item with mean mu, d numbers; larger is better. Margins of
	// reasons are differences between values of two items.
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

// An Explainer is a question with its own phrases for verdicts.
type Explainer interface {
	// Explain returns r, the reason for item i of p, as two phrases, verdict and why, that follow
	// the name of the item. Explain may return an empty verdict or an empty why. [Words] and
	// [Amount] help to implement Explain.
	Explain(p *Problem, i int, r Reason) (verdict, why string)
}

// OnPredictors is implemented by questions that may be about linear predictors if the problem has a
// link.
type OnPredictors interface {
	// OnPredictors reports whether the question may be about linear predictors.
	OnPredictors() bool
}
