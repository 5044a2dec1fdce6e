package policy_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// A lab is a simulated laboratory. In one plate time, each machine measures a plate with a fixed
// number of wells. Late results arrive one to three plate times after the other results of their
// plate. Failed measurements are reported as failed when their result is due.
type lab struct {
	wells, machines int
	late, fail      float64
	slow            func(x *sample) int // additional plate times until a result arrives; nil for none
	// people chooses the arrived results to report now and the tickets to give up; nil reports all results.
	people func(arrived []*sample) (report, forget []*sample)
	wait   bool // use complete rounds
	most   int  // largest number of measurements
	days   int  // largest number of plate times; 0 for no limit
}

// A sample is a measurement of a lab.
type sample struct {
	explore.Report
	phase, machine, at, due int
	failed, done            bool
}

// outcome is the result of a run in a lab. Told contains the rounds passed to the policy.
type outcome struct {
	*explore.Result
	made, plates int
	told         [][]explore.Batch
}

// run measures until the policy stops or a limit is reached.
func (l lab) run(t testing.TB, p explore.Policy, prob *explore.Problem, sampler explore.Sampler, rnd *rand.Rand) (o outcome) {
	t.Helper()
	w := &watch{t: t}
	if rounds, ok := p.(explore.Overlapping); ok {
		w.Overlapping = rounds
		if p = w; l.wait {
			p = struct{ explore.Policy }{w}
		}
	}
	s, err := explore.NewSession(p, prob, &explore.Settings{MaxPulls: cmp.Or(l.most, 1<<24)})
	if err != nil {
		t.Fatal(err)
	}
	var out []*sample
	for ; s.Status() == explore.Running && (l.days == 0 || o.plates < l.days); o.plates++ {
		for machine := range l.machines {
			orders, err := s.More(l.wells)
			if err != nil {
				t.Fatal(err)
			}
			for _, order := range orders {
				obs, err := sampler.Sample(nil, []explore.Pull{{Arm: order.Arm, N: 1}})
				if err != nil {
					t.Fatal(err)
				}
				x := &sample{Report: explore.Report{Ticket: order.Ticket, Batch: obs[0]}, phase: w.issue(order.Arm),
					machine: machine, at: o.plates, due: o.plates, failed: rnd.Float64() < l.fail}
				x.Sum = slices.Clone(x.Sum)
				if rnd.Float64() < l.late {
					x.due += 1 + rnd.IntN(3)
				}
				if l.slow != nil {
					x.due += l.slow(x)
				}
				out = append(out, x)
			}
			o.made += len(orders)
		}
		var report, forget []*sample
		for _, x := range out {
			switch {
			case x.due > o.plates:
			case x.failed:
				forget = append(forget, x)
			default:
				report = append(report, x)
			}
		}
		if l.people != nil {
			var given []*sample
			report, given = l.people(report)
			forget = append(forget, given...)
		}
		for _, x := range forget {
			x.done = true
			w.due[x.phase][x.Arm]++
			if err := s.Forget(x.Ticket); err != nil {
				t.Fatal(err)
			}
		}
		var reports []explore.Report
		for _, x := range report {
			x.done = true
			w.came(x)
			reports = append(reports, x.Report)
		}
		if _, err := s.Report(reports); err != nil {
			t.Fatal(err)
		}
		out = slices.DeleteFunc(out, func(x *sample) bool { return x.done })
	}
	o.Result, o.told = s.Result(), w.told
	return o
}

// A watch wraps a policy and knows its planned rounds. watch checks that each round passed to the
// policy is the oldest planned round, is complete, and has the results of its own tickets.
type watch struct {
	explore.Overlapping
	t    testing.TB
	due  []map[int]int     // by phase and arm: number of tickets not yet issued
	want [][]explore.Batch // by phase: all pulls, with their reported results
	told [][]explore.Batch
}

// Ask records the pulls of each round. The policy plans some rounds from imagined results.
func (w *watch) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	pulls, err := w.Overlapping.Ask(dst)
	if len(pulls) > 0 {
		due, want := map[int]int{}, []explore.Batch{}
		for _, p := range pulls {
			due[p.Arm] += p.N
			want = append(want, explore.Batch{Pull: p})
		}
		w.due, w.want = append(w.due, due), append(w.want, want)
	}
	return pulls, err
}

// issue returns the phase of the next ticket for an arm.
func (w *watch) issue(arm int) int {
	if w.Overlapping == nil {
		w.due = []map[int]int{{}}
		return 0
	}
	for phase, due := range w.due {
		if due[arm] > 0 {
			due[arm]--
			return phase
		}
	}
	w.t.Fatalf("no phase asks for arm %d", arm)
	return -1
}

// came records a result.
func (w *watch) came(x *sample) {
	if w.Overlapping == nil {
		return
	}
	b := &w.want[x.phase][slices.IndexFunc(w.want[x.phase], func(b explore.Batch) bool { return b.Arm == x.Arm })]
	if b.Sum == nil {
		b.Sum = make([]float64, len(x.Sum))
	}
	for c, v := range x.Sum {
		b.Sum[c] += v
	}
}

func (w *watch) Tell(obs []explore.Batch) error {
	phase := len(w.told)
	var copied []explore.Batch
	for i, b := range obs {
		copied = append(copied, explore.Batch{Pull: b.Pull, Sum: slices.Clone(b.Sum)})
		if phase >= len(w.want) || i >= len(w.want[phase]) || b.Pull != w.want[phase][i].Pull ||
			!slices.Equal(b.Sum, w.want[phase][i].Sum) {
			w.t.Errorf("round %d got %+v; want the results of the oldest planned phase", phase, obs)
			break
		}
	}
	w.told = append(w.told, copied)
	return w.Overlapping.Tell(obs)
}

// bettingOn returns the betting method for a problem. The argument rewards is the method's setting Rewards;
// nil means that nothing is known about rewards.
func bettingOn(prob *explore.Problem, delta float64, rewards radius.Radius) explore.Overlapping {
	switch prob.Question.(type) {
	case question.Best:
		return &policy.BettingElimination{Delta: delta, Rewards: rewards}
	case question.AllEpsilonBest:
		return &policy.BettingAllEpsilon{Delta: delta, Rewards: rewards}
	case question.Pareto:
		return &policy.BettingPareto{Delta: delta, Rewards: rewards}
	}
	return &policy.BettingFeasible{Delta: delta, Rewards: rewards}
}

// noisy samples rewards with mean mu. If scale is 0, rewards are Gaussian with standard deviation 1; otherwise, each
// reward is 0 or scale.
type noisy struct {
	mu    *mat.Dense
	scale float64 // 0: Gaussian
	rnd   *rand.Rand
}

func (s noisy) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	for _, p := range pulls {
		sum := make([]float64, s.mu.RawMatrix().Cols)
		for c := range sum {
			for range p.N {
				switch mean := s.mu.At(p.Arm, c); {
				case s.scale == 0:
					sum[c] += mean + s.rnd.NormFloat64()
				case s.rnd.Float64() < mean/s.scale:
					sum[c] += s.scale
				}
			}
		}
		dst = append(dst, explore.Batch{Pull: p, Sum: sum})
	}
	return dst, nil
}

// stragglers runs p without noise, with results that are late by many rounds. All imagined results
// come true, so p requests the same measurements as in complete rounds.
func stragglers(t testing.TB, p explore.Policy, c policytest.Case) outcome {
	l := lab{wells: 1, machines: 2, slow: func(x *sample) int {
		if x.phase > 0 && x.Ticket%3 == 0 {
			return 20
		}
		return 0
	}}
	return l.run(t, p, c.Problem, c.Exact(), rand.New(rand.NewPCG(0, 0)))
}
