package policy_test

import (
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// Rounds get longer after millions of rewards, and the next run begins with short ones again: Init
// forgets how long a run was. Policies that may be told anything are told that all arms tie.
func TestLongRunIsForgotten(t *testing.T) {
	longer := 0
	for _, p := range plans() {
		carded, ok := p.new().(explore.Carded)
		if card := (explore.Card{}); !ok || len(p.cases) == 0 {
			continue
		} else if card = carded.Card(); card.Kind != explore.FixedConfidence || card.Evidence != explore.AnySampling {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			prob := p.cases[0].Problem
			begin := func(q explore.Policy) []explore.Pull {
				t.Helper()
				if err := q.Init(prob, seed.New(1).Source()); err != nil {
					t.Fatal(err)
				}
				pulls, err := q.Ask(nil)
				if err != nil {
					t.Fatal(err)
				}
				return pulls
			}
			q := p.new()
			begin(q)
			var obs []explore.Batch
			for i := range prob.K() {
				const n = 1 << 23
				b := explore.Batch{Pull: explore.Pull{Arm: i, N: n}, Sum: make([]float64, prob.D())}
				if prob.Link != explore.Identity {
					return // 0 may be outside
				}
				b.Squares = make([]float64, prob.D())
				for c := range b.Squares {
					b.Squares[c] = n * prob.Sigma * prob.Sigma
				}
				obs = append(obs, b)
			}
			if err := q.Tell(obs); err != nil {
				return // it is about amounts in a range
			}
			if after, err := q.Ask(nil); err == nil && slices.ContainsFunc(after, func(x explore.Pull) bool { return x.N > 1 }) {
				longer++
			}
			if got, want := begin(q), begin(p.new()); !slices.Equal(got, want) {
				t.Errorf("after a long run it begins with %v; want %v", got, want)
			}
		})
	}
	if longer < 5 {
		t.Errorf("%d policies made longer rounds", longer)
	}
}
