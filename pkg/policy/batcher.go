package policy

import (
	"encoding"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/snapshot"
)

// A batcher implements explore.Asynchronous for a policy that embeds it. Policies whose guarantee
// holds under any sampling rule embed a batcher.
//
// A policy that embeds a batcher still defines Ask and Tell. Learn stores results until each arm of
// the policy's first round has a reward. When the first round is complete, Learn passes all results
// to Tell and calls Ask to find out whether the run has ended. The statistics of the policy contain
// only real results, never simulated results. To choose further pulls, More simulates the results
// of pending pulls: see trial.
type batcher struct{ *batching }

// batching is the state of a batcher.
type batching struct {
	self explore.Policy
	prob *explore.Problem
	// estimate returns the estimated mean of an arm, one number per objective.
	estimate func(arm int) []float64
	// squares stores in dst the mean of the squared rewards of an arm, one number per objective,
	// and reports whether this mean is known. If the policy does not use squared rewards, the field
	// squares is nil.
	squares func(dst []float64, arm int) bool
	rnd     *rand.Rand // random numbers for the choices of the policy
	src     source     // the source of rnd

	learning bool // whether Learn or More was called
	started  bool // each arm of the first round has a reward
	over     bool
	start    []explore.Pull // the first round of the policy
	next     []explore.Pull // the next round of the policy if nothing is pending
	total    int            // number of rewards learned

	held    []explore.Batch // by arm: results learned before the first round was complete
	count   []int           // by arm: number of rewards learned
	batches []explore.Batch // results passed to Tell, by arm
	sums    []float64       // k x d: storage for sums in batches
	sqs     []float64       // k x d: storage for squares in batches
	trial   trial
}

// init prepares a run of the policy self on prob. The argument src is nil for a policy without
// random choices.
func (b *batcher) init(self explore.Policy, prob *explore.Problem, src rand.Source, estimate func(arm int) []float64) {
	b.batching = &batching{self: self, prob: prob, estimate: estimate}
	if b.src.own = src; src == nil {
		b.src.own = rand.NewPCG(0, 0)
	}
	b.rnd = rand.New(&b.src)
}

// prepare allocates the state when Learn or More is called for the first time.
func (b *batching) prepare() error {
	if b.learning {
		return nil
	}
	if p, ok := b.self.(interface{ batchable() error }); ok {
		if err := p.batchable(); err != nil {
			return err
		}
	}
	b.learning = true
	k, d := b.prob.K(), b.prob.D()
	b.count = make([]int, k)
	b.held, b.batches = make([]explore.Batch, k), make([]explore.Batch, 0, k)
	b.sums, b.sqs = make([]float64, k*d), make([]float64, k*d)
	for i := range b.held {
		b.held[i] = explore.Batch{Pull: explore.Pull{Arm: i}, Sum: make([]float64, d)}
	}
	b.trial.init(b)
	var err error
	b.start, err = b.self.Ask(nil)
	b.over = len(b.start) == 0
	return err
}

// Learn implements explore.Asynchronous.
func (b *batcher) Learn(obs []explore.Batch) error {
	if err := b.prepare(); err != nil || b.over {
		return err
	}
	for i := range obs {
		b.count[obs[i].Arm] += obs[i].N
		b.total += obs[i].N
	}
	if b.started {
		b.sumByArm(obs)
	} else if !b.completeStart(obs) {
		return nil
	}
	if len(b.batches) == 0 {
		return nil
	}
	if err := b.self.Tell(b.batches); err != nil {
		return err
	}
	var err error
	b.next, err = b.self.Ask(b.next[:0])
	b.over = err == nil && len(b.next) == 0
	return err
}

// sumByArm sets batches to the sums of the results obs for each arm, in the order of the arms. The
// result does not depend on the order of results within obs.
func (b *batching) sumByArm(obs []explore.Batch) {
	b.batches = b.batches[:0]
	for i := range obs {
		if obs[i].N > 0 {
			add(b.tell(obs[i].Arm), &obs[i])
		}
	}
}

// tell returns the entry of an arm in batches; if the arm has no entry, tell inserts an empty entry.
func (b *batching) tell(arm int) *explore.Batch {
	at, there := slices.BinarySearchFunc(b.batches, arm, func(t explore.Batch, arm int) int { return t.Arm - arm })
	if !there {
		d := b.prob.D()
		sum := b.sums[arm*d:][:d]
		clear(sum)
		b.batches = slices.Insert(b.batches, at, explore.Batch{Pull: explore.Pull{Arm: arm}, Sum: sum,
			Squares: b.sqs[arm*d:][:0:d]})
	}
	return &b.batches[at]
}

// completeStart stores obs, and reports whether each arm of the first round has a reward. If so,
// completeStart sets batches to all stored results, starting with the arms of the first round in
// order.
func (b *batching) completeStart(obs []explore.Batch) (complete bool) {
	for i := range obs {
		add(&b.held[obs[i].Arm], &obs[i])
	}
	for _, p := range b.start {
		if b.held[p.Arm].N == 0 {
			return false
		}
	}
	b.batches = b.batches[:0]
	starts := make([]bool, len(b.held))
	for _, p := range b.start {
		starts[p.Arm] = true
		b.batches = append(b.batches, b.held[p.Arm])
	}
	for i, o := range b.held {
		if o.N > 0 && !starts[i] {
			b.batches = append(b.batches, o)
		}
	}
	b.started, b.held = true, nil
	return true
}

// creditUnplanned corrects played, the sum over all pulls of the proportions at the time of the
// pull. The policy has added the weights of its planned pulls; creditUnplanned adds the weights of
// other learned rewards, and subtracts the weights of rewards that are missing.
func (b *batching) creditUnplanned(played, weights []float64, learned int, planned []explore.Pull) {
	if !b.learning {
		return
	}
	for _, p := range planned {
		learned -= p.N
	}
	if learned != 0 {
		floats.AddScaled(played, float64(learned), weights)
	}
}

// add adds the rewards of the batch o to another batch. The sum of squares stays known if both
// batches have squares; a single reward always determines its square.
func add(to, o *explore.Batch) {
	switch {
	case o.Squares == nil && o.N > 1:
		to.Squares = nil
	case to.N == 0:
		to.Squares = to.Squares[:0]
		for c := range o.Sum {
			to.Squares = append(to.Squares, o.Square(c))
		}
	case to.Squares != nil:
		for c := range o.Sum {
			to.Squares[c] += o.Square(c)
		}
	}
	to.N += o.N
	for c, v := range o.Sum {
		to.Sum[c] += v
	}
}

// More implements explore.Asynchronous.
func (b *batcher) More(dst []explore.Pull, n int, pending []explore.Pull) ([]explore.Pull, error) {
	if err := b.prepare(); err != nil || b.over || n < 1 {
		return dst, err
	}
	t := &b.trial
	copy(t.count, b.count)
	awaited := 0
	for _, p := range pending {
		t.count[p.Arm] += p.N
		awaited += p.N
	}
	if !b.started {
		return b.fillStart(dst, n), nil
	}
	defer t.end()
	t.round = append(t.round[:0], b.next...)
	if awaited > 0 {
		if err := t.imagine(pending, awaited); err != nil {
			return dst, err
		}
	}
	for len(t.round) > 0 {
		asked := t.fit(n)
		for _, p := range asked {
			t.count[p.Arm] += p.N
			n -= p.N
		}
		dst = append(dst, asked...)
		if n == 0 {
			break
		}
		if err := t.imagine(asked, awaited); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// fillStart appends n pulls of the arms of the first round. Arms with the fewest rewards come
// first, because an even allocation is best as long as there are no estimates.
func (b *batching) fillStart(dst []explore.Pull, n int) []explore.Pull {
	count := b.trial.count
	for range n {
		arm := b.start[0].Arm
		for _, p := range b.start {
			if count[p.Arm] < count[arm] {
				arm = p.Arm
			}
		}
		count[arm]++
		dst = append(dst, explore.Pull{Arm: arm, N: 1})
	}
	return dst
}

// A source is a random source that can be replaced temporarily by a trial. Because trials use a
// separate source, a run with More and Learn makes the same random choices as a run with Ask and
// Tell.
type source struct{ own, trial rand.Source }

// Uint64 implements rand.Source.
func (s *source) Uint64() uint64 {
	if s.trial != nil {
		return s.trial.Uint64()
	}
	return s.own.Uint64()
}

// seed returns a number derived from the state of the source, or 0 if this state is not accessible.
func (s *source) seed() uint64 {
	m, ok := s.own.(encoding.BinaryMarshaler)
	if !ok {
		return 0
	}
	state, err := m.MarshalBinary()
	if err != nil {
		return 0
	}
	hash := fnv.New64a()
	hash.Write(state)
	return hash.Sum64()
}

// A trial simulates rounds of a policy, to choose pulls in addition to those that are pending. In
// each simulated round, a trial passes the estimated means to Tell as results of pending pulls, and
// then calls Ask. A trial changes the policy's counts but not its estimates. At the end, a trial
// restores the state of the policy from a snapshot. Policies need no additional code to support
// trials.
type trial struct {
	b       *batching
	seed    uint64 // for random choices
	running bool
	before  snapshot.Snapshot
	means   []float64 // k x d: estimated means at the beginning of the trial
	squares []float64 // k x d: estimated means of squares
	square  []bool    // by arm: whether squares are known

	count []int          // by arm: number of rewards learned, pending or chosen
	round []explore.Pull // the current simulated round
}

// A designer is a policy that computes an optimal design from time to time. During a trial, a
// designer keeps its current design.
type designer interface{ keepDesign() }

func (t *trial) init(b *batching) {
	k, d := b.prob.K(), b.prob.D()
	*t = trial{b: b, seed: b.src.seed(), count: make([]int, k), means: make([]float64, k*d),
		squares: make([]float64, k*d), square: make([]bool, k)}
	t.before.Except = []reflect.Type{reflect.TypeOf(b), reflect.TypeOf(b.prob)}
}

// begin takes a snapshot of the policy and starts the trial. Random choices in the trial depend
// only on the trial's seed and on the number of rewards that are learned or pending.
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

// end restores the state of the policy before the trial. If no trial is running, end does nothing.
func (t *trial) end() {
	if t.running {
		t.before.Restore()
		t.running, t.b.src.trial = false, nil
	}
}

// imagine passes the estimated means to the policy as results of the given pulls, and requests the
// policy's next round.
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

// fit returns those pulls of the simulated round that fit into n rewards. If not all pulls fit,
// arms with fewer rewards come first; the next plate continues with the remaining arms.
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
