package explore_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// counter is an Asynchronous policy that requests a given number of rewards of each of three arms, and records the
// results.
type counter struct {
	want    int
	count   [3]int
	learned []explore.Batch
	pending []explore.Pull // the pending pulls that the last call of More received
}

func (c *counter) Init(*explore.Problem, rand.Source) error {
	*c = counter{want: c.want}
	return nil
}

func (c *counter) Ask(dst []explore.Pull) ([]explore.Pull, error) { return c.More(dst, 1, nil) }
func (c *counter) Tell(obs []explore.Batch) error                 { return c.Learn(obs) }

func (c *counter) More(dst []explore.Pull, n int, pending []explore.Pull) ([]explore.Pull, error) {
	c.pending = slices.Clone(pending)
	count := c.count
	for _, p := range pending {
		count[p.Arm] += p.N
	}
	for arm := range count {
		if m := min(c.want-count[arm], n); m > 0 {
			dst = append(dst, explore.Pull{Arm: arm, N: m})
			n -= m
		}
	}
	return dst, nil
}

// stray is a counter that requests an unknown arm once now is set.
type stray struct {
	counter
	now bool
}

func (s *stray) More(dst []explore.Pull, n int, pending []explore.Pull) ([]explore.Pull, error) {
	if s.now {
		return append(dst, explore.Pull{Arm: 7, N: 1}), nil
	}
	return s.counter.More(dst, n, pending)
}

func (c *counter) Learn(obs []explore.Batch) error {
	for _, b := range obs {
		c.count[b.Arm] += b.N
		c.learned = append(c.learned, explore.Batch{Pull: b.Pull, Sum: slices.Clone(b.Sum)})
	}
	return nil
}

func (c *counter) Answer() explore.Answer { return explore.Answer{Items: []int{c.count[0]}} }

// result is the report of a ticket.
func result(o explore.Order, sum ...float64) explore.Report {
	return explore.Report{Ticket: o.Ticket, Batch: batch(o.Arm, 1, sum...)}
}

// byTickets starts a session with tickets.
func byTickets(p explore.Policy, prob *explore.Problem, set *explore.Settings) (*explore.Session, error) {
	s, err := explore.NewSession(p, prob, set)
	if err != nil {
		return nil, err
	}
	return s, s.ByTickets()
}

func openSession(t *testing.T, p explore.Policy, set *explore.Settings) *explore.Session {
	t.Helper()
	s, err := byTickets(p, problem(), set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func more(t *testing.T, s *explore.Session, n int) []explore.Order {
	t.Helper()
	orders, err := s.More(n)
	if err != nil {
		t.Fatal(err)
	}
	return orders
}

func tell(t *testing.T, s *explore.Session, reports ...explore.Report) explore.Receipt {
	t.Helper()
	r, err := s.Report(reports)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The results of a plate arrive in parts, in another order and with a failure. A person adds a measurement.
func TestTickets(t *testing.T) {
	p := &counter{want: 2}
	s := openSession(t, p, nil)
	plate := more(t, s, 4)
	if fmt.Sprint(plate) != "[{1 0} {2 0} {3 1} {4 1}]" || !s.UsesAll() {
		t.Fatalf("orders %v", plate)
	}
	r := tell(t, s, result(plate[3], 1, 2), explore.Report{Batch: batch(2, 1, 3, 4)})
	if r.Used != 2 || r.Unused != nil || fmt.Sprint(p.count) != "[0 1 1]" {
		t.Fatalf("%+v, counts %v", r, p.count)
	}
	if err := s.Forget(plate[1].Ticket, plate[1].Ticket); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(s.Pending()); got != "[{1 0} {3 1}]" {
		t.Errorf("pending %v", got)
	}
	second := more(t, s, 10)
	if fmt.Sprint(p.pending) != "[{0 1} {1 1}]" || fmt.Sprint(second) != "[{5 0} {6 2}]" {
		t.Fatalf("with %v pending it asks for %v", p.pending, second)
	}
	if none := more(t, s, 10); none != nil || s.Status() != explore.Running {
		t.Fatalf("%v with everything pending, status %v", none, s.Status())
	}
	// The result of a ticket that was given up arrives late, and is used.
	if r = tell(t, s, result(plate[1], 5, 6)); r.Used != 1 {
		t.Errorf("a late result: %+v", r)
	}
	// Repeating a report has no effect.
	if r = tell(t, s, result(plate[1], 5, 6)); r.Repeated != 1 || r.Used != 0 {
		t.Errorf("told twice: %+v", r)
	}
	if p.count[0] != 1 {
		t.Errorf("%d rewards of arm 0; want 1", p.count[0])
	}
	tell(t, s, result(plate[0], 1, 1), result(second[1], 1, 1))
	if s.Status() != explore.Running {
		t.Fatalf("status %v", s.Status())
	}
	tell(t, s, result(plate[2], 1, 1))
	if s.Status() != explore.Stopped {
		t.Fatalf("status %v, counts %v", s.Status(), p.count)
	}
	// After the end, the answer does not change.
	if r = tell(t, s, result(second[0], 1, 1)); len(r.Unused) != 1 {
		t.Errorf("after the end: %+v", r)
	}
	res := s.Result()
	if fmt.Sprint(res.Answer.Items, res.ArmPulls, res.Pulls, res.Rounds) != "[2] [2 2 2] 6 2" ||
		len(res.Warnings) != 1 || fmt.Sprint(s.Unused()) != "[1 0 0]" {
		t.Errorf("result %+v, unused %v", res, s.Unused())
	}
}

// A policy with rounds receives only complete rounds, even if results are late, unsolicited or missing.
func TestTicketsRounds(t *testing.T) {
	p := newScript() // round 1: arm 0 twice and arm 2 once; round 2: arm 1 five times
	s := openSession(t, p, nil)
	if s.UsesAll() {
		t.Fatal("UsesAll is true for a policy with rounds")
	}
	first := more(t, s, 2)
	if fmt.Sprint(first) != "[{1 0} {2 2}]" {
		t.Fatalf("orders %v", first)
	}
	last := more(t, s, 8)
	if fmt.Sprint(last) != "[{3 0}]" || more(t, s, 8) != nil {
		t.Fatalf("the rest of the round is %v", last)
	}
	if plates := s.Result().Rounds; plates != 2 { // a plate counts even if the policy requests fewer measurements than fit on it
		t.Fatalf("%d plates; want 2", plates)
	}
	before := s.Result() // this copy must not change
	r := tell(t, s, result(first[1], 1, 2), explore.Report{Batch: batch(0, 7, 700, 700)}, result(last[0], 3, 4))
	if r.Used != 2 || len(r.Unused) != 1 || r.Unused[0].N != 7 {
		t.Fatalf("%+v", r)
	}
	if err := s.Forget(first[0].Ticket); err != nil {
		t.Fatal(err)
	}
	if err := s.Forget(first[0].Ticket); err != nil { // a second call has no effect
		t.Fatal(err)
	}
	again := more(t, s, 8)
	if fmt.Sprint(again) != "[{4 0}]" {
		t.Fatalf("asked again: %v", again)
	}
	// The measurement was requested again and has a new ticket.
	if r = tell(t, s, result(first[0], 100, 100)); r.Used != 0 || len(r.Unused) != 1 {
		t.Errorf("the result of a ticket that was given up: %+v", r)
	}
	if p.told != nil {
		t.Fatalf("told %v before the round was complete", p.told)
	}
	tell(t, s, result(again[0], 5, 6))
	if got := fmt.Sprint(p.told); got != "[[{{0 2} [8 10] []} {{2 1} [1 2] []}]]" {
		t.Fatalf("told %v", got)
	}
	for _, o := range more(t, s, 8) {
		tell(t, s, result(o, 1, 0))
	}
	if fmt.Sprint(before.ArmPulls) != "[0 0 0]" {
		t.Errorf("an earlier Result now has the counts %v", before.ArmPulls)
	}
	res := s.Result()
	if fmt.Sprint(p.told[1]) != "[{{1 5} [5 0] []}]" || res.Status != explore.Stopped ||
		fmt.Sprint(res.ArmPulls, res.Pulls, s.Unused()) != "[2 5 1] 8 [8 0 0]" {
		t.Errorf("told %v, result %+v, unused %v", p.told, res, s.Unused())
	}
}

// Invalid reports are rejected with an error that says what is wrong, and change nothing.
func TestTicketsRefuses(t *testing.T) {
	for _, p := range []explore.Policy{&counter{want: 4}, newScript()} {
		s := openSession(t, p, nil)
		plate := more(t, s, 3)
		tell(t, s, result(plate[0], 1, 2))
		before := fmt.Sprint(s.Result(), s.Pending())
		for name, c := range map[string]struct {
			reports []explore.Report
			err     error
			says    string
		}{
			"another arm": {[]explore.Report{{Ticket: 3, Batch: batch(1, 1, 1, 1)}}, explore.ErrMismatch, "ticket 3 is for placebo"},
			"two rewards": {[]explore.Report{{Ticket: 3, Batch: batch(0, 2, 1, 1)}}, explore.ErrMismatch, "expected one for ticket 3"},
			"no reward":   {[]explore.Report{{Batch: batch(0, 0, 1, 1)}}, explore.ErrMismatch, "0 rewards"},
			"too many by one": {[]explore.Report{{Batch: batch(0, mostReport+1, 1, 1)}},
				explore.ErrMismatch, fmt.Sprint(" rewards; expected 1 to ", mostReport)},
			"too many rewards": {[]explore.Report{{Batch: batch(0, math.MaxInt, 1, 1)}}, explore.ErrMismatch, "rewards; expected 1 to"},
			"no ticket":        {[]explore.Report{{Ticket: 9, Batch: batch(0, 1, 1, 1)}}, explore.ErrMismatch, "ticket 9 was not handed out"},
			"negative ticket":  {[]explore.Report{{Ticket: -1, Batch: batch(0, 1, 1, 1)}}, explore.ErrMismatch, "ticket -1 was not handed out"},
			"no arm":           {[]explore.Report{{Batch: batch(3, 1, 1, 1)}}, explore.ErrMismatch, "unknown arm 3; expected 0 to 2"},
			"one objective":    {[]explore.Report{{Batch: batch(1, 1, 1)}}, explore.ErrMismatch, "25 mg): the sum has 1 entries"},
			"NaN":              {[]explore.Report{result(plate[1], 1, math.NaN())}, explore.ErrValue, "safety"},
			"told otherwise": {[]explore.Report{result(plate[0], 1, 3)}, explore.ErrUnexpected,
				"ticket 1 was already reported, with the value [1 2]"},
			"twice in one": {[]explore.Report{result(plate[1], 1, 1), result(plate[1], 1, 2)},
				explore.ErrUnexpected, "ticket 2 is reported twice"},
			"the second is wrong": {[]explore.Report{result(plate[1], 1, 1),
				result(plate[2], math.Inf(1), 0)}, explore.ErrValue, "report 1"},
		} {
			_, err := s.Report(c.reports)
			if !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, tickets := range [][]int{{2, 99}, {2, 0}, {2, 1}} {
			if err := s.Forget(tickets...); err == nil {
				t.Errorf("%v was given up", tickets)
			} else if told := "ticket 1 (placebo) was already reported"; tickets[1] == 1 && !strings.Contains(err.Error(), told) {
				t.Errorf("%v; want %s", err, told)
			}
		}
		if _, err := s.More(0); err == nil {
			t.Error("room for nothing is accepted")
		}
		if after := fmt.Sprint(s.Result(), s.Pending()); after != before {
			t.Errorf("before %v, after %v", before, after)
		}
	}
}

// Limits count pending measurements, and end the run once nothing is pending.
func TestTicketsLimits(t *testing.T) {
	for _, p := range []explore.Policy{&counter{want: 4}, newScript()} {
		s := openSession(t, p, &explore.Settings{MaxPulls: 2})
		plate := append(more(t, s, 1), more(t, s, 8)...)
		if len(plate) != 2 || more(t, s, 8) != nil || s.Status() != explore.Running {
			t.Fatalf("%T: orders %v, status %v", p, plate, s.Status())
		}
		for _, o := range plate {
			tell(t, s, result(o, 1, 1))
		}
		if more(t, s, 8) != nil || s.Status() != explore.PullLimit {
			t.Errorf("%T: status %v at the limit", p, s.Status())
		}
		s = openSession(t, p, &explore.Settings{MaxRounds: 1})
		plate = more(t, s, 1)
		if more(t, s, 1) != nil || s.Status() != explore.Running {
			t.Errorf("%T: a second plate with a limit of one", p)
		}
		tell(t, s, result(plate[0], 1, 1))
		if more(t, s, 1) != nil || s.Status() != explore.RoundLimit {
			t.Errorf("%T: status %v after one plate", p, s.Status())
		}
	}
}

// ahead is a script that plans rounds before the earlier rounds are reported.
type ahead struct {
	script
	unsolicited []explore.Batch // unsolicited results of the last call of Imagine
}

func (p *ahead) Imagine(out []explore.Phase, unsolicited []explore.Batch, then func(int)) error {
	p.next, p.unsolicited = p.next+len(out), unsolicited
	then(0)
	p.next -= len(out)
	return nil
}

func (p *ahead) Over() bool { return p.next >= len(p.rounds) }

// With overlapping rounds, the limit counts pending results too. The best guess includes unsolicited results.
func TestLimitOverlapping(t *testing.T) {
	p := &ahead{script: script{rounds: [][]explore.Pull{{{Arm: 0, N: 2}}, {{Arm: 1, N: 2}}, {{Arm: 2, N: 2}}}}}
	s := openSession(t, p, &explore.Settings{MaxPulls: 4})
	plate := more(t, s, 8)
	if fmt.Sprint(plate) != "[{1 0} {2 0} {3 1} {4 1}]" {
		t.Fatalf("orders %v", plate)
	}
	tell(t, s, result(plate[2], 1, 1)) // a result of the second round
	if rest := more(t, s, 8); rest != nil {
		t.Errorf("orders %v beyond the limit", rest)
	}
	tell(t, s, explore.Report{Batch: batch(2, 3, 3, 4)})
	p.unsolicited = nil
	if s.Guess(); fmt.Sprint(p.unsolicited) != "[{{2 3} [3 4] []}]" {
		t.Errorf("the best guess includes %v; want 3 results of arm 2", p.unsolicited)
	}
}

func TestTicketsFailures(t *testing.T) {
	bad := &script{rounds: [][]explore.Pull{{{Arm: 7, N: 1}}}}
	if _, err := byTickets(bad, problem(), nil); !errors.Is(err, explore.ErrPolicy) {
		t.Errorf("a round of an unknown arm: %v", err)
	}
	huge := &script{rounds: [][]explore.Pull{{{Arm: 0, N: math.MaxInt}, {Arm: 1, N: 2}}}}
	if _, err := byTickets(huge, problem(), nil); !errors.Is(err, explore.ErrPolicy) {
		t.Errorf("a round of too many pulls: %v", err)
	}
	wild := &stray{}
	wild.want = 9
	opened := openSession(t, wild, nil)
	wild.now = true
	if _, err := opened.More(1); !errors.Is(err, explore.ErrPolicy) {
		t.Errorf("an unknown arm in any order: %v", err)
	}
	broken := errors.New("broken")
	p := newScript()
	s := openSession(t, p, nil)
	p.tell = broken
	var err error
	for _, o := range more(t, s, 3) {
		_, err = s.Report([]explore.Report{result(o, 1, 1)})
	}
	if !errors.Is(err, broken) || s.Status() != explore.Failure {
		t.Errorf("%v, status %v", err, s.Status())
	}
	if err.Error() != "explore: *explore_test.script: broken" { // errors of sessions with tickets do not mention rounds
		t.Errorf("%q", err)
	}
	changing := weather()
	if _, err := byTickets(newScript(), changing, nil); !errors.Is(err, explore.ErrContext) {
		t.Errorf("features that change: %v", err)
	}
}

// Issue issues all tickets or none: if the round does not request one of the arms, the requests for
// the other arms are unchanged.
func TestIssueIsAllOrNothing(t *testing.T) {
	s := openSession(t, newScript(), nil) // the round requests arm 0 twice and arm 2 once
	for _, arms := range [][]int{{0, 2, 1}, {0, 0, 0}, {2, 0, 2}, {0, 3}} {
		orders, err := s.Issue(arms...)
		if orders != nil || !errors.Is(err, explore.ErrMismatch) {
			t.Errorf("arms %v: %v, %v", arms, orders, err)
		}
		if arms[len(arms)-1] == 1 && !strings.Contains(err.Error(), "does not request 25 mg") {
			t.Errorf("arms %v: %v", arms, err)
		}
	}
	if pending := s.Pending(); len(pending) != 0 {
		t.Errorf("pending after refusals: %v", pending)
	}
	orders, err := s.Issue(2, 0, 0)
	if err != nil || fmt.Sprint(orders) != "[{1 2} {2 0} {3 0}]" || len(more(t, s, 9)) != 0 || s.Result().Rounds != 1 {
		t.Errorf("the whole round: %v, %v, %d plates", orders, err, s.Result().Rounds)
	}
}

// The first call of a session selects rounds or tickets for the whole run.
func TestOneWay(t *testing.T) {
	s := openSession(t, newScript(), nil)
	if _, err := s.Ask(); !errors.Is(err, explore.ErrMismatch) {
		t.Errorf("Ask of a session by tickets: %v", err)
	}
	if err := s.Tell(nil); !errors.Is(err, explore.ErrUnexpected) {
		t.Errorf("Tell of a session by tickets: %v", err)
	}
	s, err := explore.NewSession(newScript(), problem(), nil)
	if err != nil {
		t.Fatal(err)
	}
	before := fmt.Sprint(s.Pending(), s.Unused(), s.UsesAll(), s.Status())
	if before != "[] [] false running" {
		t.Errorf("before the first call: %v", before)
	}
	if _, err := s.Ask(); err != nil {
		t.Fatal(err)
	}
	_, more := s.More(1)
	_, issue := s.Issue(0)
	_, report := s.Report(nil)
	for _, err := range []error{more, issue, report, s.Forget(1)} {
		if !errors.Is(err, explore.ErrMismatch) {
			t.Errorf("tickets of a session by rounds: %v", err)
		}
	}
	if err := s.Tell([]explore.Batch{batch(0, 2, 1, 2), batch(2, 1, 3, 4)}); err != nil {
		t.Error(err)
	}
}

// A recorder sees the results that the policy learned.
func TestTicketsRecords(t *testing.T) {
	var seen []string
	set := &explore.Settings{Recorder: recording(func(e explore.Event) {
		seen = append(seen, fmt.Sprint(e.Round, e.Pulls, e.Obs))
	})}
	s := openSession(t, &counter{want: 1}, set)
	for _, o := range more(t, s, 3) {
		tell(t, s, result(o, 1, 2))
	}
	want := "[1 1 [{{0 1} [1 2] []}] 2 2 [{{1 1} [1 2] []}] 3 3 [{{2 1} [1 2] []}]]"
	if fmt.Sprint(seen) != want {
		t.Errorf("recorded %v; want %v", seen, want)
	}
}

type recording func(e explore.Event)

func (r recording) Record(e explore.Event) error { r(e); return nil }

// A run in a simulated laboratory uses as many results of each arm as the policy requests, even if measurements fail
// or results are late.
func TestPlates(t *testing.T) {
	for _, l := range []explore.Plates{{}, {Size: 8}, {Size: 3, Out: 2, Fail: .3, Late: .5}} {
		p := &counter{want: 50}
		r, err := l.Run(p, problem(), zeros{}, nil)
		if err != nil || r.Status != explore.Stopped || fmt.Sprint(r.ArmPulls) != "[50 50 50]" {
			t.Errorf("%+v: %+v, %v", l, r, err)
		}
		if plates := 150 / max(l.Size, 1); r.Rounds < plates || l.Fail > 0 && r.Rounds == plates {
			t.Errorf("%+v: %d plates", l, r.Rounds)
		}
	}
	// On a plate, 40 % of the wells fail, and half of the other results are late. Late results fail or are late again
	// with the same probabilities, so 3/7 of the results arrive.
	l := explore.Plates{Size: 1000, Fail: .4, Late: .5}
	if r, err := l.Run(&counter{want: 1000}, problem(), zeros{}, &explore.Settings{MaxRounds: 1}); err != nil || r.Pulls < 380 || r.Pulls > 480 {
		t.Errorf("%+v, %v", r, err)
	}
	for _, l := range []explore.Plates{{Size: -1}, {Out: -1}, {Fail: 1}, {Late: math.NaN()}} {
		if _, err := l.Run(&counter{want: 1}, problem(), zeros{}, nil); err == nil {
			t.Errorf("%+v is accepted", l)
		}
	}
}

// mostReport is the largest number of rewards of a report, if integers have 64 bits.
var mostReport = min(1<<40, math.MaxInt)

// Request three wells, one of which fails, and report a replicate that a colleague measured earlier.
func ExampleSession_More() {
	s, err := explore.NewSession(&counter{want: 1}, problem(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	plate, _ := s.More(3)
	for _, o := range plate {
		fmt.Println("ticket", o.Ticket, "is for", problem().Arm(o.Arm))
	}
	_ = s.Forget(3)
	r, err := s.Report([]explore.Report{
		{Ticket: 2, Batch: batch(1, 1, .7, .2)},
		{Batch: batch(2, 1, .8, .1)}, // without a ticket
		{Ticket: 1, Batch: batch(0, 1, .5, .3)},
	})
	fmt.Println(r.Used, "used,", err)
	fmt.Println(s.Status(), "after", s.Result().Pulls, "measurements")
	// Output:
	// ticket 1 is for placebo
	// ticket 2 is for 25 mg
	// ticket 3 is for 75 mg
	// 3 used, <nil>
	// stopped after 3 measurements
}

func ExamplePlates() {
	lab := explore.Plates{Size: 8, Fail: .05}
	r, err := lab.Run(&counter{want: 16}, problem(), zeros{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status, "after", r.Pulls, "measurements on", r.Rounds, "plates")
	// Output:
	// stopped after 48 measurements on 7 plates
}
