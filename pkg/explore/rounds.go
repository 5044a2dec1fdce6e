package explore

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Ask returns the pulls that the policy requests next. Until the next Tell, further calls of Ask
// return the same pulls. If Ask returns no pulls and no error, the run has ended; see Result. The
// returned slice is valid until the next Tell and must not be changed.
func (s *Session) Ask() ([]Pull, error) {
	switch {
	case s.waiting:
		return s.pulls, nil
	case s.status != Running:
		return nil, nil
	case s.byTickets:
		return nil, fmt.Errorf("explore: this session hands out tickets; call More, not Ask: %w", ErrMismatch)
	}
	if err := s.missing(); err != nil {
		return nil, err
	}
	if err := s.next(); err != nil {
		return nil, err
	}
	if s.status == Running {
		s.status = s.limit(s.total+s.asked, s.rounds+1)
	}
	if s.status != Running {
		return nil, nil
	}
	s.waiting = true
	return s.pulls, nil
}

// Tell reports the measurements requested by the last Ask, in the order of its pulls. If obs
// contains measurements that were not requested, or values that are not finite or too large for
// their noise, Tell returns an error and changes nothing. The caller can correct obs and call Tell
// again. Errors wrap ErrUnexpected, ErrMismatch, ErrValue, ErrRange or ErrOffset and state what is
// wrong and where.
func (s *Session) Tell(obs []Batch) error {
	if err := s.check(obs); err != nil {
		return err
	}
	s.waiting = false
	return s.take(obs)
}

// check returns an error if obs does not answer the last Ask.
func (s *Session) check(obs []Batch) error {
	if !s.waiting {
		if s.status != Running {
			return fmt.Errorf("explore: the run has ended (%v) after round %d: %w", s.status, s.rounds, ErrUnexpected)
		}
		return fmt.Errorf("explore: no round was requested after round %d was reported; call Ask first: %w",
			s.rounds, ErrUnexpected)
	}
	if len(obs) != len(s.pulls) {
		return fmt.Errorf("explore: round %d: %d batches; expected %d, one for each pull: %w", s.rounds+1, len(obs),
			len(s.pulls), ErrMismatch)
	}
	for i := range obs {
		b := &obs[i]
		if b.Pull != s.pulls[i] {
			return s.mismatch(i, b)
		}
		if s.plain(b) {
			continue
		}
		if err := s.prob.CheckBatch(b); err != nil {
			return fmt.Errorf("explore: round %d, batch %d (%s): %w", s.rounds+1, i, s.prob.Arm(b.Arm), err)
		}
	}
	return nil
}

// plain reports whether a quick test shows that the sum of b is possible. plain may return false
// for a valid sum, but never true for an invalid sum.
func (s *Session) plain(b *Batch) bool {
	size := s.largest * float64(b.N)
	for _, v := range b.Sum {
		if !(math.Abs(v) <= size) {
			return false
		}
	}
	return b.Squares == nil && len(b.Sum) == s.prob.D()
}

func (s *Session) mismatch(i int, b *Batch) error {
	which := fmt.Sprintf("unknown arm %d (the arms are 0 to %d)", b.Arm, len(s.armPulls)-1)
	if uint(b.Arm) < uint(len(s.armPulls)) {
		which = s.prob.Arm(b.Arm)
	}
	want := s.pulls[i]
	return fmt.Errorf("explore: round %d, batch %d: %d rewards of %s; expected %d of %s: %w",
		s.rounds+1, i, b.N, which, want.N, s.prob.Arm(want.Arm), ErrMismatch)
}

// Round returns the number of the current or next round, counted from 1.
func (s *Session) Round() int { return s.rounds + 1 }

// Run runs policy p on prob with measurements from s, until p stops or a limit is reached. If the
// run fails after its start, Run also returns the result so far. Reaching a limit is not an error;
// the status of the result states the limit.
func Run(p Policy, prob *Problem, s Sampler, set *Settings) (*Result, error) {
	ses, err := NewSession(p, prob, set)
	if err != nil {
		return nil, err
	}
	var obs []Batch
	observe, err := drawn(ses, s)
	if err != nil {
		return nil, err
	}
	for {
		if observe != nil {
			if err := observe(); err != nil {
				ses.status = Failure
				return ses.Result(), err
			}
		}
		pulls, err := ses.Ask()
		if err != nil {
			return ses.Result(), err
		}
		if len(pulls) == 0 {
			return ses.Result(), nil
		}
		if obs, err = s.Sample(obs[:0], pulls); err != nil {
			ses.status = Failure
			return ses.Result(), fmt.Errorf("explore: the sampler failed in round %d: %w", ses.Round(), err)
		}
		if err = ses.Tell(obs); err != nil {
			ses.status = Failure
			return ses.Result(), err
		}
	}
}

// round is the state of a requested round whose measurements a session hands out one by one.
type round struct {
	obs       []Batch // results by slot
	want      []int   // requested rewards by slot
	due       []int   // rewards not yet handed out, by slot
	unlearned int     // number of rewards in obs that the policy has not learned
}

// newRound returns a round that consists of the given pulls; each pull has one slot.
func newRound(pulls []Pull, d int) *round {
	r := &round{}
	for _, p := range pulls {
		r.obs = append(r.obs, Batch{Pull: Pull{p.Arm, 0}, Sum: make([]float64, d)})
		r.want, r.due = append(r.want, p.N), append(r.due, p.N)
	}
	return r
}

// slot returns the first slot of the arm that still has rewards to hand out, or -1.
func (r *round) slot(arm int) int {
	for slot, n := range r.due {
		if n > 0 && r.obs[slot].Arm == arm {
			return slot
		}
	}
	return -1
}

// untouched reports whether no ticket of the round has been handed out yet.
func (r *round) untouched() bool { return slices.Equal(r.due, r.want) }

func (r *round) add(slot int, b *Batch) {
	o := &r.obs[slot]
	o.N += b.N
	for c, v := range b.Sum {
		o.Sum[c] += v
	}
	r.unlearned += b.N
}

// complete reports whether all rewards of the round are reported.
func (r *round) complete() bool {
	for slot, n := range r.want {
		if r.obs[slot].N != n {
			return false
		}
	}
	return true
}

// A Contextual policy uses features that change from round to round and are known before each pull.
// Examples are the features of a patient, a customer or a day. If Problem.Changing is true, the
// policy receives the features before each Ask.
type Contextual interface {
	Policy
	// Observe sets the features of the next round, K x h, one arm per row. The policy must not
	// change the matrix x or keep a reference to it.
	Observe(x *mat.Dense)
}

// A ContextSampler is a Sampler that also draws the features of each round.
type ContextSampler interface {
	Sampler
	// Contexts draws the features of the next round and stores them in dst, K x h. The next call of
	// Sample draws rewards for the features in dst. Without a call of Contexts, Sample draws new
	// features for each reward.
	Contexts(dst *mat.Dense) error
}

// ErrContext reports that the features of a round are missing or unusable.
var ErrContext = errors.New("the contexts are missing or invalid")

// contexts holds the features of the current round of a session, and the policy that reads them.
// The zero value of contexts is for runs without changing features.
type contexts struct {
	reader Contextual // nil if the policy does not read contexts
	x      *mat.Dense // contexts of the current round, once they are reported
	seen   bool
}

// newContexts returns the state of changing features for a new run of p on prob.
func newContexts(p Policy, prob *Problem) contexts {
	reader, ok := p.(Contextual)
	if !ok || !prob.Changing {
		return contexts{}
	}
	return contexts{reader: reader, x: mat.NewDense(prob.K(), prob.H(), nil)}
}

// current returns the features of the current round, or nil if there are none.
func (c *contexts) current() *mat.Dense {
	if !c.seen {
		return nil
	}
	return c.x
}

// ReadsContexts reports whether Observe must be called before each Ask. ReadsContexts returns true
// if the policy is [Contextual] and Problem.Changing is true.
func (s *Session) ReadsContexts() bool { return s.contexts.reader != nil }

// Observe sets the features of the next round, K x h, one arm per row. If [Session.ReadsContexts]
// returns true, call Observe once before each Ask. If Observe returns an error, the session is
// unchanged. Errors about x wrap ErrContext. If the features of the round are already set or the
// run has ended, the error wraps ErrUnexpected.
func (s *Session) Observe(x *mat.Dense) error {
	if err := s.checkContexts(x); err != nil {
		return err
	}
	s.observe(x)
	return nil
}

// observe sets features that have already been checked.
func (s *Session) observe(x *mat.Dense) {
	s.contexts.x.Copy(x)
	s.contexts.seen = true
	s.contexts.reader.Observe(s.contexts.x)
}

// checkContexts returns an error if x cannot be the features of the next round.
func (s *Session) checkContexts(x *mat.Dense) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("explore: round %d: %s: %w", s.Round(), fmt.Sprintf(format, args...), ErrContext)
	}
	c := &s.contexts
	switch {
	case c.reader == nil && !s.prob.Changing:
		return bad("the problem has constant features; set Problem.Changing if features change")
	case c.reader == nil:
		return bad("%s uses no contexts; call Ask and Tell only", Name(s.policy))
	case s.status != Running:
		return fmt.Errorf("explore: the run has ended (%v) after round %d: %w", s.status, s.rounds, ErrUnexpected)
	case c.seen && x != nil && mat.Equal(x, c.x):
		return fmt.Errorf("explore: the contexts of round %d were reported before, with the same values; "+
			"report them once: %w", s.Round(), ErrUnexpected)
	case c.seen:
		return fmt.Errorf("explore: the contexts of round %d were reported before, with other values; the first "+
			"report counts: %w", s.Round(), ErrUnexpected)
	case x == nil:
		return bad("the contexts are nil; expected %d x %d numbers, with a row for each arm", s.prob.K(), s.prob.H())
	}
	k, h := x.Dims()
	if k != s.prob.K() || h != s.prob.H() {
		return bad("contexts of %d arms x %d features; expected %d x %d as in Problem.X, with a row for each arm",
			k, h, s.prob.K(), s.prob.H())
	}
	for i := range k {
		for j, v := range x.RawRowView(i) {
			if !(math.Abs(v) <= Largest) { // the negation also rejects NaN
				return bad("the context of %s, column %d, is %v; expected a finite number of magnitude at most "+
					"%v", s.prob.Arm(i), j, v, Largest)
			}
		}
	}
	return nil
}

// missing returns the error for an Ask without a preceding Observe, or nil.
func (s *Session) missing() error {
	if s.contexts.reader == nil || s.contexts.seen {
		return nil
	}
	return fmt.Errorf("explore: %s needs the contexts of round %d before it chooses pulls; report them with "+
		"Observe first: %w", Name(s.policy), s.Round(), ErrContext)
}

// drawn returns a function that draws the features of a round from smp and sets them in s, or nil
// if s needs no features.
func drawn(s *Session, smp Sampler) (func() error, error) {
	if !s.ReadsContexts() {
		return nil, nil
	}
	source, ok := smp.(ContextSampler)
	if !ok {
		return nil, fmt.Errorf("explore: %s reads contexts, but the sampler draws none; give the "+
			"sampler a method Contexts: %w", Name(s.policy), ErrContext)
	}
	k, h := s.prob.X.Dims()
	x := mat.NewDense(k, h, nil)
	return func() error {
		if err := source.Contexts(x); err != nil {
			return fmt.Errorf("explore: the sampler drew no contexts in round %d: %w", s.Round(), err)
		}
		return s.Observe(x)
	}, nil
}
