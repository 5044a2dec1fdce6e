package explore

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// A Session is one run of a policy. A Session checks the policy's requests and the reported
// results, counts and records them, and enforces limits. A session works in one of two modes, by
// rounds or by tickets:
//
//   - by rounds: Ask returns the pulls of a round, Tell reports all rewards of the round, and so on
//     until Ask returns no pulls;
//   - by tickets, one for each measurement: More hands out tickets, Report accepts results as they
//     arrive, and Forget gives up tickets without results.
//
// The first call of Ask, or of a method for tickets such as More or ByTickets, selects the mode. A
// run is a deterministic function of the problem, the settings, the random source and the sequence
// of calls. To restore a session, repeat its calls. A Session is not safe for concurrent use.
type Session struct {
	policy   Policy
	prob     *Problem
	set      Settings
	status   Status
	rounds   int // number of rounds that the policy has learned
	total    int // number of rewards that the policy has learned
	armPulls []int
	sums     *Sums // nil if Settings.Sums is not set
	contexts contexts
	largest  float64 // largest possible reward; NaN if every reward needs the full check

	pulls   []Pull // pulls of the last requested round; scratch memory if the policy has no rounds
	asked   int    // number of rewards in pulls
	waiting bool   // in rounds mode: whether the results of pulls are missing

	byTickets bool
	tickets   tickets
	open      Asynchronous // nil in rounds mode, and for policies that are not Asynchronous
	ahead     Overlapping  // nil in rounds mode, and for policies that do not overlap rounds
}

// NewSession checks prob and starts a run of p on prob. If set is nil, NewSession uses the zero
// Settings.
func NewSession(p Policy, prob *Problem, set *Settings) (*Session, error) {
	if err := prob.Validate(); err != nil {
		return nil, err
	}
	s := &Session{policy: p, prob: prob, armPulls: make([]int, prob.K())}
	if set != nil {
		s.set = *set
	}
	s.set.MaxRounds = cmp.Or(s.set.MaxRounds, DefaultMaxRounds)
	if s.set.Src == nil {
		s.set.Src = rand.NewPCG(0, 0)
	}
	if s.set.Sums {
		s.sums = &Sums{}
	}
	if err := p.Init(prob, s.set.Src); err != nil {
		return nil, fmt.Errorf("explore: %s: %w", Name(p), err)
	}
	s.contexts = newContexts(p, prob)
	if s.largest = prob.largest(); prob.Link != Identity {
		s.largest = math.NaN()
	}
	return s, nil
}

// next requests the next pulls from the policy, and checks and counts them. The run ends if the
// policy requests no pulls, or requests more pulls than an int can count.
func (s *Session) next() (err error) {
	if s.open != nil {
		s.pulls, err = s.open.More(s.pulls[:0], 1, nil)
	} else {
		s.pulls, err = s.policy.Ask(s.pulls[:0])
	}
	if err == nil {
		s.asked, err = s.count(s.pulls, math.MaxInt-s.total)
	}
	switch {
	case err != nil:
		if s.set.MaxPulls > 0 && errors.Is(err, errRoom) {
			s.status = PullLimit
			return nil
		}
		return s.fail(s.rounds+1, err)
	case len(s.pulls) == 0:
		s.status = Stopped
	}
	return nil
}

// errRoom reports that a policy requested more pulls than the caller of count allows.
var errRoom = fmt.Errorf("too many pulls: %w", ErrPolicy)

// count returns the number of rewards in pulls, or an error if this number exceeds room.
func (s *Session) count(pulls []Pull, room int) (asked int, err error) {
	for _, p := range pulls {
		if uint(p.Arm) >= uint(len(s.armPulls)) || p.N < 1 {
			return 0, fmt.Errorf("%d pulls of arm %d; expected at least 1 pull of an arm from 0 to %d: %w", p.N, p.Arm,
				len(s.armPulls)-1, ErrPolicy)
		}
		if p.N > room-asked {
			return 0, fmt.Errorf("%d pulls of arm %d; expected at most %d: %w", p.N, p.Arm, room-asked, errRoom)
		}
		asked += p.N
	}
	return asked, nil
}

// limit returns PullLimit or RoundLimit if the total number of pulls or rounds exceeds its limit,
// and otherwise Running.
func (s *Session) limit(pulls, rounds int) Status {
	switch {
	case s.set.MaxPulls > 0 && pulls > s.set.MaxPulls:
		return PullLimit
	case s.set.MaxRounds > 0 && rounds > s.set.MaxRounds:
		return RoundLimit
	}
	return Running
}

// take passes checked measurements to the policy and the recorder.
func (s *Session) take(obs []Batch) (err error) {
	s.rounds++
	for i := range obs {
		b := &obs[i]
		s.total += b.N
		s.armPulls[b.Arm] += b.N
	}
	if s.sums != nil {
		s.sums.add(obs)
	}
	if s.open != nil {
		err = s.open.Learn(obs)
	} else {
		err = s.policy.Tell(obs)
	}
	if err != nil {
		return s.fail(s.rounds, err)
	}
	if s.set.Recorder != nil {
		e := Event{Round: s.rounds, Pulls: s.total, Obs: obs, Policy: s.policy, Contexts: s.contexts.current()}
		if err := s.set.Recorder.Record(e); err != nil {
			s.status = Failure
			return fmt.Errorf("explore: recorder%s: %w", s.in(s.rounds), err)
		}
	}
	s.contexts.seen = false
	return nil
}

// fail ends the run with an error of the policy.
func (s *Session) fail(round int, err error) error {
	s.status = Failure
	return fmt.Errorf("explore: %s%s: %w", Name(s.policy), s.in(round), err)
}

// in describes a round for error messages. Sessions by tickets have no round numbers; for such
// sessions, in returns an empty text.
func (s *Session) in(round int) string {
	if s.byTickets {
		return ""
	}
	return fmt.Sprintf(", round %d", round)
}

var errUnused = errors.New("the policy's guarantee covers only rewards of requested rounds, or the rewards arrived " +
	"after the run ended")

// Status reports whether the run has ended, and why.
func (s *Session) Status() Status { return s.status }

// A Result is the current state or the final outcome of a run.
type Result struct {
	Answer   Answer
	Status   Status
	Pulls    int   // total number of pulls
	Rounds   int   // number of rounds of Ask and Tell, or of calls that handed out tickets
	ArmPulls []int // pulls of each arm
	// Sums contains the measurements of each arm, with means and intervals; it is nil unless
	// Settings.Sums is true.
	Sums *Sums
	// Warnings describe reasons why the guarantee may not hold.
	Warnings []error
}

// Warnings is implemented by policies that can warn about their settings or problem, for example
// about a budget below the value that a theorem requires. Warnings returns one error for each
// reason why the guarantee may not hold.
type Warnings interface{ Warnings() []error }

// Result returns the current state of the run. If Status is Running, the result contains the
// current best guess; otherwise, the result is final.
func (s *Session) Result() *Result {
	r := &Result{
		Answer:   s.policy.Answer(),
		Status:   s.status,
		Pulls:    s.total,
		Rounds:   s.rounds,
		ArmPulls: slices.Clone(s.armPulls),
		Sums:     s.sums.clone(),
	}
	r.Answer.Reasons = marked(s.policy, s.prob.Question, r.Answer.Reasons)
	if w, ok := s.policy.(Warnings); ok {
		r.Warnings = slices.Clone(w.Warnings())
	}
	if s.byTickets {
		r.Rounds = s.tickets.plates
	}
	n := 0
	for _, u := range s.tickets.unused {
		n += u
	}
	if n > 0 && s.ahead == nil { // with overlapping rounds, unused rewards are normal
		r.Warnings = append(r.Warnings, fmt.Errorf("explore: %d rewards were not used: %w", n, errUnused))
	}
	return r
}

// Settings are the settings of a run. The zero value of Settings has useful defaults.
type Settings struct {
	// MaxPulls is a limit on the total number of pulls; a run ends before it would exceed MaxPulls.
	// A MaxPulls of zero or less means no limit.
	MaxPulls int
	// MaxRounds is a limit on the number of rounds of Ask and Tell, or of calls that hand out
	// tickets. Zero means DefaultMaxRounds. With a limit, a run ends even if the question has
	// no answer (two arms exactly tied, or an arm exactly on the boundary). A negative MaxRounds
	// means no limit.
	MaxRounds int
	// Src is the source of the policy's random choices; nil means a source with a fixed seed.
	Src rand.Source
	// If Sums is true, the session stores the measurements of each arm for Result.Sums.
	Sums bool
	// If Recorder is not nil, it receives every completed round.
	Recorder Recorder
}

// DefaultMaxRounds is the default limit on rounds.
const DefaultMaxRounds = 100_000_000

// A Recorder observes the rounds of a run. If Record returns an error, the run ends.
type Recorder interface {
	// Record observes a completed round.
	Record(e Event) error
}

// An Event is one completed round. The slices of an Event are valid only during the call of Record.
type Event struct {
	Round  int     // number of the round, from 1
	Pulls  int     // total number of pulls, including this round
	Obs    []Batch // measurements of this round
	Policy Policy  // Policy.Answer is the answer after this round
	// Contexts contains the features of the arms in the round, K x h; it is nil if the policy does
	// not read changing features. The matrix is valid only during the call of Record.
	Contexts *mat.Dense
}

// A Status states whether a run has ended, and why.
type Status int

// The following constants are the possible states of a run.
const (
	Running    Status = iota // the run has not ended
	Stopped                  // the policy stopped: its guarantee holds
	PullLimit                // the next pulls would exceed Settings.MaxPulls
	RoundLimit               // Settings.MaxRounds was reached
	Failure                  // the policy, the sampler or the recorder returned an error
)

var statuses = [...]struct {
	name  string
	early bool
	err   error
}{
	Running: {"running", true, nil},
	Stopped: {"stopped", false, nil},
	PullLimit: {"pull limit", true, errors.New("explore: the limit on pulls was reached before " +
		"the policy stopped; the reasons in the answer name the undecided items")},
	RoundLimit: {"round limit", true, errors.New("explore: the limit on rounds was reached " +
		"before the policy stopped; the reasons in the answer name the undecided items")},
	Failure: {"failure", true, errors.New("explore: the run failed")},
}

// String returns the name of the status.
func (s Status) String() string {
	if s < 0 || int(s) >= len(statuses) {
		return "status " + strconv.Itoa(int(s))
	}
	return statuses[s].name
}

// Early returns false only if the policy's stopping rule has ended the run. In all other cases,
// including Running, Early returns true, and the guarantee does not hold.
func (s Status) Early() bool { return statuses[s].early }

// Err returns nil for Running and Stopped, and otherwise an error that describes the status.
func (s Status) Err() error { return statuses[s].err }

// ParseStatus returns the status whose String method returns name.
func ParseStatus(name string) (Status, error) {
	for i, s := range statuses {
		if s.name == name {
			return Status(i), nil
		}
	}
	return 0, errors.New("explore: unknown status " + strconv.Quote(name))
}
