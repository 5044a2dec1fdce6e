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
// column, or ErrTold if the round has its contexts.
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
			ErrTold)
	case c.seen && x != nil && mat.Equal(x, c.x):
		return fmt.Errorf("explore: the contexts of round %d were told before, and are the same; "+
			"nothing needs to be done: %w",
			s.Round(), ErrTold)
	case c.seen:
		return fmt.Errorf("explore: the contexts of round %d were told before, and were others; "+
			"what was told first stands: %w",
			s.Round(), ErrTold)
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

// armContext is the context of one arm in a log.
type armContext struct {
	Arm string    `json:"arm"`
	X   []float64 `json:"x"`
}

// contextEntry is a line of a log: the contexts of one round, before its batches.
type contextEntry struct {
	Round    int          `json:"round"`
	Contexts []armContext `json:"contexts"`
}

// ReadsContexts reports whether each round needs its contexts, by Observe, before
// Ask; see [Session.ReadsContexts].
func (c *Campaign) ReadsContexts() bool { return c.ses.ReadsContexts() }

// Observe reports the contexts of a round, K x h, one arm a row, before Ask; see
// [Session.Observe]. Like measurements they are on disk before the policy learns
// of them. After an error nothing has changed. The contexts of a round that has
// them are an error that wraps ErrTold and says whether they are the same.
func (c *Campaign) Observe(round int, x *mat.Dense) error {
	if now := c.ses.Round(); round < 1 || round > now {
		return fmt.Errorf("explore: contexts of round %d; the current round is %d, whose "+
			"contexts and measurements come first: %w",
			round, now, ErrMismatch)
	}
	if c.ses.ReadsContexts() && round <= len(c.seen) && x != nil && mat.Equal(x, c.seen[round-1]) {
		return nil
	}
	if round < c.ses.Round() && c.ses.ReadsContexts() {
		return fmt.Errorf("explore: round %d is over, with other contexts; what was told first "+
			"stands: %w", round, ErrTold)
	}
	if err := c.ses.checkContexts(x); err != nil {
		return err
	}
	e := contextEntry{Round: round}
	for i := range c.prob.K() {
		e.Contexts = append(e.Contexts, armContext{c.prob.Arm(i), x.RawRowView(i)})
	}
	if err := c.file.AppendSync(e); err != nil {
		return c.refuse(fmt.Sprintf("the contexts of round %d were", round), err)
	}
	c.take(x)
	return nil
}

// take applies contexts that are in the log.
func (c *Campaign) take(x *mat.Dense) {
	c.seen = append(c.seen, mat.DenseCopyOf(x))
	c.ses.observe(x)
}

// replayContexts takes the contexts of a line of the log in.
func (c *Campaign) replayContexts(e contextEntry) error {
	if e.Round != c.ses.Round() {
		return fmt.Errorf("contexts of round %d, want round %d: lines are missing or repeated: %w",
			e.Round, c.ses.Round(), ErrLog)
	}
	k, h := c.prob.K(), c.prob.H()
	x := mat.NewDense(k, h, nil)
	if len(e.Contexts) != k {
		return fmt.Errorf("contexts of %d arms; want %d: %w", len(e.Contexts), k, ErrLog)
	}
	for i, told := range e.Contexts {
		if told.Arm != c.prob.Arm(i) || len(told.X) != h {
			return fmt.Errorf("a context of %s with %d features; want %s and %d features: %w",
				told.Arm, len(told.X), c.prob.Arm(i), h, ErrLog)
		}
		x.SetRow(i, told.X)
	}
	if err := c.ses.checkContexts(x); err != nil {
		return fmt.Errorf("%w: %w", err, ErrLog)
	}
	c.take(x)
	return nil
}
