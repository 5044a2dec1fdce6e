package campaign

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/strictjson"
	"github.com/purexp/purexp/pkg/monitor"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
)

// Numbers is a list of numbers; an unknown number is NaN in Go and null in JSON.
type Numbers []float64

// MarshalJSON encodes numbers that are not finite as null.
func (n Numbers) MarshalJSON() ([]byte, error) {
	list := make([]*float64, len(n))
	for i := range n {
		if n.known(i) {
			list[i] = &n[i]
		}
	}
	return json.Marshal(list)
}

func (n Numbers) known(i int) bool { return !math.IsNaN(n[i]) && !math.IsInf(n[i], 0) }

// UnmarshalJSON decodes a list of numbers, in which null stands for NaN.
func (n *Numbers) UnmarshalJSON(text []byte) error {
	var list []*float64
	if err := strictjson.Unmarshal(text, &list); err != nil {
		return err
	}
	*n = make(Numbers, len(list))
	for i, v := range list {
		(*n)[i] = math.NaN()
		if v != nil {
			(*n)[i] = *v
		}
	}
	return nil
}

// The following constants are the states of a campaign.
const (
	Running  = "running"  // more measurements are needed
	Finished = "finished" // the method has stopped, and no more measurements are needed; see Done
	Broken   = "failed"   // the policy failed; all results are safe
)

// Status describes the state of a campaign in the user's units.
type Status struct {
	ID       string  `json:"id" doc:"Identifier of the campaign"`
	Title    string  `json:"title,omitempty"`
	Event    int     `json:"event" doc:"Number of the last event, which grows with every change"`
	Hash     string  `json:"hash" doc:"Hash of the last event"`
	Status   string  `json:"status" enum:"running,finished,failed" doc:"finished: the method stopped by its own rule, or the fixed budget is spent; failed: the method failed, and all results are safe"`
	Headline string  `json:"headline" doc:"The verdict with its reason, in a sentence"`
	Find     string  `json:"find" doc:"The question, as in the problem file"`
	Method   string  `json:"method" doc:"The policy that chooses what to measure and when to stop"`
	Delta    float64 `json:"delta" doc:"Largest probability that the answer is wrong"`
	Budget   int     `json:"budget,omitempty" doc:"Total number of measurements, if it is fixed; the answer is then a best guess, without a declared error probability"`
	Ended    int     `json:"ended,omitempty" doc:"The event that ended the campaign"`
	Plates   int     `json:"plates" doc:"Number of requests that returned tickets"`
	Used     int     `json:"used" doc:"Measurements that the method uses"`
	Trials   int     `json:"trials,omitempty" doc:"Trials of the used measurements, such as patients, if results count successes"`
	Called   string  `json:"called,omitempty" doc:"What a trial is called, such as patients"`
	Spent    float64 `json:"spent,omitempty" doc:"Cost of the measurements on record, including failed ones; 0 without costs"`
	Paid     string  `json:"paid,omitempty" doc:"The cost with its unit"`
	Unused   int     `json:"unused" doc:"Measurements on record that the method does not use"`
	Failed   int     `json:"failed" doc:"Measurements without a value"`
	Pending  int     `json:"pending" doc:"Measurements that were requested and have no result yet"`
	// Affordable is the value of laboratory.measurements in the problem, or 0 if that value is a
	// fixed budget. Asked is the number of requested measurements, not counting the reference and
	// withdrawn tickets.
	Affordable int `json:"affordable,omitempty" doc:"Affordable number of measurements (laboratory.measurements in the problem)"`
	Asked      int `json:"asked" doc:"Requested measurements, without the reference and without withdrawn requests"`
	// Confirming is the number of confirming measurements that are still missing.
	Confirming int `json:"confirming,omitempty" doc:"Number of confirming measurements still needed, if the answer relies on features"`
	// Objectives are the names of the objectives, in the order of the estimates in Arms.
	Objectives []string    `json:"objectives" doc:"Names with units, in the order of estimates"`
	Arms       []ArmStatus `json:"arms"`
	Guarantee  []string    `json:"guarantee" doc:"What the guarantee assumes and covers, and what it does not cover"`
	Warnings   []string    `json:"warnings,omitempty" doc:"Warnings of the method and of the monitors"`
	// Protocol is "frozen", or empty for a protocol that is not frozen. Sealed is the number of the
	// event that sealed the protocol, which happens with the first result.
	Protocol   string      `json:"protocol,omitempty" enum:"frozen" doc:"frozen: changes after the end need a reason and a second person"`
	Sealed     int         `json:"sealed,omitempty" doc:"The event that sealed the protocol, with the first result"`
	Amendments []Amendment `json:"amendments,omitempty" doc:"Changes after the end, if the protocol is frozen"`
	// Signatures lists the signatures in the order of events, without undone signatures.
	Signatures []Signature `json:"signatures,omitempty" doc:"Signatures of the findings"`
	// Reference describes the reference wells; it is nil without a reference.
	Reference *References `json:"reference,omitempty" doc:"Results of the reference wells"`
	Evidence  Evidence    `json:"evidence" doc:"Evidence of the monitors against the declarations"`
}

// Done reports whether the guarantee holds: the policy stopped by its own rule, and the results do
// not contradict its assumptions. An answer within a fixed budget has no guarantee.
func (s *Status) Done() bool { return s.Over() && s.Budget == 0 }

// Over reports whether no more measurements are needed, because the guarantee holds or a fixed
// budget is spent.
func (s *Status) Over() bool { return s.Status == Finished && !s.withdrawn() }

func (s *Status) withdrawn() bool { return s.Evidence.Withdrawn() }

// Excess says in words that the number of requested measurements has reached the affordable number,
// or returns "".
func (s *Status) Excess() string {
	switch beyond := s.Asked - s.Affordable; {
	case s.Affordable == 0 || beyond < 0 || beyond == 0 && s.Status != Running:
		return ""
	case beyond == 0:
		return fmt.Sprintf("%s can be afforded (laboratory.measurements), and all were requested; further "+
			"measurements exceed the limit.", measurements(s.Affordable))
	default:
		return fmt.Sprintf("%s can be afforded (laboratory.measurements), but %d were requested, %d too many.",
			measurements(s.Affordable), s.Asked, beyond)
	}
}

// ArmStatus describes one candidate in a Status.
type ArmStatus struct {
	Arm       string `json:"arm"`
	Available bool   `json:"available" doc:"false: the candidate was dropped, and the answer is about the other candidates"`
	Dropped   string `json:"dropped,omitempty" doc:"Why the candidate is not available"`
	Used      int    `json:"used" doc:"Measurements that the method uses"`
	Unused    int    `json:"unused" doc:"Reported measurements that the method does not use"`
	Failed    int    `json:"failed"`
	Pending   int    `json:"pending"`
	Trials    int    `json:"trials,omitempty" doc:"Trials of the used measurements, if results count successes"`
	// Estimate contains the mean of the results by objective, or NaN without results. Low and High
	// are the ends of confidence intervals, or NaN if there are no results or a pilot is
	// incomplete. With probability at least 1 - Delta, the intervals of all candidates and
	// objectives are correct at all times. For a known value, Estimate, Low and High are equal.
	Estimate Numbers `json:"estimate" doc:"Estimated means by objective; null without results"`
	Low      Numbers `json:"low" doc:"Lower ends of the intervals, which hold simultaneously for all arms at all times; null without an interval"`
	High     Numbers `json:"high" doc:"Upper ends of the intervals"`
	// Class is the class of the candidate, Verdict states the class in words, and Why is the
	// reason for the verdict, if known. If Chosen is true, the candidate is in the answer or,
	// before the end, in the best guess.
	Class   explore.Class `json:"class" enum:"undecided,optimal,dominated,infeasible"`
	Verdict string        `json:"verdict" doc:"The class in the words of the question"`
	Why     string        `json:"why,omitempty" doc:"The reason, with amounts and their intervals"`
	Chosen  bool          `json:"chosen" doc:"The candidate is in the answer, or in the best guess until the campaign is finished"`
}

// Status returns the current state of the campaign.
func (c *Campaign) Status() (s Status, err error) {
	err = c.read(func(m *snapshot) error {
		if m.known.Hash != m.chain.Hash { // there were events since the status was last computed
			m.known = m.status()
		}
		s = m.known
		s.Arms, s.Signatures = slices.Clone(s.Arms), slices.Clone(s.Signatures)
		s.Amendments = slices.Clone(s.Amendments)
		return nil
	})
	return s, err
}

func (m *snapshot) state() string {
	switch {
	case m.run.failure != nil || m.run.session.Status() == explore.Failure:
		return Broken
	case m.run.session.Status() == explore.Stopped && !m.run.busy():
		return Finished
	}
	return Running
}

func (m *snapshot) status() Status {
	l, r := m.ledger, m.run
	p := l.problem
	result := r.session.Result()
	used, unused, failed := r.results()
	s := Status{ID: l.id, Title: p.Title, Event: m.chain.Seq, Hash: m.chain.Hash, Status: m.state(),
		Find: p.Question.Find, Method: p.MethodName(), Delta: p.Question.Delta, Budget: p.Method.Budget, Ended: r.end(),
		Plates: l.plates, Used: used, Unused: unused, Failed: failed}
	each, called := p.Trials()
	each, s.Called = each/p.Each(), called // the number of trials of a reward
	s.Confirming = r.left()
	s.Signatures, s.Amendments = slices.Clone(l.signatures), slices.Clone(l.amendments)
	s.Protocol, s.Sealed = p.Protocol, l.sealed
	for i := range p.Objectives {
		s.Objectives = append(s.Objectives, p.Objectives[i].Label())
	}
	for _, w := range result.Warnings {
		s.Warnings = append(s.Warnings, w.Error())
	}
	if r.failure != nil {
		s.Warnings = append(s.Warnings, r.failure.Error())
	}
	pending := map[string]int{}
	for t := range l.tickets {
		t := &l.tickets[t]
		if t.State != Withdrawn && !t.Reference {
			s.Asked++
		}
		if t.State == Pending {
			s.Pending++
			if !t.Reference {
				pending[t.Arm]++
			}
		}
	}
	half := r.halfWidths()
	means := mat.NewDense(p.K(), len(p.Objectives), nil)
	for i, a := range l.arms {
		t := &r.tally[i]
		x := ArmStatus{Arm: a.name, Available: a.available, Dropped: a.why, Used: t.used,
			Unused: t.unused, Failed: t.failed, Pending: pending[a.name], Trials: t.trials * each,
			Verdict: "not available"}
		r.boxes(&x, l, i, half)
		if at := r.arm[i]; at >= 0 {
			means.SetRow(at, x.Estimate)
		}
		s.Arms = append(s.Arms, x)
	}
	r.settled(means)
	verdicts := r.compiled.Explain(result.Answer, means)
	chosen := make([]bool, r.compiled.Source.K())
	for _, at := range r.guess(result) {
		chosen[at] = true
	}
	for i, a := range l.arms {
		x, at := &s.Arms[i], r.arm[i]
		switch {
		case at >= 0:
			v := verdicts[at]
			x.Class, x.Verdict, x.Why = v.Class, v.Status, v.Why
			x.Chosen = chosen[at]
			if v.Class == explore.Optimal && r.waiting != nil { // a newcomer without results may beat the candidate
				x.Class, x.Verdict = explore.Undecided, "undecided"
			}
		case a.available:
			x.Verdict = "undecided"
		}
		s.Trials += x.Trials
		s.Spent += a.cost * float64(x.Used+x.Unused+x.Failed)
	}
	if s.Spent > 0 {
		s.Paid = p.Candidates.Price(s.Spent)
	}
	if s.Budget == 0 {
		s.Affordable = p.Laboratory.Measurements
	}
	if text := s.Excess(); text != "" {
		s.Warnings = append(s.Warnings, text)
	}
	s.Warnings = append(s.Warnings, r.warnOdd()...)
	if s.Status == Running {
		s.Warnings = append(s.Warnings, l.failing()...)
	}
	if s.Reference = l.references(); s.Reference != nil {
		if text := s.Reference.warning(); text != "" {
			s.Warnings = append(s.Warnings, text)
		}
	}
	if s.Evidence = r.evidence(); s.Evidence.Level != levels[monitor.Silent] {
		s.Warnings = append(s.Warnings, s.Evidence.Text)
	}
	s.Headline = m.headline(&s)
	if n := len(s.Amendments); n > 0 && s.Status == Running {
		s.Headline = fmt.Sprintf("Event %d reopened the campaign after its end. %s", s.Amendments[n-1].Event,
			s.Headline)
	}
	s.Guarantee = m.guarantee(&s)
	return s
}

// mostFailed is the number of consecutive failures after which the status suggests dropping a
// candidate.
const mostFailed = 5

// failing returns warnings about candidates whose latest measurements all failed.
func (l *ledger) failing() (list []string) {
	row := map[string]int{}
	for _, o := range l.ops {
		for _, r := range o.rows {
			if row[r.Arm]++; !r.Failed {
				row[r.Arm] = 0
			}
		}
	}
	for _, a := range l.arms {
		if n := row[a.name]; n >= mostFailed && a.available {
			list = append(list, fmt.Sprintf("%s failed %d times in a row. If this candidate cannot be measured, drop "+
				"it: purexp campaign drop %s --why \"cannot be measured\"", a.name, n, strconv.Quote(a.name)))
		}
	}
	return list
}

// guess returns the items of the answer or, before the end, of the best guess.
func (r *run) guess(result *explore.Result) []int {
	if result.Status == explore.Stopped {
		return result.Answer.Items
	}
	mean, items := make([][]float64, r.compiled.Source.K()), result.Answer.Items
	if told, _ := r.session.Phases(); told > 0 ||
		!slices.ContainsFunc(r.tally, func(t tally) bool { return t.n == 0 }) {
		items = r.session.Guess().Items
	}
	for i, at := range r.arm {
		if at < 0 {
			continue
		}
		t := &r.tally[i]
		mean[at] = make([]float64, len(t.sum))
		for c, v := range t.sum {
			if t.n > 0 {
				mean[at][c] = v / float64(t.n)
			}
		}
	}
	if known := r.compiled.Problem.Known; known != nil {
		for at, x := range mean {
			for c := range x {
				if v := known.At(at, c); !math.IsNaN(v) {
					x[c] = v
				}
			}
		}
	}
	return r.compiled.Guess(items, func(i int) []float64 { return mean[i] })
}

// halfWidths returns a function that computes the half-width of the interval for the mean of n
// rewards in objective c, in reward units. With probability at least 1 - delta, the intervals are
// correct for all candidates, objectives and n together. If the campaign starts with a pilot, the
// half-widths use the pilot's bounds on the standard deviations. With a pilot, the half-widths of
// unavailable candidates are NaN, and all half-widths are NaN until the pilot is complete.
func (r *run) halfWidths() func(c, n int, mean float64, available bool) float64 {
	p := r.compiled.Source
	params := radius.Params{Arms: p.K(), Objectives: max(len(p.Measured()), 1), Sigma: 1,
		NormSigma: 1, Delta: r.compiled.Delta}
	var bonuses []radius.Bonus
	for c := range p.Objectives {
		bonuses = append(bonuses, p.Intervals(c).Bind(params))
	}
	piloted, pilot := r.policy.(*policy.Piloted)
	return func(c, n int, mean float64, available bool) float64 {
		if b, ok := bonuses[c].(radius.Fitted); ok {
			return b.Around(c, radius.Seen{N: n, Mean: mean})
		}
		width := bonuses[c].Mean(n)
		if !pilot {
			return width
		}
		if sigmas := piloted.Sigmas(); sigmas != nil && available {
			return sigmas[c] * width
		}
		return math.NaN()
	}
}

// boxes sets the estimates and intervals of arm i of the ledger.
func (r *run) boxes(x *ArmStatus, l *ledger, i int, half func(c, n int, mean float64, available bool) float64) {
	p, t := l.problem, &r.tally[i]
	for c := range p.Objectives {
		mean, width := math.NaN(), math.NaN()
		scale := r.compiled.Scales[c]
		switch {
		case p.Objectives[c].Known:
			if at := l.candidate(x.Arm); at >= 0 {
				mean, width = p.Objectives[c].Exact[at], 0
			}
		case t.n > 0:
			reward := t.sum[c] / float64(t.n)
			mean, width = scale.Out(reward), scale.Size(half(c, t.n, reward, r.arm[i] >= 0))
		}
		low, high := mean-width, mean+width
		if lo, hi := r.compiled.Limits(c); t.n > 0 {
			low, high = max(low, lo), min(high, hi)
		}
		x.Estimate = append(x.Estimate, mean)
		x.Low, x.High = append(x.Low, low), append(x.High, high)
	}
}

// settled replaces means by the means over the complete rounds of an overlapping policy, because
// the policy's reasons refer to complete rounds.
func (r *run) settled(means *mat.Dense) {
	rounds := r.session.Settled()
	for c := range r.compiled.Source.Objectives {
		if rounds == nil || r.compiled.Source.Objectives[c].Known {
			continue
		}
		k, _ := means.Dims()
		n, sum := make([]float64, k), make([]float64, k)
		for _, round := range rounds {
			for _, b := range round.Told {
				n[b.Arm], sum[b.Arm] = n[b.Arm]+float64(b.N), sum[b.Arm]+b.Sum[c]
			}
		}
		for i := range k {
			means.Set(i, c, r.compiled.Scales[c].Out(sum[i]/n[i]))
		}
	}
}

func (m *snapshot) headline(s *Status) string {
	var chosen, undecided []string
	unmeasured := 0
	for _, a := range s.Arms {
		if a.Chosen {
			chosen = append(chosen, a.Arm)
		}
		if a.Available && a.Class == explore.Undecided {
			undecided = append(undecided, a.Arm)
		}
		if a.Available && a.Used == 0 {
			unmeasured++
		}
	}
	switch n := s.Confirming; {
	case n > 0 && !s.withdrawn() && s.Status == Running:
		return fmt.Sprintf("Running: %s. The method's answer is %s. To confirm the answer, %s of its candidates and "+
			"their closest rivals are left.", s.measurements(), problem.Abbreviated(chosen), measurements(n))
	case s.Status == Broken:
		return "The method failed; all results are safe. See the warnings."
	case s.Budget > 0:
		return spent(s, chosen)
	case s.Status == Finished && s.withdrawn():
		return fmt.Sprintf("The certificate is withdrawn: the results contradict its assumptions. %s; the guess is: "+
			"%s.", s.made(), answered(chosen))
	case s.Status == Finished:
		that := "that " // for an empty answer, answered returns a clause, not names
		if len(chosen) > 0 {
			that = ""
		}
		return fmt.Sprintf("Finished after %s: the answer is %s%s. It is wrong with probability at most %.4g.",
			s.measurements(), that, answered(chosen), s.Delta)
	case s.Used == 0 && !s.withdrawn():
		text := fmt.Sprintf("Started: %d candidates, ", m.ledger.problem.K())
		if s.Unused > 0 {
			return text + fmt.Sprintf("no measurement counts yet (%d on record).", s.Unused)
		}
		return text + "nothing measured yet."
	}
	text := fmt.Sprintf("Running: %s, no answer yet", s.measurements())
	if s.withdrawn() {
		text = "Running without a certificate: the results contradict its assumptions. " + s.made()
	}
	switch {
	case len(chosen) > 0:
		text += "; the best guess is " + problem.Abbreviated(chosen)
	case unmeasured > 0:
		text += fmt.Sprintf("; there is no best guess before all candidates are measured (%d missing)", unmeasured)
	case len(m.run.compiled.Bounds) > 0:
		text += "; so far no candidate seems to satisfy all bounds"
	default:
		text += ", and no best guess"
	}
	if n := len(undecided); n > 0 && n < m.ledger.problem.K() {
		text += "; undecided: " + problem.Abbreviated(undecided)
	}
	return text + "." + m.awaits()
}

// awaits names those pending results that would complete the answer if their values are as
// expected, or returns "".
func (m *snapshot) awaits() string {
	waits := map[int]bool{} // session tickets that are pending
	for _, t := range m.run.session.Awaited() {
		waits[t] = true
	}
	var tickets []string
	for _, t := range m.ledger.tickets {
		if waits[m.run.ticket[t.Ticket]] {
			tickets = append(tickets, fmt.Sprintf("%d (plate %d)", t.Ticket, t.Plate))
		}
	}
	switch len(tickets) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" The answer is final as soon as ticket %s is reported, if its value is as expected.",
			tickets[0])
	}
	return fmt.Sprintf(" The answer is final as soon as %d tickets are reported, if their values are as expected: "+
		"%s.", len(tickets), problem.Abbreviated(tickets))
}

func answered(chosen []string) string {
	if len(chosen) == 0 {
		return "no candidate satisfies all bounds"
	}
	return problem.Abbreviated(chosen)
}

// spent returns the headline for a campaign with a fixed budget, whether or not the budget is
// spent.
func spent(s *Status, chosen []string) string {
	text := "there is no best guess yet"
	if len(chosen) > 0 {
		text = "the best guess is " + problem.Abbreviated(chosen)
	}
	contradicted := ""
	if s.withdrawn() {
		contradicted = " The results contradict the declarations: see the warnings."
	}
	switch {
	case s.Status == Finished:
		return fmt.Sprintf("Finished after %s of a budget of %d: %s. The method declares no error probability for "+
			"this guess.%s", s.measurements(), s.Budget, text, contradicted)
	case s.Used == 0:
		return fmt.Sprintf("Started: %d candidates; none of %d measurements has been made yet.", len(s.Arms), s.Budget)
	}
	return fmt.Sprintf("Running: %d of %s made; %s.%s", s.Used, measurements(s.Budget), text, contradicted)
}

func measurements(n int) string { return counted(n, "measurement", "measurements") }

// counted formats a number with the singular or plural of a noun.
func counted(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// measurements formats the number of used measurements and, if successes are counted, the number of
// trials.
func (s *Status) measurements() string {
	if s.Trials == 0 {
		return measurements(s.Used)
	}
	return fmt.Sprintf("%s (%d %s)", measurements(s.Used), s.Trials, s.Called)
}

// made states how many measurements were made, as the beginning of a sentence.
func (s *Status) made() string { return s.measurements() + " were made" }

// guarantee returns sentences about the assumptions of the answer and the scope of its guarantee.
func (m *snapshot) guarantee(s *Status) []string {
	l := m.ledger
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	switch {
	case s.Budget > 0:
		say("The answer is a best guess within a budget of %d measurements, now and at the end: %s declares no error "+
			"probability, and there is no certificate. 'purexp plan' estimates the error probability for guessed "+
			"means. The budget counts results, so failed measurements are repeated.", s.Budget, s.Method)
	case s.Status == Broken:
		say("The method failed: nothing is certified, and the answer is a guess.")
	case s.withdrawn():
		say("Nothing is certified, now or later, because the results contradict the declarations.")
	case s.Status == Finished:
		say("The answer is wrong with probability at most %.4g.", s.Delta)
	default:
		say("When the campaign is finished, the answer is wrong with probability at most %.4g. "+
			"Until then the answer is a best guess without a guarantee.", s.Delta)
	}
	if s.Status != Broken {
		if s.Budget == 0 {
			holds := m.holds()
			last := len(holds) - 1
			say("The guarantee holds if %s, and %s.", strings.Join(holds[:last], ", "), holds[last])
		}
		if s.Evidence.Level == levels[monitor.Silent] {
			say("%s%s", s.Evidence.Text, m.run.watched())
		}
		if text := m.run.confirmed(); text != "" {
			say("%s", text)
		}
	}
	if unused := m.run.compiled.Unused(); unused != "" {
		say("%s", unused)
	}
	var failed, dropped []string
	for _, a := range s.Arms {
		if a.Failed > 0 {
			failed = append(failed, fmt.Sprintf("%d of %s", a.Failed, a.Arm))
		}
		if !a.Available {
			dropped = append(dropped, a.Arm)
		}
	}
	if s.Failed > 0 {
		say("%s no value: %s. Failures are harmless if they do not depend on the value.",
			counted(s.Failed, "measurement has", "measurements have"), problem.Abbreviated(failed))
	}
	if s.Reference != nil {
		say("%s", s.Reference)
	}
	if n := counted(len(l.ids), "result was", "results were"); len(l.ids) > 0 && m.run.session.UsesAll() {
		say("%s unsolicited. Unsolicited results count if nobody selected them by their values.", n)
	} else if len(l.ids) > 0 {
		say("%s unsolicited. Unsolicited results %s", n, m.besides())
	}
	n, of := 0, 0 // numbers of summaries and of the measurements that the summaries contain
	for _, r := range l.ids {
		n, of = n+min(r.N, 1), of+r.N
	}
	if n > 0 {
		say("%s for %s. The monitors test a mean as one result, and do not test totals of counts.",
			counted(n, "result is a summary and counts", "results are summaries and count"), measurements(of))
	}
	if l.undone > 0 {
		say("%s undone. Undoing a typing error is harmless; undoing a result because of its effect on the "+
			"answer is not.", counted(l.undone, "report of results was", "reports of results were"))
	}
	if len(dropped) > 0 {
		say("The answer covers the %d available candidates, and does not cover %s.", l.problem.K(),
			problem.Abbreviated(dropped))
	}
	if slices.ContainsFunc(l.ops[1:], func(o op) bool { return o.change }) {
		c := &l.problem.Candidates
		switch {
		case s.Budget > 0:
			say("Candidates were added or dropped. The rest of the budget was spent on the present candidates.")
		case c.Shares > 0 && m.run.compiled.Card.Uses.Has(explore.UsesSums):
			say("Candidates were added or dropped. The error probability holds whatever the reason for the change: " +
				"each candidate that was ever included has a share of the error probability.")
		case c.Later > 0:
			say("Candidates were added or dropped. The error probability holds whatever the reason for the change: " +
				"each new start has a share of the error probability.")
		default:
			say("Candidates were added or dropped. The error probability holds if these changes did not " +
				"depend on the results; otherwise, the error probability is unknown.")
		}
		if !m.run.session.UsesAll() {
			say("%s then started its rounds again. Earlier results %s", s.Method, m.besides())
		}
	}
	if s.Unused > 0 {
		say("%s: the candidate is not available, no round requested the value, its round was not needed, or the "+
			"campaign had ended. Estimates and intervals include all values on record.", counted(s.Unused,
			"value is on record and is not evidence", "values are on record and are not evidence"))
	}
	surely := strings.TrimRight(fmt.Sprintf("%.6f", 1-s.Delta), "0")
	if s.Delta < 1e-6 { // six decimals are too few to show 1 - delta
		surely = fmt.Sprintf("1 - %.4g", s.Delta)
	}
	say("With probability at least %s, the intervals of all candidates and objectives hold at all times. The "+
		"answer has a separate error probability.", surely)
	return list
}

// besides returns the rest of a sentence about results that a method with rounds did not request:
// how the method uses them, and why.
func (m *snapshot) besides() string {
	c := m.run.compiled
	if !c.Overlaps() {
		return fmt.Sprintf("are on record and not used, because the guarantee of %s covers only the "+
			"rounds that the method requests.", c.Card.Name)
	}
	text := fmt.Sprintf("guide the choice of measurements, but are not evidence: the guarantee of %s covers "+
		"only measurements that were planned before they were made. Announce measurements that you choose "+
		"yourself: purexp campaign ask --arms A,A,B.", c.Card.Name)
	if other := c.Source.AnySampling(); other != "" {
		text += fmt.Sprintf(" If you already have results, start with a method that uses them: name = %q under "+
			"[method].", other)
	}
	return text
}

// holds lists the assumptions behind the certificate, one clause each.
func (m *snapshot) holds() []string {
	return append(m.run.compiled.Rests(), "measurements are independent given earlier measurements",
		"candidates do not change during the campaign")
}

// Answer returns the candidates of the answer or, if final is false, of the best guess. The result
// final is true if [Status.Done] is true.
func (c *Campaign) Answer() (arms []string, final bool, err error) {
	s, err := c.Status()
	for _, a := range s.Arms {
		if a.Chosen {
			arms = append(arms, a.Arm)
		}
	}
	return arms, s.Done(), err
}

// Phases returns the rounds of a method with overlapping rounds, with their results; for other
// methods, it returns nil.
func (c *Campaign) Phases() (list []explore.Phase, err error) {
	err = c.read(func(m *snapshot) error {
		_, out := m.run.session.Phases()
		list = append(m.run.session.Settled(), out...)
		return nil
	})
	return list, err
}

// Rewards returns all results of the candidates that the policy knows, used or not, as rewards: one
// batch for each measured candidate, in the order of Problem. Squares are nil if a result is a summary.
func (c *Campaign) Rewards() (batches []explore.Batch, err error) {
	err = c.read(func(m *snapshot) error {
		r := m.run
		all := make([]explore.Batch, m.ledger.problem.K())
		for _, o := range m.ledger.ops {
			for i := range o.rows {
				row := &o.rows[i]
				known, at := r.arm[m.ledger.at[row.Arm]], m.ledger.candidate(row.Arm)
				if row.Failed || known < 0 {
					continue
				}
				x, n, err := r.compiled.Learn(nil, known, row.Values, row.Of, row.N)
				if err != nil {
					return err
				}
				b := &all[at]
				if b.N == 0 {
					*b = explore.Batch{Pull: explore.Pull{Arm: at}, Sum: make([]float64, len(x)),
						Squares: make([]float64, len(x))}
				}
				b.N += n
				floats.Add(b.Sum, x)
				if squares := r.compiled.Squares(x, n); squares == nil {
					b.Squares = nil
				} else if b.Squares != nil {
					floats.Add(b.Squares, squares)
				}
			}
		}
		batches = slices.DeleteFunc(all, func(b explore.Batch) bool { return b.N == 0 })
		return nil
	})
	return batches, err
}
