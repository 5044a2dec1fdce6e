package campaign

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/purexp/purexp/internal/plaintext"
	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// State is the state of a ticket.
type State string

// The following constants are the states of a ticket.
const (
	Pending State = "pending" // the measurement has no result yet
	Told    State = "told"    // the result was reported
	Failed  State = "failed"  // the measurement failed and has no result
	// Withdrawn tickets need no measurement: the ask was undone, or the candidate was dropped.
	Withdrawn State = "withdrawn"
)

// Ticket requests one measurement of a candidate.
type Ticket struct {
	Ticket int    `json:"ticket" doc:"1, 2, ..."`
	Plate  int    `json:"plate" doc:"Number of the plate, whose tickets were requested together: 1, 2, ..."`
	Arm    string `json:"arm"`
	State  State  `json:"state" enum:"pending,told,failed,withdrawn"`
	Who    string `json:"who" doc:"Who requested the measurement"`
	At     string `json:"at" doc:"Time of the request, by the clock of the requesting machine (RFC 3339)"`
	Event  int    `json:"event" doc:"The event of the request"`
	// Reference says that Arm is the reference, whose result only serves the monitors of plates and
	// drift.
	Reference bool `json:"reference,omitempty" doc:"The ticket is only for the monitors of plates and drift, and arm is the reference"`
	// Settings are the features and categories of the candidate, by column, which the operator has
	// to set.
	Settings map[string]string `json:"settings,omitempty" doc:"Features and categories of the candidate, as text, by column of the table of candidates"`
}

// mostSettings is the largest number of setting columns in tickets and worksheets, because hundreds
// of descriptors do not help to prepare a measurement.
const mostSettings = 20

// settingColumns returns the setting columns, or nil if they are too many to show; see mostSettings.
func settingColumns(p *problem.Problem) []string {
	if list := p.Candidates.SettingColumns(); len(list) <= mostSettings {
		return list
	}
	return nil
}

// described returns a copy of tickets with the settings of their candidates.
func (l *ledger) described(tickets []Ticket) []Ticket {
	tickets = slices.Clone(tickets)
	columns := settingColumns(l.problem)
	if len(columns) == 0 {
		return tickets
	}
	by := map[string]map[string]string{}
	for i := range tickets {
		arm := tickets[i].Arm
		if _, known := by[arm]; !known {
			by[arm] = nil
			if at := l.candidate(arm); at >= 0 { // the candidate is still in the campaign
				by[arm] = map[string]string{}
				for j, cell := range l.problem.Candidates.Settings(at) {
					by[arm][columns[j]] = cell
				}
			}
		}
		tickets[i].Settings = by[arm]
	}
	return tickets
}

// MostAsked is the largest number of measurements in one call of Ask.
const MostAsked = 10000

// Ask hands out tickets for at most n measurements, as one plate, to the person or program named
// who. Ask returns no tickets if the run has ended, or if no measurement is useful before pending
// results arrive; see Status. Ask first gives up tickets older than problem.Laboratory.Expire.
func (c *Campaign) Ask(n int, who string) ([]Ticket, error) { return c.AskOnce("", n, who) }

// AskOnce is a version of Ask that is safe to repeat. If an earlier valid ask had the same key,
// AskOnce returns the tickets of that ask. If key is empty, every call of AskOnce requests new
// tickets.
func (c *Campaign) AskOnce(key string, n int, who string) (tickets []Ticket, err error) {
	return c.ask(key, n, nil, who)
}

// Announce hands out tickets for measurements that a person has chosen, before they are made; each
// entry of arms gets one ticket. The policy uses results of announced measurements like results of
// requested measurements. The error wraps ErrInput if the method cannot use announced measurements,
// or if a candidate is unknown. If an earlier valid call had the same nonempty key, Announce
// returns the tickets of that call.
func (c *Campaign) Announce(key string, arms []string, who string) ([]Ticket, error) {
	if len(arms) == 0 {
		return nil, input("arms", "the list of candidates is empty; name one for each measurement")
	}
	return c.ask(key, len(arms), arms, who)
}

// ask hands out tickets for the candidates in chosen or, if chosen is nil, for n measurements that
// the policy requests.
func (c *Campaign) ask(key string, n int, chosen []string, who string) (tickets []Ticket, err error) {
	if n < 1 || n > MostAsked {
		return nil, input("n", "%d measurements; expected 1 to %d", n, MostAsked)
	}
	if !isLine(key) {
		return nil, input("key", wantLine, events.MostWho)
	}
	if who, err = person(who); err != nil {
		return nil, input("who", "%v", err)
	}
	err = c.write(func(tx *events.Tx, m *snapshot) (string, error) {
		if at, ok := m.ledger.keys[key]; ok && key != "" {
			tickets = m.ledger.described(m.ledger.tickets[at[0]-1 : at[1]])
			return "", nil
		}
		wrote, err := m.expire(tx, who)
		if err != nil {
			return "", err
		}
		arms, filled := []string(nil), 0
		if chosen == nil {
			arms, filled, err = m.run.choose(m.ledger, n)
		} else {
			arms, err = m.announced(chosen)
		}
		if err != nil || len(arms) == 0 {
			return wrote, err
		}
		b := askBody{Plate: m.ledger.plates + 1, First: len(m.ledger.tickets) + 1, Room: n,
			Key: key, Arms: arms, Filled: filled, Announced: chosen != nil, Phases: m.run.unrecorded()}
		lab := m.ledger.problem.Laboratory
		if wells := lab.References(n); wells > 0 && chosen == nil {
			b.Reference = &referenceBody{lab.Reference, wells}
		}
		if err := m.append(tx, who, KindAsk, b); err != nil {
			return "", err
		}
		tickets = m.ledger.described(m.ledger.tickets[b.First-1:])
		return KindAsk, nil
	})
	if err != nil {
		return nil, err
	}
	return tickets, nil
}

// expired is the beginning of the note of an expired ticket.
const expired = "expired after "

// expire gives up tickets older than the problem allows. The failures are recorded as a separate
// event, so that a replay needs no clock. expire returns the kind of the last event written, or ""
// if there is none. Tickets do not expire after the campaign has ended.
func (m *snapshot) expire(tx *events.Tx, who string) (string, error) {
	after := m.ledger.problem.Laboratory.Expires()
	if after == 0 || m.state() != Running {
		return "", nil
	}
	var rows []rowBody
	for _, t := range m.ledger.tickets {
		at := (&events.Event{At: t.At}).Time()
		if t.State == Pending && !at.IsZero() && tx.Now().Sub(at) > after {
			rows = append(rows, rowBody{Ticket: t.Ticket, Arm: t.Arm, Failed: true,
				Note: expired + m.ledger.problem.Laboratory.Expire})
		}
	}
	if rows == nil {
		return "", nil
	}
	arms, references := m.ledger.apart(rows)
	return m.put(tx, who, tellBody{arms, references})
}

// put writes checked results to the record. If the results are the first of the campaign, put also
// seals the protocol. put returns the kind of the last event written.
func (m *snapshot) put(tx *events.Tx, who string, b tellBody) (string, error) {
	if err := m.append(tx, who, KindTell, b); err != nil {
		return "", err
	}
	told := m.chain.Seq
	if err := m.seal(tx, who); err != nil {
		return "", err
	}
	if m.chain.Seq > told {
		return KindSeal, nil
	}
	return KindTell, nil
}

// choose returns the candidates of the next n measurements. The chosen candidates are newcomers
// that the policy does not know yet, candidates to confirm, or candidates that the policy requests.
// The result filled is the number of measurements that only fill the plate. choose stores the
// session tickets of these measurements in r.handed, for the ask event that the caller records
// next.
func (r *run) choose(l *ledger, n int) (names []string, filled int, err error) {
	if r.failure != nil {
		return nil, 0, fmt.Errorf("campaign: the policy failed and requests no more measurements, but all "+
			"reported results are on record: %w", r.failure)
	}
	n -= l.problem.Laboratory.References(n)
	var more []string
	pending := map[string]bool{}
	for i := range l.tickets {
		if t := &l.tickets[i]; t.State == Pending && !t.Reference {
			pending[t.Arm] = true
		}
	}
	for _, name := range r.waiting {
		if !pending[name] && len(more) < n {
			more = append(more, name)
		}
	}
	if r.confirming != nil {
		more = append(more, r.confirming.missing(r, l)...)
		more = more[:min(n, len(more))]
	}
	if r.handed = nil; n > len(more) {
		if r.handed, err = r.hand(n - len(more)); err != nil {
			return nil, 0, err
		}
	}
	if free := n - len(more) - len(r.handed); l.problem.Laboratory.Fill && free > 0 {
		if more, err = r.fill(more, free); err != nil {
			return nil, 0, err
		}
		filled = free * min(1, len(r.handed)+len(more))
	}
	for _, o := range r.handed {
		names = append(names, r.compiled.Source.Candidates.Names[o.Arm])
	}
	return append(names, more...), filled, nil
}

// announced checks the names of candidates that a person has chosen, and announces their
// measurements to the policy.
func (m *snapshot) announced(names []string) ([]string, error) {
	r := m.run
	if m.state() != Running || r.confirming != nil {
		return nil, input("arms", "the answer is final, so further measurements would not count")
	}
	var arms []int
	chosen := make([]string, len(names))
	for i, name := range names {
		chosen[i] = problem.Normal(name)
		at := m.ledger.candidate(chosen[i])
		if at < 0 {
			return nil, input("arms", "unknown candidate %q; the candidates are %s", name,
				problem.Abbreviated(m.ledger.problem.Candidates.Names))
		}
		arms = append(arms, r.arm[m.ledger.at[chosen[i]]])
	}
	err := r.announce(arms)
	if errors.Is(err, explore.ErrMismatch) {
		err = input("arms", "the guarantee of %s covers only the measurements that the method "+
			"requests; ask without naming candidates", r.compiled.Card.Name)
	}
	return chosen, err
}

// announce requests session tickets for the announced arms. Newcomers that the policy does not know
// yet get no session ticket.
func (r *run) announce(arms []int) (err error) {
	each := r.compiled.Source.Each()
	var known []int
	var orders []explore.Order
	for _, a := range arms {
		if a >= 0 {
			known = append(known, slices.Repeat([]int{a}, each)...)
		}
	}
	if known != nil {
		if orders, err = r.session.Announce(known...); err == nil {
			told, out := r.session.Phases()
			delete(r.recorded, told+len(out)) // the recorded round with this number may have been withdrawn
		}
	}
	r.handed = make([]explore.Order, len(arms))
	for i, a := range arms {
		if a >= 0 && err == nil {
			r.handed[i], orders = orders[0], orders[each:]
		}
	}
	return err
}

// fill fills the free wells of a non-empty plate with replicates of undecided candidates. If the
// policy requests no measurements, fill adds replicates of the candidates in more.
func (r *run) fill(more []string, free int) ([]string, error) {
	if len(r.handed) == 0 {
		for i := range free * min(1, len(more)) {
			more = append(more, more[i])
		}
		return more, nil
	}
	plate := make([]explore.Pull, len(r.handed))
	for i, o := range r.handed {
		plate[i] = explore.Pull{Arm: o.Arm, N: 1}
	}
	var arms []int
	for _, p := range r.compiled.Fill(plate, free, r.policy.Answer())[len(plate):] {
		arms = append(arms, p.Arm)
	}
	handed := r.handed
	err := r.announce(arms)
	r.handed = append(handed, r.handed...)
	return more, err
}

// Tickets returns the tickets in the given states, or all tickets if no states are given.
func (c *Campaign) Tickets(states ...State) (list []Ticket, err error) {
	err = c.read(func(m *snapshot) error {
		for _, t := range m.ledger.tickets {
			if len(states) == 0 || slices.Contains(states, t.State) {
				list = append(list, t)
			}
		}
		list = m.ledger.described(list)
		return nil
	})
	return list, err
}

// Result is the result of a measurement.
type Result struct {
	// Ticket is the number of the ticket, or 0 for an unsolicited result, which needs an ID.
	Ticket int `json:"ticket,omitempty"`
	// Plate, if not 0, must be the plate of the ticket; a different plate means that worksheets
	// were mixed up.
	Plate int `json:"plate,omitempty"`
	// ID is a unique text for a result without a ticket, such as a page of the laboratory book. If
	// a result is reported again with the same ID, it is recorded only once.
	ID string `json:"id,omitempty"`
	// Arm is the name of the candidate; it is optional for a result with a ticket.
	Arm string `json:"arm,omitempty"`
	// Values are the measured values in the units of the problem, one for each measured objective,
	// in order.
	Values []float64 `json:"values,omitempty"`
	// Of is the number of evaluable trials, for problems in which some trials may not be evaluable;
	// 0 means that all trials are evaluable.
	Of int `json:"of,omitempty"`
	// N is the number of measurements that the result summarises; 0 and 1 mean one measurement.
	// Values are then their means or, for counts, their totals. Only methods for any sampling accept
	// summaries with tickets.
	N int `json:"n,omitempty"`
	// Failed says that the measurement has no value, for a reason that does not depend on the
	// value.
	Failed bool `json:"failed,omitempty"`
	// Note is a remark for the record.
	Note string `json:"note,omitempty"`
	// Where is the file and line of the result, and is used only in errors.
	Where string `json:"-"`
}

// Receipt counts how reported results were used.
type Receipt struct {
	Event  int `json:"event" doc:"Number of the event that was written; 0 if all results were reported before"`
	Used   int `json:"used" doc:"Results that the method uses; a summary counts as its number of measurements"`
	Unused int `json:"unused" doc:"Recorded results that the method does not use"`
	Failed int `json:"failed" doc:"Measurements that are recorded as failed"`
	// Reference is the number of results of reference wells.
	Reference int    `json:"reference,omitempty" doc:"Results of reference wells, which only the monitors use"`
	Repeated  int    `json:"repeated" doc:"Results that were reported before, with the same values: nothing changed"`
	Status    string `json:"status" doc:"Current status of the campaign"`
	// Odd describes results that are far from the values predicted by earlier results.
	Odd []string `json:"odd,omitempty" doc:"Results that look like typing errors; they are recorded, and can be undone"`
	// Notes describes ignored parts of a table.
	Notes []string `json:"notes,omitempty" doc:"Skipped or ignored parts of a table, and results that became unused"`
}

// Tell records results in any order; if one result is invalid, Tell records none. Reporting the
// same result twice changes nothing. If a result contradicts the record, such as another value for
// a reported ticket, the error wraps ErrConflict. If a value is invalid, the error wraps ErrInput.
// For invalid values and contradictions, the error is of type InputErrors.
func (c *Campaign) Tell(results []Result, who string) (receipt Receipt, err error) {
	if who, err = person(who); err != nil {
		return Receipt{}, input("who", "%v", err)
	}
	if len(results) == 0 {
		return Receipt{}, input("", "the report has no results; report at least one")
	}
	err = c.write(func(tx *events.Tx, m *snapshot) (string, error) {
		receipt = Receipt{}
		rows, repeated, err := m.check(results)
		if err != nil {
			return "", err
		}
		receipt.Repeated = repeated
		if len(rows) == 0 {
			receipt.Status = m.state()
			return "", nil
		}
		used, unused, failed := m.run.results()
		arms, references := m.ledger.apart(rows)
		receipt.Event = m.chain.Seq + 1
		wrote, err := m.put(tx, who, tellBody{arms, references})
		if err != nil {
			return "", err
		}
		receipt.Used, receipt.Unused, receipt.Failed = m.run.results()
		receipt.Used, receipt.Unused, receipt.Failed = receipt.Used-used, receipt.Unused-unused, receipt.Failed-failed
		if lost := m.run.lost; lost > 0 && m.run.ended == receipt.Event {
			receipt.Used, receipt.Unused = receipt.Used+lost, receipt.Unused-lost
			all, rest, _ := m.run.results()
			receipt.Notes = append(receipt.Notes,
				fmt.Sprintf("at its end, the method uses %d of %d results in all", all, all+rest))
		}
		for _, r := range references {
			if r.Failed {
				receipt.Failed++
			} else {
				receipt.Reference++
			}
		}
		receipt.Status = m.state()
		receipt.Odd = m.run.oddIn(receipt.Event)
		return wrote, nil
	})
	if err != nil {
		return Receipt{}, err
	}
	return receipt, nil
}

// Odd describes the results that look like typing errors, because they are far from the values
// predicted by earlier results. Odd records nothing. Odd returns an error for results that Tell
// would reject.
func (c *Campaign) Odd(results []Result) (list []string, err error) {
	err = c.read(func(m *snapshot) error {
		rows, _, err := m.check(results)
		rows, _ = m.ledger.apart(rows)
		list = m.run.odd(m.ledger, rows)
		return err
	})
	return list, err
}

// check returns the rows to record for results, and the number of results that repeat earlier
// reports.
func (m *snapshot) check(results []Result) (rows []rowBody, repeated int, err error) {
	var errs InputErrors
	seen := map[int]*rowBody{}
	ids := map[string]*rowBody{}
	for i := range results {
		x := &results[i]
		bad := func(kind error, field, format string, args ...any) {
			errs = append(errs, &InputError{Where: cmp.Or(x.Where, fmt.Sprintf("result %d", i+1)), Row: i + 1,
				Field: field, Text: fmt.Sprintf(format, args...), Conflict: kind == ErrConflict})
		}
		before := len(errs)
		row := m.row(x, bad)
		if len(errs) >= mostErrors {
			errs = errs[:mostErrors]
			break
		}
		if len(errs) > before {
			continue
		}
		var old *rowBody
		if row.Ticket > 0 {
			if old = m.ledger.told[row.Ticket-1]; old == nil {
				old = seen[row.Ticket]
			}
			seen[row.Ticket] = row
		} else {
			if old = m.ledger.ids[row.ID]; old == nil {
				old = ids[row.ID]
			}
			ids[row.ID] = row
		}
		switch {
		case old == nil:
			rows = append(rows, *row)
		case old.Arm == row.Arm && old.Failed == row.Failed && slices.Equal(old.Values, row.Values) &&
			old.Of == row.Of && old.N == row.N:
			repeated++
		case row.Ticket > 0:
			if old.Failed && strings.HasPrefix(old.Note, expired) {
				bad(ErrConflict, "ticket", "ticket %d (%s) %s and counts as failed, so the method requests the "+
					"measurement again. Report the result with an id and no ticket (laboratory.extras), or undo "+
					"the event in which the ticket expired", row.Ticket, row.Arm, old.Note)
				continue
			}
			bad(ErrConflict, "ticket", "ticket %d (%s) was reported before, as %s, and the first report counts; if "+
				"the first report was wrong, undo its event (see the history) and report the result again",
				row.Ticket, row.Arm, old.text())
		default:
			bad(ErrConflict, "id", "a result with id %q was reported before, as %s %s; give the new result another "+
				"id", row.ID, old.Arm, old.text())
		}
	}
	if errs != nil {
		return nil, 0, errs
	}
	return rows, repeated, nil
}

func (r *rowBody) text() string {
	if r.Failed {
		return "failed"
	}
	if r.Of > 0 {
		return fmt.Sprintf("%v of %d", r.Values, r.Of)
	}
	if r.N > 0 {
		return fmt.Sprintf("%v from %s", r.Values, measurements(r.N))
	}
	return fmt.Sprint(r.Values)
}

// row checks a single result, without regard to the other results of a report.
func (m *snapshot) row(x *Result, bad func(kind error, field, format string, args ...any)) *rowBody {
	l := m.ledger
	row := &rowBody{Ticket: x.Ticket, ID: problem.Normal(x.ID), Arm: problem.Normal(x.Arm),
		Failed: x.Failed, Note: strings.TrimSpace(x.Note)}
	for _, x := range [][2]string{{"id", row.ID}, {"arm", row.Arm}} {
		if _, known := l.at[x[1]]; !known && !isLine(x[1]) {
			// Records of older versions may contain names that are now invalid.
			bad(ErrInput, x[0], wantLine, events.MostWho)
		}
	}
	if err := plaintext.Note(row.Note); len(row.Note) > mostNote {
		bad(ErrInput, "note", "%d bytes; expected at most %d", len(row.Note), mostNote)
	} else if err != nil {
		bad(ErrInput, "note", "%v", err)
	}
	switch {
	case x.Ticket < 0 || x.Ticket > len(l.tickets):
		if len(l.tickets) == 0 {
			bad(ErrInput, "ticket", "unknown ticket %d; request measurements first", x.Ticket)
		} else {
			bad(ErrInput, "ticket", "unknown ticket %d; the tickets are 1 to %d", x.Ticket, len(l.tickets))
		}
		return row
	case x.Ticket > 0:
		t := &l.tickets[x.Ticket-1]
		row.Arm = cmp.Or(row.Arm, t.Arm)
		if x.Plate != 0 && x.Plate != t.Plate {
			bad(ErrConflict, "plate", "ticket %d belongs to plate %d, not to plate %d; were two worksheets mixed "+
				"up?", x.Ticket, t.Plate, x.Plate)
		}
		if row.Arm != t.Arm {
			bad(ErrConflict, "arm", "ticket %d is for %s, not for %s; were two rows mixed up?",
				x.Ticket, t.Arm, row.Arm)
		}
		row.ID = ""
	default:
		if !l.problem.Laboratory.AcceptsExtras() {
			bad(ErrInput, "ticket", "missing; this problem accepts only results with a ticket (laboratory.extras)")
		}
		if row.ID == "" {
			bad(ErrInput, "id", "a result without a ticket needs a unique id, such as a page of the laboratory "+
				"notebook, so that it is never counted twice; or name the table with --batch NAME (the row in line 3 "+
				"then has the id NAME:3)")
		}
		if x.Plate != 0 {
			bad(ErrInput, "plate", "%d, but the result has no ticket; leave out the plate, or give the ticket", x.Plate)
		}
		if row.Arm == "" {
			bad(ErrInput, "arm", "missing, and the result has no ticket; name the candidate that was measured")
		} else if _, ok := l.at[row.Arm]; !ok {
			hint := ""
			if csvtable.Aggregate(row.Arm) {
				hint = ". If the row summarises other rows, delete it"
			}
			bad(ErrInput, "arm", "unknown candidate %q; the candidates are %s%s", row.Arm,
				problem.Abbreviated(l.problem.Candidates.Names), hint)
		}
	}
	if row.Failed {
		if len(x.Values) > 0 {
			bad(ErrInput, "failed", "the result is marked as failed, but has values; keep one of the two")
		}
		return row
	}
	if failedNote.MatchString(row.Note) {
		bad(ErrInput, "note", "%s, but the row has values; delete the values, or write another note",
			csvtable.Short(row.Note))
		return row
	}
	which := l.problem.Measured()
	if len(x.Values) != len(which) {
		bad(ErrInput, "values", "%d values; expected %d, one for each of %s", len(x.Values), len(which),
			strings.Join(measured(l.problem), ", "))
		return row
	}
	if row.N = x.N; row.N == 1 {
		row.N = 0
	}
	if err := l.summary(row.Ticket, row.N); err != nil {
		bad(ErrInput, "n", "%v", err)
		return row
	}
	row.Values = slices.Clone(x.Values)
	for i, c := range which {
		if err := m.run.compiled.Check(c, x.Values[i], x.N); err != nil {
			text := err.Error()
			var v *problem.ValueError
			if errors.As(err, &v) {
				text = v.Text
			}
			if o := &l.problem.Objectives[c]; o.Noise.Counts != nil && x.Ticket == 0 && x.N == 0 &&
				x.Values[i] > float64(*o.Noise.Counts) {
				text += "; to report the total of several measurements, use 'purexp campaign tell --replicates'"
			}
			bad(ErrInput, l.problem.Objectives[c].Name, "%s", text)
		}
	}
	if column := l.problem.Evaluable(); column != "" {
		m.evaluable(row, x.Of, column, bad)
	} else if x.Of != 0 {
		bad(ErrInput, "of", "%d evaluable trials, but the problem has no column of evaluable trials; declare noise = "+
			"{ counts = 12, evaluable = \"evaluable\" }", x.Of)
	}
	return row
}

func (m *snapshot) evaluable(row *rowBody, of int, column string,
	bad func(kind error, field, format string, args ...any)) {
	each := m.ledger.problem.Each()
	_, called := m.ledger.problem.Trials()
	of = cmp.Or(of, each)
	if of > each {
		bad(ErrInput, column, "%d evaluable %s; expected at most %d; split the row into rows of at most %[3]d, such "+
			"as one for each day", of, called, each)
		return
	}
	if of < 1 {
		bad(ErrInput, column, "%d; expected 1 to %d evaluable %s; if there are none, write \"failed\"", of,
			each, called)
		return
	}
	for i, c := range m.ledger.problem.Measured() {
		if row.Values[i] > float64(of) && row.Values[i] <= float64(each) {
			bad(ErrInput, m.ledger.problem.Objectives[c].Name, "%v of %d evaluable %s; expected at most as many "+
				"successes as trials", row.Values[i], of, called)
		}
	}
	if of < each {
		row.Of = of
	}
}

// mostNote is the largest length of a note in bytes.
const mostNote = 1000

const wantLine = "expected one line of visible text of at most %d bytes"

// isLine reports whether text is one line of visible characters within the size limit.
func isLine(text string) bool { return len(text) <= events.MostWho && plaintext.Name(text) == nil }

// person returns the name of a person or machine without surrounding white space, or an error.
func person(who string) (string, error) {
	who, err := events.Name(who)
	if err == nil {
		err = plaintext.Name(who)
	}
	return who, err
}

// GiveUp reports that tickets will never have a result, for a reason that does not depend on the
// value. GiveUp has the same effect as Tell with failed results.
func (c *Campaign) GiveUp(tickets []int, why, who string) (Receipt, error) {
	var results []Result
	for _, t := range tickets {
		results = append(results, Result{Ticket: t, Failed: true, Note: why})
	}
	return c.Tell(results, who)
}
