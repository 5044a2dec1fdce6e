package policy

import (
	"math/rand/v2"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/snapshot"
)

// A trial lets the policy of a batcher choose pulls that go with those pending: it tells the policy
// that these had the means that are estimated, so that counts change and estimates do not, and asks
// it for a round, and so on round by round. In the end the policy is as it was: nothing that was
// imagined remains, and a policy need not know how it is done.
type trial struct {
	b       *batching
	seed    uint64 // of random choices
	running bool
	before  snapshot.Snapshot
	means   []float64 // k x d: estimates when the trial began
	squares []float64 // k x d: the same of squares
	square  []bool    // by arm: whether there are some

	count []int          // by arm: rewards learned, pending or chosen
	round []explore.Pull // of the policy
}

// A designer is a policy that makes designs of measurements from time to time. In a trial it keeps
// the one in use.
type designer interface{ keepDesign() }

// init prepares for the run of b.
func (t *trial) init(b *batching) {
	k, d := b.prob.K(), b.prob.D()
	*t = trial{b: b, seed: b.src.seed(), count: make([]int, k), means: make([]float64, k*d),
		squares: make([]float64, k*d), square: make([]bool, k)}
	t.before.Except = []reflect.Type{reflect.TypeOf(b), reflect.TypeOf(b.prob)}
}

// begin remembers the policy. Its random choices depend on the number of rewards that were learned
// or are awaited.
func (t *trial) begin(awaited int) {
	b, d := t.b, t.b.prob.D()
	for i := range t.count {
		copy(t.means[i*d:][:d], b.estimate(i))
		t.square[i] = b.squares != nil && b.squares(t.squares[i*d:][:d], i)
	}
	t.before.Take(b.self)
	t.running = true
	b.src.trial = rand.NewPCG(t.seed, uint64(b.total+awaited))
	if p, ok := b.self.(designer); ok {
		p.keepDesign()
	}
}

// end makes the policy what it was before the trial, if there was one.
func (t *trial) end() {
	if t.running {
		t.before.Restore()
		t.running, t.b.src.trial = false, nil
	}
}

// imagine tells the policy that pulls gave what is estimated, and asks for its next round.
func (t *trial) imagine(pulls []explore.Pull, awaited int) (err error) {
	if !t.running {
		t.begin(awaited)
	}
	b, d := t.b, t.b.prob.D()
	b.batches = b.batches[:0]
	for _, p := range pulls {
		b.tell(p.Arm).N += p.N
	}
	for i := range b.batches {
		o := &b.batches[i]
		n, at := float64(o.N), o.Arm*d
		floats.ScaleTo(o.Sum, n, t.means[at:][:d])
		o.Squares = nil
		if t.square[o.Arm] {
			o.Squares = floats.ScaleTo(b.sqs[at:][:d], n, t.squares[at:][:d])
		}
	}
	if err := b.self.Tell(b.batches); err != nil {
		return err
	}
	t.round, err = b.self.Ask(t.round[:0])
	return err
}

// fit returns the part of the round that n rewards have room for. If that is not all of it, arms
// with fewer rewards go first, so that the next plate goes on where this one ended.
func (t *trial) fit(n int) []explore.Pull {
	total := 0
	for _, p := range t.round {
		total += p.N
	}
	if total <= n {
		return t.round
	}
	slices.SortStableFunc(t.round, func(a, b explore.Pull) int {
		return t.count[a.Arm] - t.count[b.Arm]
	})
	for i := range t.round {
		p := &t.round[i]
		if p.N >= n {
			p.N = n
			return t.round[:i+1]
		}
		n -= p.N
	}
	return t.round
}
