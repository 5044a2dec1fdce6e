package explore

import (
	"errors"
	"fmt"
	"math/rand/v2"
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
