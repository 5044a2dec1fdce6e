package policy

import (
	"encoding"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
)

// A follower is a policy that can be copied, and that knows what it expects of a measurement.
type follower interface {
	explore.Policy
	// follow makes the policy a copy of from, which is of the same type, settings included, that
	// shares nothing that a Tell changes. Random choices are those of from.stream.
	follow(from follower)
	// expected stores the estimated mean of an arm in dst, one number an objective.
	expected(dst []float64, arm int)
}

// A squarer is a follower that also knows what it expects of the squares of a measurement.
type squarer interface {
	// squares stores the mean of the squares of the rewards of an arm in dst, one number an
	// objective, and reports whether there is one.
	squares(dst []float64, arm int) bool
}

// An opening makes a policy an explore.Open: what every policy has whose evidence is any sampling.
//
// Ask and Tell stay the policy's rules. Learn is Tell, once there is a reward of every arm that
// the policy starts with, followed by an Ask that finds out whether it has stopped; so that all
// that is remembered comes from measurements. More makes a copy of the policy, tells the copy
// that pending pulls had the means that are expected, so that counts change and estimates do not,
// and asks the copy, round after round. Nothing that was imagined gets out of the copy.
type opening struct{ *opened }

// opened is the state of an opening.
type opened struct {
	self, shadow follower
	prob         *explore.Problem
	src          rand.Source

	learning bool // Learn or More was called
	started  bool // there is a reward of each arm of the start
	over     bool
	start    []explore.Pull // the first round of the policy
	next     []explore.Pull // the next round if nothing is pending
	seed     uint64
	stream   *rand.Rand // for the random choices of the shadow
	total    int

	held     []explore.Batch // by arm: what was learned before the start was complete
	count    []int           // by arm: learned
	imagined []int           // by arm: learned, pending or chosen
	told     []explore.Batch // scratch
	sums     []float64       // scratch
	squares  []float64       // scratch
	round    []explore.Pull  // scratch
	asked    []explore.Pull  // scratch
}

// opens begins a run of the policy self; src is what feeds its random choices.
func (o *opening) opens(self follower, prob *explore.Problem, src rand.Source) {
	o.opened = &opened{self: self, prob: prob, src: src}
}

// listen begins a run that learns.
func (o *opening) listen() error {
	if o.learning {
		return nil
	}
	if c, ok := o.self.(interface{ closed() error }); ok {
		if err := c.closed(); err != nil {
			return err
		}
	}
	o.learning = true
	k, d := o.prob.K(), o.prob.D()
	o.count, o.imagined = make([]int, k), make([]int, k)
	o.held, o.told = make([]explore.Batch, k), make([]explore.Batch, 0, k)
	o.sums, o.squares = make([]float64, k*d), make([]float64, k*d)
	for i := range o.held {
		o.held[i] = explore.Batch{Pull: explore.Pull{Arm: i}, Sum: make([]float64, d)}
	}
	// The stream of the policy stays as it is: a run by More and Learn is that by Ask and Tell.
	if m, ok := o.src.(encoding.BinaryMarshaler); ok {
		if state, err := m.MarshalBinary(); err == nil {
			hash := fnv.New64a()
			hash.Write(state)
			o.seed = hash.Sum64()
		}
	}
	var err error
	o.start, err = o.self.Ask(nil)
	o.over = len(o.start) == 0
	return err
}

// Learn implements explore.Open.
func (o *opening) Learn(obs []explore.Batch) error {
	if err := o.listen(); err != nil || o.over {
		return err
	}
	for b := range obs {
		o.count[obs[b].Arm] += obs[b].N
		o.total += obs[b].N
	}
	if o.started {
		o.gather(obs)
	} else if !o.hold(obs) {
		return nil
	}
	if len(o.told) == 0 {
		return nil
	}
	if err := o.self.Tell(o.told); err != nil {
		return err
	}
	var err error
	o.next, err = o.self.Ask(o.next[:0])
	o.over = err == nil && len(o.next) == 0
	return err
}

// gather sets told to obs, added up by arm, in the order of the arms: how rewards arrived within
// obs makes no difference.
func (o *opening) gather(obs []explore.Batch) {
	d := o.prob.D()
	o.told = o.told[:0]
	for b := range obs {
		if obs[b].N > 0 {
			at, there := slices.BinarySearchFunc(o.told, obs[b].Arm,
				func(t explore.Batch, arm int) int { return t.Arm - arm })
			if !there {
				sum := o.sums[obs[b].Arm*d:][:d]
				clear(sum)
				o.told = slices.Insert(o.told, at,
					explore.Batch{Pull: explore.Pull{Arm: obs[b].Arm}, Sum: sum,
						Squares: o.squares[obs[b].Arm*d:][:0:d]})
			}
			add(&o.told[at], &obs[b])
		}
	}
}

// hold keeps obs until there is a reward of each arm of the start. Then it sets told to all that
// was held: the start first, in its order.
func (o *opening) hold(obs []explore.Batch) (complete bool) {
	for b := range obs {
		add(&o.held[obs[b].Arm], &obs[b])
	}
	for _, p := range o.start {
		if o.held[p.Arm].N == 0 {
			return false
		}
	}
	o.told = o.told[:0]
	for _, p := range o.start {
		o.told = append(o.told, o.held[p.Arm])
	}
	for i, b := range o.held {
		if b.N > 0 && !slices.ContainsFunc(o.start, func(p explore.Pull) bool {
			return p.Arm == i
		}) {
			o.told = append(o.told, b)
		}
	}
	o.started, o.held = true, nil
	return true
}

// catchUp corrects the sum played of proportions, which is ahead by the pulls planned, if others
// were learned.
func (o *opened) catchUp(played, weights []float64, learned int, planned []explore.Pull) {
	if !o.learning {
		return
	}
	for _, p := range planned {
		learned -= p.N
	}
	if learned != 0 {
		floats.AddScaled(played, float64(learned), weights)
	}
}

// add adds the rewards of b to those of to, with their squares if these are known of all of them:
// that of a single reward is.
func add(to, b *explore.Batch) {
	switch {
	case b.Squares == nil && b.N > 1:
		to.Squares = nil
	case to.N == 0:
		to.Squares = to.Squares[:0]
		for c := range b.Sum {
			to.Squares = append(to.Squares, b.Square(c))
		}
	case to.Squares != nil:
		for c := range b.Sum {
			to.Squares[c] += b.Square(c)
		}
	}
	to.N += b.N
	for c, v := range b.Sum {
		to.Sum[c] += v
	}
}

// More implements explore.Open.
func (o *opening) More(dst []explore.Pull, n int, pending []explore.Pull) ([]explore.Pull, error) {
	if err := o.listen(); err != nil || o.over || n < 1 {
		return dst, err
	}
	copy(o.imagined, o.count)
	awaited := 0
	for _, p := range pending {
		o.imagined[p.Arm] += p.N
		awaited += p.N
	}
	if !o.started {
		return o.begin(dst, n), nil
	}
	o.round = append(o.round[:0], o.next...)
	fresh := awaited == 0
	if !fresh {
		o.mirror(awaited)
		if err := o.imagine(pending); err != nil {
			return dst, err
		}
	}
	for len(o.round) > 0 {
		o.asked = o.fit(o.round, n)
		for _, p := range o.asked {
			o.imagined[p.Arm] += p.N
			n -= p.N
		}
		dst = append(dst, o.asked...)
		if n == 0 {
			break
		}
		if fresh {
			o.mirror(0)
			fresh = false
		}
		if err := o.imagine(o.asked); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// begin appends n pulls of the arms of the start, those with the fewest rewards first. Before
// there is an estimate no other choice is better than an even one.
func (o *opening) begin(dst []explore.Pull, n int) []explore.Pull {
	for range n {
		arm := o.start[0].Arm
		for _, p := range o.start {
			if o.imagined[p.Arm] < o.imagined[arm] {
				arm = p.Arm
			}
		}
		o.imagined[arm]++
		dst = append(dst, explore.Pull{Arm: arm, N: 1})
	}
	return dst
}

// mirror makes the shadow a copy of the policy. Its random choices depend on the number of rewards
// that were learned or are awaited.
func (o *opening) mirror(awaited int) {
	if o.shadow == nil {
		o.shadow = reflect.New(reflect.TypeOf(o.self).Elem()).Interface().(follower)
	}
	o.stream = rand.New(rand.NewPCG(o.seed, uint64(o.total+awaited)))
	o.shadow.follow(o.self)
}

// imagine tells the shadow that pulls gave what is expected, and asks for its next round.
func (o *opening) imagine(pulls []explore.Pull) (err error) {
	d := o.prob.D()
	o.told = o.told[:0]
	for _, p := range pulls {
		at, there := slices.BinarySearchFunc(o.told, p.Arm,
			func(t explore.Batch, arm int) int { return t.Arm - arm })
		if !there {
			o.told = slices.Insert(o.told, at,
				explore.Batch{Pull: explore.Pull{Arm: p.Arm}, Sum: o.sums[p.Arm*d:][:d]})
		}
		o.told[at].N += p.N
	}
	for b := range o.told {
		t := &o.told[b]
		o.self.expected(t.Sum, t.Arm)
		floats.Scale(float64(t.N), t.Sum)
		t.Squares = nil
		if s, ok := o.self.(squarer); ok && s.squares(o.squares[t.Arm*d:][:d], t.Arm) {
			t.Squares = o.squares[t.Arm*d:][:d]
			floats.Scale(float64(t.N), t.Squares)
		}
	}
	if err := o.shadow.Tell(o.told); err != nil {
		return err
	}
	o.round, err = o.shadow.Ask(o.round[:0])
	return err
}

// fit returns the part of a round that n rewards have room for. If that is not all of it, arms
// with fewer rewards go first, so that the next plate goes on where this one ended.
func (o *opening) fit(round []explore.Pull, n int) []explore.Pull {
	total := 0
	for _, p := range round {
		total += p.N
	}
	if total <= n {
		return round
	}
	slices.SortStableFunc(round, func(a, b explore.Pull) int {
		return o.imagined[a.Arm] - o.imagined[b.Arm]
	})
	for i := range round {
		if round[i].N >= n {
			round[i].N = n
			return round[:i+1]
		}
		n -= round[i].N
	}
	return round
}
