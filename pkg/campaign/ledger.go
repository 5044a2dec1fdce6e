package campaign

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/purexp/purexp/internal/plaintext"
	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/internal/strictjson"
)

// ledger holds the content of the valid events before a policy sees them: candidates, tickets and
// results. The ledger checks that each event is possible after the earlier events.
type ledger struct {
	id, program string
	problem     *problem.Problem // the problem with the current candidates
	numbers     map[string]int   // index of each current candidate by name

	arms    []arm
	at      map[string]int // index in arms by name
	tickets []Ticket       // tickets[t-1] is ticket t
	told    []*rowBody     // reported row of each ticket, or nil
	plates  int
	ids     map[string]*rowBody // unsolicited results by id
	keys    map[string][2]int   // first and last ticket of each ask, by key
	ops     []op                // events as the policy sees them
	begun   events.Event        // the first event of the record
	undone  int                 // number of undone events with results
	found   bool                // whether there has been a result, possibly undone
	changes int                 // number of changes of candidates since the first result, including undone changes

	sealed     int // number of the event that sealed the protocol
	amendments []Amendment
	signatures []Signature
	people     map[string]string // names of people, by plaintext.Skeleton of the name
	last       string            // author of the last event on record
	formal     map[int]bool      // numbers of signature events and of their undos, which do not change the findings

	summed bool // whether some result, possibly undone, is a summary
	// unsummed returns why a result with the given ticket (0 means none) cannot be a summary, or ""; see
	// problem.Compiled.Unsummed.
	unsummed func(ticket int) string
}

// arm is a current or former candidate.
type arm struct {
	name      string
	available bool
	why       string // reason why the candidate was dropped
	joined    bool   // whether the candidate joined after the start
	measured  bool
	cost      float64 // cost of one measurement
}

// op is an event as a policy sees it.
type op struct {
	seq    int
	change bool  // whether candidates joined or left with this event
	begun  int   // number of joins and drops since the first result; see Candidates.Begun
	admits bool  // whether the event contains the first result of a newcomer
	ask    []int // tickets that the event handed out
	phases []phaseBody
	// announced says that a person, not the policy, chose the arms of ask.
	announced bool
	rows      []rowBody // reported results

	references []rowBody // reported results of reference wells
}

// strict decodes JSON into v. strict rejects unknown and repeated fields, and null for a number or
// text.
func strict(text []byte, v any) error {
	return strictjson.Unmarshal(text, v, strictjson.Known, strictjson.NoNull)
}

// newLedger returns the ledger after the first event of a record.
func newLedger(e *events.Event) (*ledger, error) {
	if e.What != KindProblem {
		return nil, fmt.Errorf("%w: event 1: the kind is %q; expected problem", ErrDamaged, e.What)
	}
	b, err := bodyOf[problemBody](e)
	if err != nil {
		return nil, err
	}
	p, err := problem.Decode(b.Problem)
	if err != nil {
		return nil, fmt.Errorf("%w: event 1: %w", unreadable(err), err)
	}
	if n := p.Candidates.Shares; n != 0 && n < p.K() {
		return nil, fmt.Errorf("%w: event 1: candidates.shares: %d; expected at least %d, the number of candidates",
			ErrDamaged, n, p.K())
	}
	if part := p.Candidates.Later; !(part >= 0 && part < 1) {
		return nil, fmt.Errorf("%w: event 1: candidates.later: %v; expected a fraction from 0 to below 1",
			ErrDamaged, part)
	}
	switch m, c := p.Method, p.Candidates; {
	case c.Ever < 0:
		return nil, fmt.Errorf("%w: event 1: candidates.ever: %d; expected at least 0", ErrDamaged, c.Ever)
	case m.Name != p.MethodName():
		return nil, fmt.Errorf("%w: event 1: method.name: %q; expected %q", ErrDamaged, m.Name, p.MethodName())
	case m.Budget != 0 && !p.FixedBudget():
		return nil, fmt.Errorf("%w: event 1: method.budget: %d; expected 0 for %s", ErrDamaged, m.Budget, m.Name)
	}
	l := &ledger{id: b.ID, program: b.Program, at: map[string]int{},
		ids: map[string]*rowBody{}, keys: map[string][2]int{}, begun: *e,
		formal: map[int]bool{}, people: map[string]string{}}
	compiled := sync.OnceValues(p.Compile)
	l.unsummed = func(ticket int) string {
		if c, err := compiled(); err == nil || errors.Is(err, problem.ErrUntrusted) {
			return c.Unsummed(ticket > 0)
		}
		return "" // the problem does not compile; other functions report the error
	}
	l.meet(e.Who)
	for _, name := range p.Candidates.Names {
		l.arm(name).available = true
	}
	l.have(p)
	l.ops = append(l.ops, op{seq: 1, change: true})
	return l, nil
}

// meet records the author of an event as a known person.
func (l *ledger) meet(who string) {
	if who == l.last {
		return // the author of the previous event is known
	}
	l.last = who
	if look := plaintext.Skeleton(who); l.people[look] == "" {
		l.people[look] = who
	}
}

// known returns an error if who looks like the name of another person on record.
func (l *ledger) known(who string) error {
	if other := l.people[plaintext.Skeleton(who)]; other != "" && other != who && plaintext.Name(other) == nil {
		return input("who", "%+q looks like %+q, a name on record; use exactly the recorded name, or a clearly "+
			"different name", who, other)
	}
	return nil
}

// have sets the problem with the current candidates, and stores the cost of a measurement of each
// candidate.
func (l *ledger) have(p *problem.Problem) {
	l.problem, l.numbers = p, p.Numbers()
	c := &l.problem.Candidates
	for i, v := range c.Costs {
		l.arm(c.Names[i]).cost = v
	}
}

// arm returns the arm with the given name, and creates the arm if necessary.
func (l *ledger) arm(name string) *arm {
	i, ok := l.at[name]
	if !ok {
		i = len(l.arms)
		l.at[name] = i
		l.arms = append(l.arms, arm{name: name})
	}
	return &l.arms[i]
}

// apply applies an event after the first to the ledger; stands says whether the event is valid. Undone
// events reserve their ticket numbers and names, and count in found, changes, undone and summed.
func (l *ledger) apply(e *events.Event, stands bool) error {
	l.meet(e.Who)
	body, err := decode(e)
	if err != nil {
		return err
	}
	switch b := body.(type) {
	case *askBody:
		return l.ask(e, b, stands)
	case *tellBody:
		l.found = l.found || len(b.Rows) > 0
		l.summed = l.summed || slices.ContainsFunc(b.Rows, func(r rowBody) bool { return r.N > 0 })
		if stands {
			return l.tell(e, b)
		}
		l.undone++
	case *dropBody:
		l.amend(e, b.consent)
		l.changed()
		if stands {
			return l.drop(e, b)
		}
	case *joinBody:
		l.amend(e, b.consent)
		l.changed()
		return l.join(e, b, stands)
	case *undoBody:
		l.amend(e, b.consent)
		// An undo of a signature, or of such an undo, does not change the findings. Any other undo
		// makes all signatures stale.
		if l.formal[e.Seq] = l.formal[b.Event]; !l.formal[e.Seq] {
			l.outdate()
		}
	case *sealBody:
		if b.Problem != l.begun.Hash {
			return fmt.Errorf("%w: event %d: problem: the hash is not the hash of event 1", ErrDamaged, e.Seq)
		}
		l.sealed = e.Seq
	case *signBody:
		if strings.TrimSpace(b.Name) == "" {
			return fmt.Errorf("%w: event %d: name: empty; expected the name of the signer", ErrDamaged, e.Seq)
		}
		l.sign(e, b, stands)
	default:
		return fmt.Errorf("%w: event %d: the kind is problem; only event 1 can have this kind", ErrDamaged, e.Seq)
	}
	return nil
}

// candidate returns the index of a current candidate in the problem, or -1 for an unknown name.
func (l *ledger) candidate(name string) int {
	if i, ok := l.numbers[name]; ok {
		return i
	}
	return -1
}

func (l *ledger) ask(e *events.Event, b *askBody, stands bool) error {
	if b.First != len(l.tickets)+1 {
		return fmt.Errorf("%w: event %d: first: %d; expected ticket %d", ErrDamaged, e.Seq, b.First, len(l.tickets)+1)
	}
	for _, f := range []struct {
		field          string
		n, least, most int
	}{{"plate", b.Plate, 1, math.MaxInt}, {"room", b.Room, 0, math.MaxInt}, {"filled", b.Filled, 0, len(b.Arms)}} {
		if f.n < f.least || f.n > f.most {
			return fmt.Errorf("%w: event %d: %s: %d; expected %d to %d", ErrDamaged, e.Seq, f.field, f.n,
				f.least, f.most)
		}
	}
	l.plates++
	o := op{seq: e.Seq, ask: make([]int, 0, len(b.Arms)), phases: b.Phases, announced: b.Announced}
	for i, x := range b.Phases {
		if x.Number < 1 || len(x.Arms) == 0 || len(x.N) != len(x.Arms) || slices.Min(x.N) < 1 ||
			slices.Max(x.N) > mostOfPhase ||
			slices.ContainsFunc(x.Arms, func(name string) bool { _, ok := l.at[name]; return !ok }) {
			return fmt.Errorf("%w: event %d: phases[%d]: expected candidates with counts", ErrDamaged, e.Seq, i)
		}
	}
	for _, name := range b.Arms {
		if _, ok := l.at[name]; !ok {
			return fmt.Errorf("%w: event %d: unknown candidate %q", ErrDamaged, e.Seq, name)
		}
		t := Ticket{Ticket: len(l.tickets) + 1, Plate: b.Plate, Arm: name, Who: e.Who, At: e.At,
			Event: e.Seq, State: Pending}
		if !stands {
			t.State = Withdrawn
		}
		l.tickets, l.told = append(l.tickets, t), append(l.told, nil)
		o.ask = append(o.ask, t.Ticket)
	}
	if err := l.askReference(e, b, stands); err != nil {
		return err
	}
	if stands {
		l.ops = append(l.ops, o)
		if b.Key != "" {
			l.keys[b.Key] = [2]int{b.First, b.last()}
		}
	}
	return nil
}

func (l *ledger) tell(e *events.Event, b *tellBody) error {
	o := op{seq: e.Seq, rows: b.Rows}
	which := l.problem.Measured()
	for i := range b.Rows {
		r := &b.Rows[i]
		if field, err := l.possible(r, which); err != nil {
			return fmt.Errorf("%w: event %d: rows[%d].%s: %w", ErrDamaged, e.Seq, i, field, err)
		}
		if r.Ticket != 0 {
			if err := l.answers(e, r, false); err != nil {
				return err
			}
		} else if l.ids[r.ID] != nil {
			return conflict("the result with id %q is reported by event %d and by another event", r.ID, e.Seq)
		}
		at, ok := l.at[r.Arm]
		if !ok {
			return fmt.Errorf("%w: event %d: unknown candidate %q", ErrDamaged, e.Seq, r.Arm)
		}
		if a := &l.arms[at]; !r.Failed && !a.measured {
			a.measured = true
			o.admits = o.admits || a.joined
		}
		if r.Ticket == 0 {
			l.ids[r.ID] = r
			continue
		}
		l.take(r)
	}
	o.references = b.References
	if err := l.tellReference(e, b); err != nil {
		return err
	}
	l.ops = append(l.ops, o)
	l.outdate()
	return nil
}

// possible returns an error and the name of the invalid field if Tell could not have written the
// row. Other readers of the record might interpret an unusual row differently.
func (l *ledger) possible(r *rowBody, measured []int) (field string, err error) {
	switch {
	case r.Ticket == 0 && r.ID == "":
		return "id", errors.New("missing; a result without a ticket needs an id")
	case r.Ticket == 0 && !l.problem.Laboratory.AcceptsExtras():
		return "ticket", errors.New("missing, and the problem rejects unsolicited results (laboratory.extras)")
	case r.Failed && (len(r.Values) > 0 || r.Of != 0 || r.N != 0):
		return "failed", errors.New("true, but the result has values; remove the values, or set failed to false")
	case r.Failed:
		return "", nil
	case len(r.Values) != len(measured):
		return "values", fmt.Errorf("%d values; expected %d, one per measured objective", len(r.Values), len(measured))
	case r.Of != 0 && l.problem.Evaluable() == "":
		return "of", fmt.Errorf("%d, but the problem declares no column of evaluable trials", r.Of)
	case r.Of < 0 || r.Of > l.problem.Each():
		return "of", fmt.Errorf("%d; expected 1 to %d evaluable trials", r.Of, l.problem.Each())
	}
	if err := l.summary(r.Ticket, r.N); err != nil {
		return "n", err
	}
	for at, c := range measured {
		if err := l.problem.Objectives[c].Check(r.Values[at], r.N); err != nil {
			return fmt.Sprintf("values[%d]", at), err
		}
		if r.Of != 0 && r.Values[at] > float64(r.Of) {
			return "of", fmt.Errorf("%d evaluable trials, but the result has %v successes", r.Of, r.Values[at])
		}
	}
	return "", nil
}

// mostSummed is the largest number of measurements in a summary.
const mostSummed = 1_000_000

// summary returns an error if a result with the given ticket (0 means none) cannot
// be a summary of n measurements. An n of 0 means that the result is not a summary.
func (l *ledger) summary(ticket, n int) error {
	switch {
	case n == 0:
		return nil
	case n < 2 || n > mostSummed:
		return fmt.Errorf("%d; expected a whole number from 2 to %d, the number of measurements in the summary", n,
			mostSummed)
	}
	if why := l.unsummed(ticket); why != "" {
		return fmt.Errorf("%d, but this result cannot be a summary: %s", n, why)
	}
	return nil
}

// answers returns an error unless the ticket of the row has no result yet and belongs to the row's
// candidate. If reference is true, the ticket must belong to a well of the reference.
func (l *ledger) answers(e *events.Event, r *rowBody, reference bool) error {
	switch {
	case r.Ticket < 1 || r.Ticket > len(l.tickets):
		return fmt.Errorf("%w: event %d: unknown ticket %d", ErrDamaged, e.Seq, r.Ticket)
	case l.told[r.Ticket-1] != nil:
		return conflict("ticket %d is reported by event %d and by another event", r.Ticket, e.Seq)
	case l.tickets[r.Ticket-1].Arm != r.Arm || l.tickets[r.Ticket-1].Reference != reference:
		return fmt.Errorf("%w: event %d: ticket %d is not for %q", ErrDamaged, e.Seq, r.Ticket, r.Arm)
	}
	return nil
}

func (l *ledger) take(r *rowBody) {
	t := &l.tickets[r.Ticket-1]
	l.told[r.Ticket-1] = r
	t.State = Told
	if r.Failed {
		t.State = Failed
	}
}

// changed increments the number of changes of candidates after the first results. A change that is
// undone and then made again counts twice, because earlier findings may have caused the change.
func (l *ledger) changed() {
	if l.found {
		l.changes++
	}
}

func (l *ledger) drop(e *events.Event, b *dropBody) error {
	p, err := l.problem.Without(b.Arm)
	if err != nil {
		return conflict("event %d cannot drop %q: %v", e.Seq, b.Arm, err)
	}
	l.have(p)
	a := l.arm(b.Arm)
	a.available, a.why = false, b.Why
	for i := range l.tickets {
		if t := &l.tickets[i]; t.Arm == b.Arm && t.State == Pending && !t.Reference {
			t.State = Withdrawn
		}
	}
	l.ops = append(l.ops, op{seq: e.Seq, change: true, begun: l.changes})
	l.outdate()
	return nil
}

func (l *ledger) join(e *events.Event, b *joinBody, stands bool) error {
	a := l.arm(b.Candidate.Name)
	if !stands {
		return nil
	}
	p, err := l.problem.With(b.Candidate)
	if err != nil {
		return conflict("event %d cannot add %q: %v", e.Seq, b.Candidate.Name, err)
	}
	l.have(p)
	a.available, a.why, a.joined = true, "", true
	l.ops = append(l.ops, op{seq: e.Seq, change: true, begun: l.changes})
	l.outdate()
	return nil
}

// validEvents returns which events are valid, by index, and which event undid each invalid event. A
// valid undo event makes the event that it undoes invalid.
func validEvents(list []*events.Event) (stands []bool, by map[int]int, err error) {
	stands, by = make([]bool, len(list)), map[int]int{}
	for i := len(list) - 1; i >= 0; i-- {
		e := list[i]
		stands[i] = by[e.Seq] == 0
		if e.What != KindUndo {
			continue
		}
		b, err := bodyOf[undoBody](e)
		if err != nil {
			return nil, nil, err
		}
		if b.Event < 2 || b.Event >= e.Seq {
			return nil, nil, fmt.Errorf("%w: event %d undoes event %d, which cannot be undone",
				ErrDamaged, e.Seq, b.Event)
		}
		if stands[i] {
			by[b.Event] = e.Seq
		}
	}
	return stands, by, nil
}

// replay computes the ledger of a list of events.
func replay(list []*events.Event) (*ledger, map[int]int, error) {
	if len(list) == 0 {
		return nil, nil, fmt.Errorf("%w: the record has no events", ErrDamaged)
	}
	stands, by, err := validEvents(list)
	if err != nil {
		return nil, nil, err
	}
	l, err := newLedger(list[0])
	if err != nil {
		return nil, nil, err
	}
	for i, e := range list[1:] {
		if err := l.apply(e, stands[i+1]); err != nil {
			return nil, nil, err
		}
	}
	return l, by, nil
}

// pendingAt returns the tickets that the first n ops handed out, except tickets for which these ops
// report a result or a failure.
func (l *ledger) pendingAt(n int) []int {
	out := map[int]bool{}
	for _, o := range l.ops[:n] {
		for _, t := range o.ask {
			out[t] = true
		}
		for i := range o.rows {
			delete(out, o.rows[i].Ticket)
		}
	}
	list := make([]int, 0, len(out))
	for t := range out {
		list = append(list, t)
	}
	slices.Sort(list)
	return list
}
