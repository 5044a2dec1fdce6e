package explore

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Settings of a run. The zero value works.
type Settings struct {
	// MaxPulls ends a run before the total number of pulls would exceed it.
	// Zero or less means no limit.
	MaxPulls int
	// MaxRounds ends a run after so many rounds of Ask and Tell. Zero means
	// DefaultMaxRounds, so that a question that nobody can answer (two arms
	// exactly tied, an arm exactly on the boundary) ends; less means no limit.
	MaxRounds int
	// Src feeds the random choices of the policy. Nil means a fixed stream.
	Src rand.Source
	// Recorder, if not nil, sees every round.
	Recorder Recorder
}

// DefaultMaxRounds is the limit on rounds where Settings states none.
const DefaultMaxRounds = 100_000_000

// A Recorder observes a run. An error from it ends the run.
type Recorder interface {
	Record(e Event) error
}

// An Event is one completed round. Its slices are valid during the call only.
type Event struct {
	Round  int // from 1
	Pulls  int // in total, this round included
	Obs    []Batch
	Policy Policy // Policy.Answer is the answer after this round
	// Contexts are the features of the arms in this round, K x h, if the policy
	// reads them, nil if not. Like slices they are valid during the call only.
	Contexts *mat.Dense
}

// A Result is the outcome of a run, or of the part of it that has been made.
type Result struct {
	Answer   Answer
	Status   Status
	Pulls    int   // in total
	Rounds   int   // of Ask and Tell
	ArmPulls []int // pulls of each arm
	// Warnings are remarks on what the guarantee does not cover.
	Warnings []error
}

// A Warner is a policy with remarks on its settings or its problem, such as a
// budget below the one that its theorem needs.
type Warner interface{ Warnings() []error }

// Errors that Tell and Ask wrap; test for them with errors.Is.
var (
	// ErrTold says that measurements were told that nobody is waiting for,
	// because they were told before.
	ErrTold = errors.New("these measurements are not awaited")
	// ErrMismatch says that measurements are not those that were asked for.
	ErrMismatch = errors.New("these are not the measurements asked for")
	// ErrValue says that a measurement is not a finite number, or too large to be
	// squared and added up: beyond 1e100 a reward.
	ErrValue = errors.New("a measurement is not a finite number of at most 1e100 in size")
	// ErrRange says that a measurement cannot come from the family of the problem's
	// link, such as a number of successes above that of the trials.
	ErrRange = errors.New("a measurement is outside the range of the link")
	// ErrOffset says that a reward is so large, relative to the noise, that the rounding of sums
	// would take the place of the noise: beyond LargestRatio times Problem.Sigma.
	ErrOffset = errors.New("a measurement is too large for its noise")
	// ErrPolicy says that a policy broke its contract.
	ErrPolicy = errors.New("the policy asked for something impossible")
)

// LargestRatio is the largest mean of a batch of rewards, in size, relative to Problem.Sigma. A sum
// of n numbers that are added one by one has a relative error of sqrt(n) 1e-16 as a rule, and
// policies add up to about 1e6 batches of up to 1e12 rewards in all: the error of a mean is then
// 1e-13 of it, and its standard deviation 1e-6 Sigma. At this ratio rounding is a tenth of that.
const LargestRatio = 1e6

// A Session is one run of a policy: whoever measures calls Ask, measures, calls
// Tell, and repeats until Ask returns no pulls. It checks both sides, counts,
// and enforces limits. A Session is not safe for concurrent use.
type Session struct {
	policy   Policy
	prob     *Problem
	set      Settings
	pulls    []Pull // asked and not told
	waiting  bool
	asked    int // number of rewards in pulls
	status   Status
	total    int
	rounds   int
	armPulls []int
	contexts contexts
}

// NewSession checks prob and starts a run of p on it. A nil set means the zero
// Settings.
func NewSession(p Policy, prob *Problem, set *Settings) (*Session, error) {
	resolved, err := begin(p, prob, set)
	if err != nil {
		return nil, err
	}
	return &Session{policy: p, prob: prob, set: resolved, armPulls: make([]int, prob.K()),
		contexts: newContexts(p, prob)}, nil
}

// begin checks prob and starts a run of p on it, with the settings that it returns.
func begin(p Policy, prob *Problem, set *Settings) (resolved Settings, err error) {
	if err := prob.Validate(); err != nil {
		return resolved, err
	}
	if set != nil {
		resolved = *set
	}
	if resolved.MaxRounds == 0 {
		resolved.MaxRounds = DefaultMaxRounds
	}
	if resolved.Src == nil {
		resolved.Src = rand.NewPCG(0, 0)
	}
	if err := p.Init(prob, resolved.Src); err != nil {
		return resolved, fmt.Errorf("explore: %s: %w", Name(p), err)
	}
	return resolved, nil
}

// Ask returns the pulls wanted next. It returns the same pulls until they are
// told; no pulls and no error means that the run has ended, see Result. The
// slice is valid until the next Tell and must not be changed.
func (s *Session) Ask() ([]Pull, error) {
	if s.waiting {
		return s.pulls, nil
	}
	if s.status != Running {
		return nil, nil
	}
	if err := s.missing(); err != nil {
		return nil, err
	}
	pulls, err := s.policy.Ask(s.pulls[:0])
	if err != nil {
		s.status = Failure
		return nil, fmt.Errorf("explore: %s, round %d: %w", Name(s.policy), s.rounds+1, err)
	}
	s.pulls = pulls
	if len(pulls) == 0 {
		s.status = Stopped
		return nil, nil
	}
	asked := 0
	for _, p := range pulls {
		if uint(p.Arm) >= uint(len(s.armPulls)) || p.N < 1 {
			s.status = Failure
			return nil, fmt.Errorf("explore: %s, round %d: %d pulls of arm %d; there are arms 0 "+
				"to %d: %w",
				Name(s.policy), s.rounds+1, p.N, p.Arm, len(s.armPulls)-1, ErrPolicy)
		}
		if p.N > math.MaxInt-s.total-asked {
			if s.set.MaxPulls > 0 {
				s.status = PullLimit
				return nil, nil
			}
			s.status = Failure
			return nil, fmt.Errorf("explore: %s, round %d: %d pulls of arm %d; there were "+
				"%d before, and more than %d cannot be counted: %w",
				Name(s.policy), s.rounds+1, p.N, p.Arm, s.total+asked, math.MaxInt, ErrPolicy)
		}
		asked += p.N
	}
	switch {
	case s.set.MaxPulls > 0 && s.total+asked > s.set.MaxPulls:
		s.status = PullLimit
		return nil, nil
	case s.set.MaxRounds > 0 && s.rounds >= s.set.MaxRounds:
		s.status = RoundLimit
		return nil, nil
	}
	s.asked, s.waiting = asked, true
	return pulls, nil
}

// Tell hands over the measurements that the last Ask wanted, in its order.
// Unless they are exactly those, finite and not too large for their noise, it
// returns an error and nothing has changed: correct them and tell again. The
// errors are ErrTold, ErrMismatch, ErrValue, ErrRange and ErrOffset, wrapped with
// what was wrong and where.
func (s *Session) Tell(obs []Batch) error {
	if err := s.check(obs); err != nil {
		return err
	}
	return s.take(obs)
}

// check reports whether obs answers the last Ask.
func (s *Session) check(obs []Batch) error {
	if !s.waiting {
		if s.status != Running {
			return fmt.Errorf("explore: the run has ended (%v) after round %d: %w", s.status,
				s.rounds, ErrTold)
		}
		return fmt.Errorf("explore: nothing was asked since round %d was told; call Ask first: %w",
			s.rounds, ErrTold)
	}
	if len(obs) != len(s.pulls) {
		return fmt.Errorf("explore: round %d: %d batches for %d pulls: %w", s.rounds+1, len(obs),
			len(s.pulls), ErrMismatch)
	}
	for i := range obs {
		b := &obs[i]
		if b.Pull != s.pulls[i] {
			return s.mismatch(i, b)
		}
		if err := s.prob.checkSum(b); err != nil {
			return fmt.Errorf("explore: round %d, batch %d (%s): %w", s.rounds+1, i,
				s.prob.Arm(b.Arm), err)
		}
	}
	return nil
}

// checkSum reports whether b has a sum that rewards of p can have.
func (p *Problem) checkSum(b *Batch) error {
	if len(b.Sum) != p.D() {
		return fmt.Errorf("a sum of length %d; want %d, one entry an objective: %w", len(b.Sum),
			p.D(), ErrMismatch)
	}
	if err := p.checkSquares(b); err != nil {
		return err
	}
	size := p.largest() * float64(b.N)
	for c, v := range b.Sum {
		if !(math.Abs(v) <= size) { // also NaN
			return p.extreme(b, c)
		}
		if p.Link == Identity {
			continue // any finite reward
		}
		if least, most := p.Link.Range(); v < least*float64(b.N) || v > most*float64(b.N) {
			return fmt.Errorf("%d rewards sum to %v; with the link %v each is from %v to %v: %w",
				b.N, v, p.Link, least, most, ErrRange)
		}
	}
	return nil
}

// checkSquares reports whether the sums of squares of b can be those of its rewards.
func (p *Problem) checkSquares(b *Batch) error {
	if b.Squares == nil {
		return nil
	}
	if len(b.Squares) != p.D() {
		return fmt.Errorf("sums of squares of length %d; want %d, one entry an objective, or "+
			"nil: %w", len(b.Squares), p.D(), ErrMismatch)
	}
	for c, v := range b.Squares {
		// Of n numbers with a given sum, equal ones have the least sum of squares.
		mean := b.Sum[c] / float64(b.N)
		if least := b.Sum[c] * mean; !(v >= least-1e-6*math.Abs(least)) || math.IsInf(v, 1) {
			return fmt.Errorf("%s: the squares of %d rewards with the sum %v sum to %v; they sum "+
				"to at least %v: %w", p.Objective(c), b.N, b.Sum[c], v, least, ErrValue)
		}
	}
	return nil
}

// largest returns the size of the largest reward that p allows.
func (p *Problem) largest() float64 {
	if p.Link != Identity {
		return Largest // whose noise is not of scale Sigma
	}
	return min(LargestRatio*p.Sigma, Largest)
}

// extreme says why the sum of objective c of b cannot be used.
func (p *Problem) extreme(b *Batch, c int) error {
	v := b.Sum[c]
	if !(math.Abs(v) <= Largest*float64(b.N)) {
		return fmt.Errorf("%s: %v: %w", p.Objective(c), v, ErrValue)
	}
	mean := v / float64(b.N)
	return fmt.Errorf("%s: the mean %v is %.3g times the noise (Sigma = %v): beyond %.0g times "+
		"it rounding replaces the noise; check Sigma, or subtract the same number from all "+
		"rewards of the objective, and from its constraints: %w", p.Objective(c), mean,
		math.Abs(mean)/p.Sigma, p.Sigma, LargestRatio, ErrOffset)
}

func (s *Session) mismatch(i int, b *Batch) error {
	which := fmt.Sprintf("unknown arm %d (there are arms 0 to %d)", b.Arm, len(s.armPulls)-1)
	if uint(b.Arm) < uint(len(s.armPulls)) {
		which = s.prob.Arm(b.Arm)
	}
	want := s.pulls[i]
	return fmt.Errorf("explore: round %d, batch %d: %d rewards of %s; want %d of %s: %w",
		s.rounds+1, i, b.N, which, want.N, s.prob.Arm(want.Arm), ErrMismatch)
}

// take applies checked measurements.
func (s *Session) take(obs []Batch) error {
	s.waiting = false
	s.rounds++
	s.total += s.asked
	for _, p := range s.pulls {
		s.armPulls[p.Arm] += p.N
	}
	if err := s.policy.Tell(obs); err != nil {
		s.status = Failure
		return fmt.Errorf("explore: %s, round %d: %w", Name(s.policy), s.rounds, err)
	}
	if s.set.Recorder != nil {
		e := Event{Round: s.rounds, Pulls: s.total, Obs: obs, Policy: s.policy,
			Contexts: s.contexts.current()}
		if err := s.set.Recorder.Record(e); err != nil {
			s.status = Failure
			return fmt.Errorf("explore: recorder, round %d: %w", s.rounds, err)
		}
	}
	s.contexts.seen = false
	return nil
}

// Round returns the number of the round that is asked for or comes next, from
// 1.
func (s *Session) Round() int { return s.rounds + 1 }

// Result returns the state of the run: final once Ask has returned no pulls,
// the best guess before.
func (s *Session) Result() *Result {
	r := &Result{
		Answer:   s.policy.Answer(),
		Status:   s.status,
		Pulls:    s.total,
		Rounds:   s.rounds,
		ArmPulls: slices.Clone(s.armPulls),
	}
	if w, ok := s.policy.(Warner); ok {
		r.Warnings = w.Warnings()
	}
	return r
}

// Run runs p on prob against s until p stops or a limit is reached. A result
// is returned with the error where there is one; that a limit was reached is
// not an error but a status.
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
			return ses.Result(), fmt.Errorf("explore: sampler, round %d: %w", ses.Round(), err)
		}
		if err = ses.Tell(obs); err != nil {
			ses.status = Failure
			return ses.Result(), err
		}
	}
}
