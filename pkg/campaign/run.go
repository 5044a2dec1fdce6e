package campaign

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/monitor"
)

// run is a policy applied to the ops of a ledger.
type run struct {
	compiled *problem.Compiled
	session  *explore.Session
	policy   explore.Policy
	// The policy's index of each arm of the ledger; -1 for an arm that the policy does not know.
	arm      []int
	ticket   map[int]int       // session ticket of each pending ledger ticket
	tally    []tally           // reports by arm of the ledger
	rounds   []int             // number of results in each complete round, for overlapping rounds
	done     int               // number of ops that the run has applied
	ended    int               // number of the event that ended the run, or 0
	lost     int               // number of earlier results that the end of the run made unused
	failure  error             // error of the policy
	handed   []explore.Order   // session tickets for the next op
	recorded map[int]phaseBody // overlapping rounds on record, by number
	monitor  *monitor.Monitor
	numbers  []float64 // scratch space for a row
	oddities []oddity
	batches  []string // batches of unsolicited results, which are plates -1, -2, ... for the monitor

	waiting    []string      // newcomers that the policy does not know yet
	asked      int           // number of the last ticket handed out
	confirming *confirmation // nil unless the campaign is confirming an answer
}

// tally counts the reports about an arm.
type tally struct {
	used, unused, failed int // numbers of used results, unused results and failures
	trials               int // number of rewards that the policy used
	n                    int // number of rewards in sum
	sum                  []float64
}

// learn adds n results with the given number of trials to the used results; a negative n subtracts
// results.
func (t *tally) learn(n, trials int) { t.used, t.trials = t.used+n, t.trials+trials }

// results returns the total numbers of used results, unused results and failures over all arms.
func (r *run) results() (used, unused, failed int) {
	for i := range r.tally {
		t := &r.tally[i]
		used, unused, failed = used+t.used, unused+t.unused, failed+t.failed
	}
	return used, unused, failed
}

func (r *run) measured() []int {
	n := make([]int, len(r.tally))
	for i := range n {
		n[i] = r.tally[i].n
	}
	return n
}

// without returns the problem without the newcomers that have no results in the first n ops, and
// the names of these newcomers. A policy that learns from sums cannot judge any candidate until
// every candidate has a result. If newcomers without results are omitted, earlier verdicts remain.
func without(l *ledger, n int) (p *problem.Problem, waiting []string) {
	p = l.problem
	if p.Candidates.Shares == 0 {
		return p, nil // the campaign was created by an older version, in which newcomers do not wait
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
			if err != nil { // too few candidates would be left for a problem
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

// unspent returns the problem with the remaining part of a fixed budget after the first n ops.
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

// newRun starts the policy and reports the results of the first n ops of a ledger together. For an
// any-sampling policy, reporting results together only affects when the policy checks its stopping
// rule, not the evidence. The run has the candidates that are available after the last op of the
// ledger.
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
	if r.session.Status() == explore.Stopped { // known values decide the question, or no candidate is left to measure
		r.ended = l.ops[n-1].seq
	}
	r.tell(l, l.ops[n-1].seq, all)
	r.checkMeasured(l, l.ops[n-1].seq)
	if r.confirming == nil { // the run ended although it had no results
		r.confirm()
	}
	// If rounds overlap, pending tickets do not belong to the new rounds of a restarted policy.
	// Which results are late is known when a new round is planned. A result may be late because of
	// its value, so the pending tickets could bias the new round.
	if _, out := r.session.Phases(); len(out) == 0 {
		r.issue(l, l.pendingAt(n))
	}
	return r, nil
}

// extend adds arm i of the ledger to the run; numbers has the indices of the candidates that the
// policy knows.
func (r *run) extend(l *ledger, i int, numbers map[string]int) {
	at, ok := numbers[l.arms[i].name]
	if !ok || !l.arms[i].available {
		at = -1
	}
	r.arm = append(r.arm, at)
	r.tally = append(r.tally, tally{sum: make([]float64, len(l.problem.Objectives))})
}

func restore(l *ledger) (*run, error) {
	begin := 0 // index of the op that caused the last restart
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

// follow applies the ops of the ledger that the run has not applied yet.
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

// unrecorded returns the overlapping rounds of the policy that are not yet on record.
func (r *run) unrecorded() (list []phaseBody) {
	told, out := r.session.Phases()
	for i, phase := range out {
		b := phaseBody{Number: told + i + 1}
		for _, p := range phase.Pulls {
			b.Arms, b.N = append(b.Arms, r.compiled.Source.Candidates.Names[p.Arm]), append(b.N, p.N)
		}
		if !reflect.DeepEqual(r.recorded[b.Number], b) { // the recorded round with this number may have been withdrawn
			list = append(list, b)
		}
	}
	return list
}

// begin replays the rounds that started with op o, including a round of announced measurements.
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
			_ = r.session.Begin(b.Number, pulls) // an error is impossible, because the arms of the round are current
		}
	}
	if again {
		var arms []int
		for _, t := range o.ask {
			arms = append(arms, r.arm[l.at[l.tickets[t-1].Arm]])
		}
		_ = r.announce(arms) // announcing has no effect after the end of the run
	}
	for _, b := range o.phases {
		r.recorded[b.Number] = b
	}
}

func last(tickets []int) int {
	if len(tickets) == 0 {
		return 0
	}
	return tickets[len(tickets)-1]
}

// issue assigns session tickets of the policy to ledger tickets. A ledger ticket gets no session
// ticket if its candidate has left, if the run has ended, or if an undo changed the rounds.
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
			panic("campaign: a ticket was not issued: " + err.Error()) // the arms were checked before
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
	// If an earlier version of purexp planned the pulls differently, the remaining pulls form a
	// separate round. This round is valid, because the pulls were recorded before their results.
	if orders, err := r.session.Announce(arms...); err == nil {
		for i, t := range of {
			r.ticket[t] = orders[i].Ticket
		}
	}
}

// tell passes the results of event seq to the policy.
func (r *run) tell(l *ledger, seq int, rows []rowBody) {
	var reports []explore.Report
	var of, ns []int // for each result, the arm of the ledger and the number of rewards
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
		if each > 1 || row.N > 0 { // single trials and summaries are reported without a ticket
			r.forget(t)
			t = 0
		}
		from := len(rewards)
		var n int
		var err error
		rewards, n, err = r.compiled.Learn(rewards, max(r.arm[a], 0), row.Values, row.Of, row.N)
		if err != nil { // an error is impossible, because values were checked before
			r.fail(seq, fmt.Errorf("event %d, %s: %w", seq, row.Arm, err))
			return
		}
		reward := rewards[from:len(rewards):len(rewards)]
		for c, v := range reward {
			sum.sum[c] += v
		}
		sum.n += n
		if r.arm[a] < 0 {
			sum.unused += max(row.N, 1)
			continue
		}
		if r.confirming != nil && row.Ticket > r.confirming.after {
			// A mean has less noise than the declared noise of one measurement.
			floats.Scale(1/float64(max(row.N, 1)), reward)
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
		r.fail(seq, err) // an error is a fault of the policy, because results were checked before
		return
	}
	for i, a := range of {
		if each > 1 && len(receipt.Unused) > 0 { // the policy uses either all trials of a result or none
			r.tally[a].unused++
			continue
		}
		r.tally[a].learn((ns[i]+each-1)/each, ns[i])
	}
	for _, x := range receipt.Unused {
		if each == 1 {
			t := &r.tally[l.at[r.compiled.Source.Candidates.Names[x.Arm]]]
			t.learn(-x.N, -x.N)
			t.unused += x.N
		}
	}
	now, left := r.session.Phases()
	for n := now + len(left) + 1; r.recorded[n].Number > 0; n++ { // the recorded round was withdrawn
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
		r.ended, r.lost = seq, 0
		if r.compiled.Overlaps() { // results of incomplete rounds are unused
			for i, n := range r.session.Unused() {
				t := &r.tally[l.at[r.compiled.Source.Candidates.Names[i]]]
				t.learn(t.unused-n, t.unused-n)
				r.lost, t.unused = r.lost+n-t.unused, n
			}
		}
		r.checkMeasured(l, seq)
		r.confirm()
	}
	if r.session.Status() != explore.Running { // check the answer immediately, not at the next check
		r.monitor.Look()
	}
}

// forget gives up session ticket t and the further tickets of the same measurement; 0 means no
// ticket.
func (r *run) forget(t int) {
	for k := range r.compiled.Source.Each() {
		if t > 0 {
			_ = r.session.Forget(t + k) // the ticket is pending, so Forget cannot fail
		}
	}
}

// hand requests at most n measurements from the policy, and returns the first session ticket of
// each measurement.
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

// checkMeasured makes the run fail if the policy stopped while a candidate is known only by
// assumption. A candidate known only by assumption was never measured, has no known value, and has
// features that are not a linear combination of the features of measured candidates. The check is
// skipped for a single candidate, and if an objective is known.
func (r *run) checkMeasured(l *ledger, seq int) {
	p := r.compiled.Source
	if r.session.Status() != explore.Stopped || p.K() == 1 || len(p.Measured()) < len(p.Objectives) {
		return
	}
	var span *lsq.Span
	if x := p.Candidates.Features; x != nil {
		seen := mat.NewDense(len(x), len(x[0]), nil) // zero rows do not change the span
		for i, a := range r.arm {
			if a >= 0 && r.tally[i].n > 0 {
				seen.SetRow(a, x[a])
			}
		}
		span = lsq.NewSpan(seen)
	}
	for i, a := range r.arm {
		if a >= 0 && r.tally[i].n == 0 && (span == nil || span.Outside(p.Candidates.Features[a]) > lsq.RankTolerance) {
			r.fail(seq, fmt.Errorf("campaign: %s stopped although %q was never measured and no "+
				"other result determines its mean, so the assumptions are wrong; use another method",
				p.MethodName(), l.arms[i].name))
			return
		}
	}
}

// fail records that the policy failed at event seq, and why.
func (r *run) fail(seq int, err error) {
	r.failure = cmp.Or(r.failure, err)
	r.ended = cmp.Or(r.ended, seq)
}
