package explore

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// A Contextual policy reads features that change from round to round and are
// seen before the pull: the contexts of a patient, a customer, a day. If
// Problem.Changing is set, it is told them before each Ask.
type Contextual interface {
	Policy
	// Observe hands over the contexts of the round that is asked for next, K x h,
	// one arm a row. The policy must not change or keep x.
	Observe(x *mat.Dense)
}

// A ContextSampler is a Sampler that draws contexts, too.
type ContextSampler interface {
	Sampler
	// Contexts stores the contexts of the next round in dst, K x h. The rewards
	// of the Sample that follows are those of arms in these contexts. Without a
	// call before it, each reward of Sample has contexts of its own.
	Contexts(dst *mat.Dense) error
}

// ErrContext says that the contexts of a round are missing, or cannot be used.
var ErrContext = errors.New("contexts are missing or do not fit")

// contexts is what a session knows about the contexts of the current round. The
// zero value is that of runs that read none.
type contexts struct {
	reader Contextual // nil if contexts are not read
	x      *mat.Dense // of the current round, if seen
	seen   bool
}

// newContexts prepares for a run of p on prob.
func newContexts(p Policy, prob *Problem) contexts {
	reader, ok := p.(Contextual)
	if !ok || !prob.Changing {
		return contexts{}
	}
	return contexts{reader: reader, x: mat.NewDense(prob.K(), prob.H(), nil)}
}

// current returns the contexts of the round, nil if none are read.
func (c *contexts) current() *mat.Dense {
	if !c.seen {
		return nil
	}
	return c.x
}

// ReadsContexts reports whether the policy must be told the contexts of each
// round, by Observe, before Ask: whether it is [Contextual] and the problem's
// features are Changing.
func (s *Session) ReadsContexts() bool { return s.contexts.reader != nil }

// Observe hands over the contexts of the round that comes next, K x h, one arm a
// row. It is called once before each Ask of a session that [Session.ReadsContexts].
// After an error nothing has changed. Errors wrap ErrContext, and name arm and
// column, or ErrUnexpected if the round has its contexts.
func (s *Session) Observe(x *mat.Dense) error {
	if err := s.checkContexts(x); err != nil {
		return err
	}
	s.observe(x)
	return nil
}

// observe applies checked contexts.
func (s *Session) observe(x *mat.Dense) {
	s.contexts.x.Copy(x)
	s.contexts.seen = true
	s.contexts.reader.Observe(s.contexts.x)
}

// checkContexts reports whether x can be the contexts of the next round.
func (s *Session) checkContexts(x *mat.Dense) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("explore: round %d: %s: %w", s.Round(), fmt.Sprintf(format, args...),
			ErrContext)
	}
	c := &s.contexts
	switch {
	case c.reader == nil && !s.prob.Changing:
		return bad("the features of this problem do not change; set Problem.Changing if they do")
	case c.reader == nil:
		return bad("%s reads no contexts", Name(s.policy))
	case s.status != Running:
		return fmt.Errorf("explore: the run has ended (%v) after round %d: %w", s.status, s.rounds,
			ErrUnexpected)
	case c.seen && x != nil && mat.Equal(x, c.x):
		return fmt.Errorf("explore: the contexts of round %d were told before, and are the same; "+
			"nothing needs to be done: %w",
			s.Round(), ErrUnexpected)
	case c.seen:
		return fmt.Errorf("explore: the contexts of round %d were told before, and were others; "+
			"what was told first stands: %w",
			s.Round(), ErrUnexpected)
	case x == nil:
		return bad("no contexts; want %d x %d, one arm a row", s.prob.K(), s.prob.H())
	}
	k, h := x.Dims()
	if k != s.prob.K() || h != s.prob.H() {
		return bad("contexts of %d arms x %d features; want %d x %d as in Problem.X, one arm a row",
			k, h, s.prob.K(), s.prob.H())
	}
	for i := range k {
		for j, v := range x.RawRowView(i) {
			if !(math.Abs(v) <= Largest) { // also NaN
				return bad("the context of %s, column %d, is %v; want a finite number of at most "+
					"%v in size", s.prob.Arm(i), j, v, Largest)
			}
		}
	}
	return nil
}

// missing returns the error of Ask before Observe, nil if nothing is missing.
func (s *Session) missing() error {
	if s.contexts.reader == nil || s.contexts.seen {
		return nil
	}
	return fmt.Errorf("explore: %s reads the contexts of round %d before it says what to pull; "+
		"hand them over with Observe first: %w",
		Name(s.policy), s.Round(), ErrContext)
}

// drawn returns a function that draws the contexts of a round from smp and hands
// them to s, nil if s reads none.
func drawn(s *Session, smp Sampler) (func() error, error) {
	if !s.ReadsContexts() {
		return nil, nil
	}
	source, ok := smp.(ContextSampler)
	if !ok {
		return nil, fmt.Errorf("explore: %s reads contexts, and the sampler draws none; it needs "+
			"a method Contexts: %w",
			Name(s.policy), ErrContext)
	}
	k, h := s.prob.X.Dims()
	x := mat.NewDense(k, h, nil)
	return func() error {
		if err := source.Contexts(x); err != nil {
			return fmt.Errorf("explore: sampler, contexts of round %d: %w", s.Round(), err)
		}
		return s.Observe(x)
	}, nil
}
