package plan

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
)

// coarse limits a simulated plate to 1/coarse of the measurements before it. From the 128th plate
// on, a simulated plate therefore represents several plates.
const coarse = 64

// part limits the number of measurements that a grouped plate adds to a candidate, as a fraction of
// the candidate's measurements so far. Without this limit, grouped plates with hundreds of
// candidates would waste measurements on candidates that need few. With part = 16, medians for
// 30, 100 and 300 candidates are 2 to 6 % too high, and the simulation takes half the time.
const part = 16

// manyArms is the largest number of candidates for which methods with overlapping rounds are
// simulated plate by plate. With more candidates and no late results, these methods request
// measurements of a tenth of the candidates at a time, because they copy the data of all pairs for
// each plate. These larger requests raise the medians for 200 candidates by 1 to 3 %.
const manyArms = 100

// outcome is the result of one simulated campaign.
type outcome struct {
	pulls  int     // number of measurements that the run used
	plates float64 // number of plates, including plates that repeat failed measurements
	time   float64 // time of the run in units of the time of a plate
	status ending
	arms   []int // number of measurements by candidate
	// The field against contains the reason for the verdict on each candidate: the index of another
	// candidate, or the index of a bound plus the number of candidates. The index is -1 if the
	// reason is unknown; the list is nil if the method gives no reasons.
	against []int
	items   []int // the items of the answer
	looked  bool  // whether the run exceeded the affordable number of measurements before its end
	guessed bool  // whether the answer or, without one, the best guess at the affordable number is right
	guess   []int // best guess at the affordable number of measurements
	work    int   // work of choosing the measurements
	err     error
}

// ending states how a run ended.
type ending byte

const (
	right ending = iota
	wrong
	gaveUp
)

// runner makes consecutive runs of one method on one problem; each goroutine has its own runner.
type runner struct {
	c       *problem.Compiled
	b       *belief
	law     *law
	policy  explore.Policy
	sampler *bandit.Sampler
	told    []explore.Batch // measurements of the running campaign
	phases  []explore.Phase // rounds of the running campaign
	limit   int
	lab     lab
	room    int // largest number of measurements in progress at the same time
	afford  int // affordable number of measurements; 0 means not given
	each    int // number of rewards in one measurement

	pulls []explore.Pull
	obs   []explore.Batch
}

func newRunner(c *problem.Compiled, b *belief, limit int) *runner {
	l := c.Source.Laboratory
	r := &runner{c: c, b: b, law: newLaw(c, b), policy: c.Policy(), limit: max(limit, c.Budget+1),
		lab: lab{Laboratory: l}, room: l.Free() * max(l.AtOnce, 1), afford: l.Measurements,
		each: c.Source.Each()}
	if k := c.Source.K(); k > manyArms && l.Late == 0 && c.Overlaps() {
		r.room = max(r.room, k/10)
	}
	r.sampler = bandit.NewSampler(r.law, seed.New(0))
	return r
}

// run simulates run number rep, with random numbers from the root seed, until the run ends or ctx
// is cancelled.
func (r *runner) run(ctx context.Context, root uint64, rep int) outcome {
	s := seed.New(root).Child("plan", rep)
	r.b.draw(r.law.user, rand.New(s.Child("means").Source()))
	r.law.set()
	r.sampler.Reset(s.Child("noise"))
	r.lab.reset(s.Child("laboratory").Source())
	out := outcome{arms: make([]int, r.c.Source.K()), status: gaveUp}
	if out.err = r.policy.Init(r.c.Problem, s.Child("policy").Source()); out.err != nil {
		return out
	}
	var ended bool
	if open, ok := r.policy.(explore.Asynchronous); ok {
		ended = r.plates(ctx, open, &out)
	} else if r.c.Overlaps() {
		ended = r.overlapping(ctx, s.Child("policy").Source(), &out)
	} else {
		ended = r.rounds(ctx, &out)
	}
	if ended {
		r.confirm(&out)
		a := r.policy.Answer()
		out.status = wrong
		if r.c.Problem.Question.Correct(r.law.mean, a) {
			out.status = right
		}
		out.against, out.items = against(r.c, a), slices.Clone(a.Items)
		if !out.looked {
			out.guessed, out.guess = out.status == right, out.items
		}
	} else if out.err == nil {
		r.look(&out, r.afford)
	}
	out.plates, out.time = r.lab.plates, r.lab.time
	return out
}

// look scores the best guess just before the next n measurements would exceed the affordable number
// for the first time.
func (r *runner) look(out *outcome, n int) {
	if r.afford == 0 || out.looked || out.pulls+n <= r.afford {
		return
	}
	a := r.policy.Answer()
	out.looked, out.guess = true, slices.Clone(a.Items)
	out.guessed = r.c.Problem.Question.Correct(r.law.mean, a) ||
		// Compare the items too, because the guess has no reasons yet.
		slices.Equal(a.Items, question.Right(r.c.Problem.Question, r.law.mean).Items)
}

// confirm adds the number of confirming measurements, without simulating them.
func (r *runner) confirm(out *outcome) {
	measured := slices.Clone(out.arms)
	for _, b := range r.told {
		measured[b.Arm] += b.N
	}
	if n := r.c.Confirming(measured); n > 0 {
		if r.lab.Fill {
			n += r.lab.free(n)
		}
		out.pulls += n
		r.lab.round(n)
	}
}

// plates requests plates until the policy stops; if the policy cannot continue, plates gives up the
// run.
func (r *runner) plates(ctx context.Context, p explore.Asynchronous, out *outcome) (ended bool) {
	before, of := 0, make([]int, len(out.arms)) // measurements so far, in total and by candidate
	for _, b := range r.told {
		before += b.N / r.each
		of[b.Arm] += b.N / r.each
	}
	if len(r.told) > 0 {
		if out.err = p.Learn(r.told); out.err != nil {
			return false
		}
	}
	for out.pulls < r.limit && ctx.Err() == nil {
		var err error
		if r.pulls, err = r.more(p); err != nil {
			return false
		}
		if len(r.pulls) == 0 {
			// A run whose policy requests nothing ends unless late results are still expected.
			if r.pulls, err = p.More(r.pulls, 1, nil); err != nil {
				return false
			}
			if len(r.pulls) == 0 {
				return true
			}
			r.pulls = r.pulls[:0]
		}
		if r.lab.Fill && len(r.pulls) > 0 {
			n := 0
			for _, x := range r.pulls {
				n += x.N
			}
			r.pulls = r.c.Fill(r.pulls, r.lab.free(n), p.Answer())
		}
		m := (before + out.pulls) / (coarse * r.room)
		for _, x := range r.pulls {
			m = min(m, (of[x.Arm]+out.arms[x.Arm])/part)
		}
		m = max(m, 1)
		n := 0
		for i := range r.pulls {
			n += r.pulls[i].N
			r.pulls[i].N *= m
		}
		out.work += max(n, 1)
		r.pulls = r.lab.make(r.pulls, n, m)
		if len(r.pulls) == 0 {
			continue
		}
		n = 0
		for _, p := range r.pulls {
			n += p.N
		}
		r.look(out, n)
		if r.measure(out); p.Learn(r.obs) != nil {
			return false
		}
	}
	return false
}

// more requests as many measurements as fit on the plate. If each trial is a reward, the policy
// chooses measurements one after another, as in a campaign.
func (r *runner) more(p explore.Asynchronous) (pulls []explore.Pull, err error) {
	if r.each == 1 {
		return p.More(r.pulls[:0], r.room, r.lab.pending)
	}
	pulls, out := r.pulls[:0], []explore.Pull(nil)
	for _, x := range r.lab.pending {
		out = append(out, explore.Pull{Arm: x.Arm, N: x.N * r.each})
	}
	for range r.room {
		before := len(pulls)
		if pulls, err = p.More(pulls, 1, out); err != nil || len(pulls) == before {
			return pulls, err
		}
		out = append(out, explore.Pull{Arm: pulls[before].Arm, N: r.each})
	}
	return pulls, nil
}

// rounds serves a policy that needs all results of a round before the next round, and reports
// whether the policy stopped.
func (r *runner) rounds(ctx context.Context, out *outcome) (ended bool) {
	for out.pulls < r.limit && ctx.Err() == nil {
		var err error
		if r.pulls, err = r.policy.Ask(r.pulls[:0]); err != nil {
			return false
		}
		if len(r.pulls) == 0 {
			return true
		}
		n := 0
		for _, p := range r.pulls {
			n += p.N
		}
		if n > r.limit {
			return false
		}
		out.work += len(r.pulls)
		r.look(out, n)
		r.lab.round(n)
		if r.measure(out); r.policy.Tell(r.obs) != nil {
			return false
		}
	}
	return false
}

// overlapping serves a policy with overlapping rounds, which plans new rounds while earlier rounds
// are incomplete.
func (r *runner) overlapping(ctx context.Context, src rand.Source, out *outcome) (ended bool) {
	s, err := explore.NewSession(r.policy, r.c.Problem, &explore.Settings{Src: src})
	if err != nil {
		out.err = err
		return false
	}
	pending, owed := make([][]int, len(out.arms)), make([]int, len(out.arms))
	if out.err = r.resume(s, pending); out.err != nil {
		return false
	}
	for out.pulls < r.limit && ctx.Err() == nil {
		orders, err := s.More(r.room)
		if err != nil || s.Status() != explore.Running {
			return s.Status() == explore.Stopped
		}
		if free := r.lab.free(len(orders)); r.lab.Fill && len(orders) > 0 && free > 0 {
			more, err := r.fill(s, orders, free)
			if err != nil {
				return false
			}
			orders = append(orders, more...)
		}
		r.pulls = r.pulls[:0]
		for _, o := range orders {
			pending[o.Arm] = append(pending[o.Arm], o.Ticket)
			r.pulls = append(r.pulls, explore.Pull{Arm: o.Arm, N: 1})
		}
		out.work += max(len(orders), 1)
		there := r.lab.make(slices.Clone(r.pulls), len(orders), 1)
		r.pulls = r.pulls[:0]
		for _, p := range there {
			for range p.N {
				r.pulls = append(r.pulls, explore.Pull{Arm: p.Arm, N: 1})
			}
		}
		r.look(out, len(r.pulls))
		r.measure(out)
		reports := make([]explore.Report, len(r.obs))
		for i, b := range r.obs { // results of the oldest tickets arrive first
			reports[i], pending[b.Arm] = explore.Report{Ticket: pending[b.Arm][0], Batch: b}, pending[b.Arm][1:]
		}
		if _, err := s.Report(reports); err != nil {
			return false
		}
		clear(owed)
		for _, p := range r.lab.pending {
			owed[p.Arm] += p.N
		}
		for arm, tickets := range pending { // measurements whose results have not arrived and are not late have failed
			if s.Forget(tickets[owed[arm]:]...) != nil {
				return false
			}
			pending[arm] = tickets[:owed[arm]]
		}
	}
	return s.Status() == explore.Stopped
}

// resume gives session s the state of a running campaign. Missing results of the campaign's rounds
// count as pending, and arrive with the first simulated plate.
func (r *runner) resume(s *explore.Session, pending [][]int) error {
	for at, phase := range r.phases {
		if err := s.Begin(at+1, phase.Pulls); err != nil {
			return err
		}
		for slot, p := range phase.Pulls {
			orders, err := s.Issue(slices.Repeat([]int{p.Arm}, p.N)...)
			if err != nil {
				return err
			}
			b := phase.Told[slot]
			reports := make([]explore.Report, b.N)
			for i := range reports {
				reports[i] = explore.Report{Ticket: orders[i].Ticket,
					Batch: explore.Batch{Pull: explore.Pull{Arm: p.Arm, N: 1}}}
				for _, v := range b.Sum {
					reports[i].Sum = append(reports[i].Sum, v/float64(b.N))
				}
			}
			if _, err := s.Report(reports); err != nil {
				return err
			}
			for _, o := range orders[b.N:] {
				pending[p.Arm] = append(pending[p.Arm], o.Ticket)
				r.lab.late = append(r.lab.late, waiting{Pull: explore.Pull{Arm: p.Arm, N: 1}})
				r.lab.pending = append(r.lab.pending, explore.Pull{Arm: p.Arm, N: 1})
			}
		}
	}
	return nil
}

// fill announces additional measurements for the free wells of a plate, as a campaign does.
func (r *runner) fill(s *explore.Session, plate []explore.Order, free int) ([]explore.Order, error) {
	var pulls []explore.Pull
	for _, o := range plate {
		pulls = append(pulls, explore.Pull{Arm: o.Arm, N: 1})
	}
	var arms []int
	for _, p := range r.c.Fill(pulls, free, r.policy.Answer())[len(plate):] {
		arms = append(arms, p.Arm)
	}
	return s.Announce(arms...)
}

// measure draws the rewards of the measurements in r.pulls.
func (r *runner) measure(out *outcome) {
	for i := range r.pulls {
		r.pulls[i].N *= r.each
	}
	r.obs, _ = r.sampler.Sample(r.obs[:0], r.pulls) // Sample cannot fail for these pulls
	if r.law.adaptive {
		for i := range r.obs {
			r.law.squares(&r.obs[i])
		}
	}
	for _, p := range r.pulls {
		out.pulls += p.N / r.each
		out.arms[p.Arm] += p.N / r.each
	}
}

// against returns the index of the reason for the verdict on each candidate, or nil if the answer
// has no reasons.
func against(c *problem.Compiled, a explore.Answer) []int {
	if len(a.Reasons) == 0 {
		return nil
	}
	k := c.Source.K()
	list := make([]int, k)
	for i := range list {
		list[i] = -1
		if i >= len(a.Reasons) {
			continue
		}
		r := a.Reasons[i]
		bound := r.Constraint >= 0 && r.Constraint < len(c.Bounds)
		switch {
		case r.Class == explore.Infeasible && bound:
			list[i] = k + r.Constraint
		case r.Class == explore.Optimal && bound && (r.By < 0 || slackRatio(r) < marginRatio(r)):
			list[i] = k + r.Constraint
		case r.By >= 0 && r.By < k:
			list[i] = r.By
		}
	}
	return list
}

// slackRatio and marginRatio return the distance of a value from its decision threshold, divided by
// the confidence radius. The decision that was made last has the smallest ratio.
func slackRatio(r explore.Reason) float64  { return ratio(r.Slack, r.SlackRadius) }
func marginRatio(r explore.Reason) float64 { return ratio(r.Margin, r.MarginRadius) }

func ratio(x, radius float64) float64 {
	if !(radius > 0) {
		return math.Inf(1)
	}
	return math.Abs(x) / radius
}
