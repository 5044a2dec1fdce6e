package campaign

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/monitor"
)

// A run is the policy at work on a ledger.
type run struct {
	compiled *problem.Compiled
	session  *explore.Session
	policy   explore.Policy
	arm      []int             // by arm of the ledger: that of the policy, -1 if it is not available
	ticket   map[int]int       // tickets of the session, by those of the ledger that are pending
	tally    []tally           // by arm of the ledger
	rounds   []int             // results by round that the policy learned, if its rounds can overlap
	done     int               // ops that are taken in
	ended    int               // the event with which the run ended, 0 if it goes on
	failure  error             // of the policy
	handed   []explore.Order   // tickets of the session that are those of the next op
	recorded map[int]phaseBody // rounds that overlap as they are on record, by number
	monitor  *monitor.Monitor
	numbers  []float64 // scratch: of a row
	oddities []oddity
	batches  []string // of unsolicited results, which are plates to the monitor: the first is plate -1

	waiting    []string      // newcomers that the policy does not know yet
	asked      int           // the last ticket that was handed out
	confirming *confirmation // nil unless there is an answer that is to be confirmed
}

// A tally is what was told of an arm.
type tally struct {
	used, unused, failed int // results that the policy learned, that it did not, and that failed
	trials               int // rewards that the policy learned
	n                    int // rewards in sum
	sum                  []float64
}

// learn counts n results of so many trials that the policy learned, or, if n is negative, did not after all.
func (t *tally) learn(n, trials int) { t.used, t.trials = t.used+n, t.trials+trials }

// results returns how many results of all arms were learned, and how many not, and how many failed.
func (r *run) results() (used, unused, failed int) {
	for i := range r.tally {
		t := &r.tally[i]
		used, unused, failed = used+t.used, unused+t.unused, failed+t.failed
	}
	return used, unused, failed
}

// measured returns how many rewards of each arm were told.
func (r *run) measured() []int {
	n := make([]int, len(r.tally))
	for i := range n {
		n[i] = r.tally[i].n
	}
	return n
}

// without returns the problem without newcomers that were not measured by the first n ops, and their
// names: policies that learn from sums know nothing of any candidate before they know something of
// each, and what is decided of the others is to stay so.
func without(l *ledger, n int) (p *problem.Problem, waiting []string) {
	p = l.problem
	if p.Candidates.Shares == 0 {
		return p, nil // it was begun before newcomers waited
	}
	measured := map[string]bool{}
	for i := range l.ops[:n] {
		for _, row := range l.ops[i].rows {
			measured[row.Arm] = measured[row.Arm] || !row.Failed
		}
	}
	for _, a := range l.arms {
		if a.joined && a.available && !measured[a.name] {
			q, err := p.Without(a.name)
			if err != nil { // too few are left
				return l.problem, nil
			}
			p, waiting = q, append(waiting, a.name)
		}
	}
	if waiting == nil {
		return p, nil
	}
	if c, err := p.Compile(); err != nil || !c.Card.Uses.Has(explore.UsesSums) {
		return l.problem, nil
	}
	return p, waiting
}

// unspent returns the problem with what the first n ops left of a fixed budget.
func unspent(l *ledger, p *problem.Problem, n int) *problem.Problem {
	if p.Method.Budget == 0 {
		return p
	}
	made := 0
	for i := range l.ops[:n] {
		for _, row := range l.ops[i].rows {
			if row.Ticket > 0 && !row.Failed {
				made++
			}
		}
	}
	if made == 0 {
		return p
	}
	p = p.Clone()
	p.Method.Budget = max(p.Method.Budget-made, 1)
	return p
}

// newRun starts the policy and tells it the first n ops of a ledger at once. For a policy that
// learns from any measurement the order does not matter, only when it looks. Candidates are those
// available after the last op.
func newRun(l *ledger, n int) (*run, error) {
	p, waiting := without(l, n)
	p = unspent(l, p, n)
	if begun := l.ops[n-1].begun; begun > 0 {
		p = p.Clone()
		p.Candidates.Begun = begun
	}
	c, err := p.Compile()
	if err != nil && !errors.Is(err, problem.ErrUntrusted) {
		return nil, err
	}
	r := &run{compiled: c, policy: c.Policy(), ticket: map[int]int{}, failure: err, waiting: waiting,
		recorded: map[int]phaseBody{}}
	if r.monitor, err = newMonitor(c); err != nil {
		return nil, err
	}
	r.session, err = explore.NewSession(r.policy, c.Problem, c.Settings())
	if err == nil {
		err = r.session.ByTickets()
	}
	if err != nil {
		return nil, err
	}
	numbers := c.Source.Numbers()
	for i := range l.arms {
		r.extend(l, i, numbers)
	}
	rows := 0
	for i := range l.ops[:n] {
		rows += len(l.ops[i].rows)
	}
	all := make([]rowBody, 0, rows)
	for i := range l.ops[:n] {
		o := &l.ops[i]
		r.watch(l, o)
		r.asked = max(r.asked, last(o.ask))
		all = append(all, o.rows...)
	}
	r.done = n
	if r.session.Status() == explore.Stopped { // what is known answers it, or nothing is left to ask
		r.ended = l.ops[n-1].seq
	}
	r.tell(l, l.ops[n-1].seq, all)
	r.doubt(l, l.ops[n-1].seq)
	if r.confirming == nil { // it ended without any result
		r.confirm()
	}
	// If rounds overlap, pending tickets belong to no new round: a result may be late because of its value, and the
	// noise of a round must be independent of what was known when it was planned.
	if _, out := r.session.Phases(); len(out) == 0 {
		r.issue(l, l.pendingAt(n))
	}
	return r, nil
}

// extend makes room for arm i of the ledger; numbers are those of the candidates that the policy knows.
func (r *run) extend(l *ledger, i int, numbers map[string]int) {
	at, ok := numbers[l.arms[i].name]
	if !ok || !l.arms[i].available {
		at = -1
	}
	r.arm = append(r.arm, at)
	r.tally = append(r.tally, tally{sum: make([]float64, len(l.problem.Objectives))})
}

// restore returns the run of a ledger.
func restore(l *ledger) (*run, error) {
	begin := 0 // the last change of candidates, as follow goes through them
	for i, o := range l.ops {
		if o.admits {
			_, waiting := without(l, i)
			o.change = o.change || waiting != nil
		}
		if o.change {
			begin = i
		}
	}
	r, err := newRun(l, begin+1)
	if err != nil {
		return nil, err
	}
	return r, r.follow(l)
}

// follow takes in the ops that the ledger has and the run has not.
func (r *run) follow(l *ledger) error {
	for r.done < len(l.ops) {
		o := &l.ops[r.done]
		if o.change || o.admits && r.waiting != nil {
			next, err := newRun(l, r.done+1)
			if err != nil {
				return err
			}
			*r = *next
			continue
		}
		r.done++
		r.asked = max(r.asked, last(o.ask))
		r.begin(l, o)
		if r.handed != nil {
			for i, order := range r.handed {
				r.ticket[o.ask[i]] = order.Ticket
			}
			r.handed = nil
		} else {
			r.issue(l, o.ask)
		}
		r.watch(l, o)
		r.tell(l, o.seq, o.rows)
	}
	return nil
}

// unrecorded returns the rounds whose pulls are not on record yet, of methods whose rounds overlap.
func (r *run) unrecorded() (list []phaseBody) {
	told, out := r.session.Phases()
	for i, phase := range out {
		b := phaseBody{Number: told + i + 1}
		for _, p := range phase.Pulls {
			b.Arms, b.N = append(b.Arms, r.compiled.Source.Candidates.Names[p.Arm]), append(b.N, p.N)
		}
		if !reflect.DeepEqual(r.recorded[b.Number], b) { // another one may have had its number, and was withdrawn
			list = append(list, b)
		}
	}
	return list
}

// begin gives rounds the pulls that are on record; those that somebody has chosen are a round of their own.
func (r *run) begin(l *ledger, o *op) {
	phases := o.phases
	again := o.announced && r.handed == nil
	if again {
		phases = phases[:max(len(phases)-1, 0)]
	}
	numbers := r.compiled.Source.Numbers()
	for _, b := range phases {
		var pulls []explore.Pull
		for i, name := range b.Arms {
			if a, ok := numbers[name]; ok {
				pulls = append(pulls, explore.Pull{Arm: a, N: b.N[i]})
			}
		}
		if len(pulls) == len(b.Arms) {
			_ = r.session.Begin(b.Number, pulls) // its pulls are of arms that there are
		}
	}
	if again {
		var arms []int
		for _, t := range o.ask {
			arms = append(arms, r.arm[l.at[l.tickets[t-1].Arm]])
		}
		_ = r.announce(arms) // the run goes on, or they are not used
	}
	for _, b := range o.phases {
		r.recorded[b.Number] = b
	}
}

// last returns the last ticket of an ask, 0 if there is none.
func last(tickets []int) int {
	if len(tickets) == 0 {
		return 0
	}
	return tickets[len(tickets)-1]
}

// issue hands out tickets of the ledger. Tickets that the policy does not wait for, because their candidate is gone, the
// run has ended, or an undo changed its rounds, have no ticket of the session.
func (r *run) issue(l *ledger, tickets []int) {
	if r.session.Status() != explore.Running {
		return
	}
	if r.session.UsesAll() {
		var arms, of []int
		each := r.compiled.Source.Each()
		for _, t := range tickets {
			if a := r.arm[l.at[l.tickets[t-1].Arm]]; a >= 0 {
				arms, of = append(arms, slices.Repeat([]int{a}, each)...), append(of, t)
			}
		}
		orders, err := r.session.Issue(arms...)
		if err != nil {
			panic("campaign: a ticket was not issued: " + err.Error()) // arms are valid
		}
		for i, t := range of {
			r.ticket[t] = orders[i*each].Ticket
		}
		return
	}
	var arms, of []int
	for _, t := range tickets {
		if a := r.arm[l.at[l.tickets[t-1].Arm]]; a >= 0 {
			if orders, err := r.session.Issue(a); err == nil {
				r.ticket[t] = orders[0].Ticket
			} else {
				arms, of = append(arms, a), append(of, t)
			}
		}
	}
	// What an earlier version planned otherwise is a round of its own: it was known before it was measured.
	if orders, err := r.session.Announce(arms...); err == nil {
		for i, t := range of {
			r.ticket[t] = orders[i].Ticket
		}
	}
}

// tell takes the results of event seq in.
func (r *run) tell(l *ledger, seq int, rows []rowBody) {
	var reports []explore.Report
	var of, ns []int // by result: arm of the ledger, and its rewards
	each := r.compiled.Source.Each()
	rewards := make([]float64, 0, len(rows)*len(l.problem.Objectives))
	for i := range rows {
		row := &rows[i]
		a := l.at[row.Arm]
		sum := &r.tally[a]
		t := r.ticket[row.Ticket]
		delete(r.ticket, row.Ticket)
		if row.Failed {
			sum.failed++
			r.forget(t)
			continue
		}
		if each > 1 { // its trials come as they are, and not by tickets
			r.forget(t)
			t = 0
		}
		from := len(rewards)
		var n int
		var err error
		rewards, n, err = r.compiled.Learn(rewards, max(r.arm[a], 0), row.Values, row.Of)
		if err != nil { // was checked before it was taken
			r.fail(seq, fmt.Errorf("event %d, %s: %w", seq, row.Arm, err))
			return
		}
		reward := rewards[from:len(rewards):len(rewards)]
		for c, v := range reward {
			sum.sum[c] += v
		}
		sum.n += n
		if r.arm[a] < 0 {
			sum.unused++
			continue
		}
		if r.confirming != nil && row.Ticket > r.confirming.after {
			r.confirming.Observe(r.arm[a], reward)
			sum.learn(1, 1)
			continue
		}
		of, ns = append(of, a), append(ns, n)
		reports = append(reports, explore.Report{Ticket: t, Batch: explore.Batch{
			Pull: explore.Pull{Arm: r.arm[a], N: n}, Sum: reward, Squares: r.compiled.Squares(reward, n)}})
	}
	if x := r.confirming; x != nil && x.ended == 0 && x.Verdict() != monitor.Open {
		x.ended = seq
		r.monitor.Look()
	}
	if len(reports) == 0 {
		return
	}
	running := r.session.Status() == explore.Running
	told, out := r.session.Phases()
	receipt, err := r.session.Report(reports)
	if err != nil && running && r.session.Status() == explore.Running {
		r.fail(seq, err) // was checked before it was taken
		return
	}
	for i, a := range of {
		if each > 1 && len(receipt.Unused) > 0 { // all or none are used
			r.tally[a].unused++
			continue
		}
		r.tally[a].learn(1, ns[i])
	}
	for _, x := range receipt.Unused {
		if each == 1 {
			t := &r.tally[l.at[r.compiled.Source.Candidates.Names[x.Arm]]]
			t.learn(-x.N, -x.N)
			t.unused += x.N
		}
	}
	now, left := r.session.Phases()
	for n := now + len(left) + 1; r.recorded[n].Number > 0; n++ { // it was withdrawn
		delete(r.recorded, n)
	}
	for _, phase := range out[:now-told] {
		size := 0
		for _, p := range phase.Pulls {
			size += p.N
		}
		r.rounds = append(r.rounds, size)
	}
	if err != nil {
		r.fail(seq, err)
	}
	r.watchPilot()
	if running && r.session.Status() != explore.Running {
		r.ended = seq
		if r.compiled.Overlaps() { // results of rounds that were not complete
			for i, n := range r.session.Unused() {
				t := &r.tally[l.at[r.compiled.Source.Candidates.Names[i]]]
				t.learn(t.unused-n, t.unused-n)
				t.unused = n
			}
		}
		r.doubt(l, seq)
		r.confirm()
	}
	if r.session.Status() != explore.Running { // an answer is there, and is not to wait for a look
		r.monitor.Look()
	}
}

// forget gives up ticket t of the session, and those of the same measurement that follow it; 0 is none.
func (r *run) forget(t int) {
	for k := range r.compiled.Source.Each() {
		if t > 0 {
			_ = r.session.Forget(t + k) // it is pending
		}
	}
}

// hand hands out tickets for at most n measurements: the first ticket of each.
func (r *run) hand(n int) (orders []explore.Order, err error) {
	each := r.compiled.Source.Each()
	if each == 1 {
		return r.session.More(n)
	}
	for range n {
		one, err := r.session.More(1)
		if err != nil || len(one) == 0 {
			return orders, err
		}
		if _, err := r.session.Issue(slices.Repeat([]int{one[0].Arm}, each-1)...); err != nil {
			return nil, err
		}
		orders = append(orders, one[0])
	}
	return orders, nil
}

// doubt fails the policy if it has stopped and a candidate was never measured of which nothing else
// tells: none of its values is known, and its features are no combination of those that were. An
// answer then hangs on what the policy assumes, and on no measurement. A candidate without rivals
// needs none.
func (r *run) doubt(l *ledger, seq int) {
	p := r.compiled.Source
	if r.session.Status() != explore.Stopped || p.K() == 1 || len(p.Measured()) < len(p.Objectives) {
		return
	}
	var span *lsq.Span
	if x := p.Candidates.Features; x != nil {
		seen := mat.NewDense(len(x), len(x[0]), nil) // rows of zeros span nothing
		for i, a := range r.arm {
			if a >= 0 && r.tally[i].n > 0 {
				seen.SetRow(a, x[a])
			}
		}
		span = lsq.NewSpan(seen)
	}
	for i, a := range r.arm {
		if a >= 0 && r.tally[i].n == 0 &&
			(span == nil || span.Outside(p.Candidates.Features[a]) > lsq.RankTolerance) {
			r.fail(seq, fmt.Errorf("campaign: %s stopped although %q was never measured, and "+
				"nothing else tells of it; what it assumes is wrong. Take another method",
				p.MethodName(), l.arms[i].name))
			return
		}
	}
}

// fail notes that the policy failed with event seq.
func (r *run) fail(seq int, err error) {
	if r.failure == nil {
		r.failure = err
	}
	if r.ended == 0 {
		r.ended = seq
	}
}
