package policy_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

// record stores the results passed to a policy, by round.
type record [][]explore.Batch

func (r *record) Record(e explore.Event) error {
	var obs []explore.Batch
	for _, b := range e.Obs {
		obs = append(obs, explore.Batch{Pull: b.Pull, Sum: slices.Clone(b.Sum)})
	}
	*r = append(*r, obs)
	return nil
}

// Announced measurements are rounds of their own, in the order of announcement. Unsolicited results affect which
// measurements are requested, but affect neither the bets nor the answer. A policy that sees the same rounds without
// unsolicited results makes the same statements, to the last bit.
func TestAnnouncedCountAndOthersDoNot(t *testing.T) {
	for name, x := range overlaps() {
		announced, besides := 0, 0
		for run := range 6 {
			rnd := rand.New(rand.NewPCG(uint64(run), 8))
			sampler := noisy{x.mu, 0, rnd}
			draw := func(arm, n int) explore.Batch {
				obs, err := sampler.Sample(nil, []explore.Pull{{Arm: arm, N: n}})
				if err != nil {
					t.Fatal(err)
				}
				return obs[0]
			}
			p, told := bettingOn(x.prob, .1, nil), record{}
			s, err := explore.NewSession(p, x.prob, &explore.Settings{Recorder: &told, MaxPulls: 1 << 16})
			if err != nil {
				t.Fatal(err)
			}
			chosen := map[int][]int{} // by round
			for s.Status() == explore.Running {
				now, _ := s.Phases()
				if rnd.IntN(8) == 0 {
					arms := make([]int, 1+rnd.IntN(5))
					for i := range arms {
						arms[i] = rnd.IntN(x.prob.K())
					}
					if _, err := s.Announce(arms...); err != nil {
						t.Fatal(err)
					}
					announced += len(arms)
					_, out := s.Phases()
					slices.Sort(arms)
					chosen[now+len(out)-1] = arms
				} else if _, err := s.More(1 + rnd.IntN(8)); err != nil {
					t.Fatal(err)
				}
				var reports []explore.Report
				if rnd.IntN(4) == 0 {
					n := 1 + rnd.IntN(20)
					besides += n
					reports = append(reports, explore.Report{Batch: draw(rnd.IntN(x.prob.K()), n)})
				}
				for _, o := range s.Pending() {
					if rnd.IntN(3) > 0 {
						reports = append(reports, explore.Report{Ticket: o.Ticket, Batch: draw(o.Arm, 1)})
					}
				}
				if _, err := s.Report(reports); err != nil {
					t.Fatal(err)
				}
			}
			for round, arms := range chosen {
				if round < len(told) {
					var got []int
					for _, b := range told[round] {
						got = append(got, slices.Repeat([]int{b.Arm}, b.N)...)
					}
					if !slices.Equal(got, arms) {
						t.Errorf("%s: results of round %d are of arms %v; announced were %v", name, round, got, arms)
					}
				}
			}
			again := bettingOn(x.prob, .1, nil)
			if err := again.Init(x.prob, rnd); err != nil {
				t.Fatal(err)
			}
			for _, obs := range told {
				if err := again.Tell(obs); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := again.Answer(), p.Answer(); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v; want %+v", name, got, want)
			}
			if b, ok := p.(*policy.BettingElimination); ok {
				for i := range x.prob.M() {
					if is := again.(*policy.BettingElimination); is.Capital(i) != b.Capital(i) {
						t.Errorf("%s: the capital against item %d is %v; was %v", name, i, is.Capital(i), b.Capital(i))
					}
				}
			}
		}
		if announced < 20 || besides < 20 {
			t.Errorf("%s: %d results were announced, %d were not; want many of both", name, announced, besides)
		}
	}
}
