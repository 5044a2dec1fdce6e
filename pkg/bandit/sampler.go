package bandit

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/seed"
)

// A Sampler draws rewards from a law. A Sampler has one random stream for each arm; see the package
// comment on common random numbers. A Sampler is not safe for concurrent use.
type Sampler struct {
	law   Law
	d     int
	pcg   []rand.PCG
	rnd   []rand.Rand
	scene scene
	one   []float64 // scratch: one reward

	// If Squares is true, batches also have the sums of squares of the rewards. With Squares,
	// Sample draws rewards one by one.
	Squares bool
}

// NewSampler returns the sampler of law for seed s. Arm i draws from the stream s.Child("arm", i).
func NewSampler(law Law, s seed.Seed) *Sampler {
	k, d := law.Dims()
	smp := &Sampler{law: law, d: d, pcg: make([]rand.PCG, k), rnd: make([]rand.Rand, k), scene: newScene(law, k)}
	for i := range smp.rnd {
		smp.rnd[i] = *rand.New(&smp.pcg[i])
	}
	smp.Reset(s)
	return smp
}

// Reset restores the state of a new sampler for seed s.
func (smp *Sampler) Reset(s seed.Seed) {
	for i := range smp.pcg {
		smp.pcg[i] = *s.Child("arm", i).PCG()
	}
	for i := range smp.scene.pcg {
		smp.scene.pcg[i] = *s.Child("context", i).PCG()
	}
	smp.scene.set = false
}

// Sample appends a batch to dst for each pull, in order. Sample reuses the spare capacity of dst,
// including old sums in it, and allocates memory only if the capacity does not suffice. Sample
// panics if an arm is out of range or a number of pulls is negative. Sampler.Sample always returns
// a nil error.
func (smp *Sampler) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	if dst == nil {
		dst = make([]explore.Batch, 0, len(pulls))
	}
	var sums []float64 // sums of new batches, in one allocation
	for k, p := range pulls {
		if uint(p.Arm) >= uint(len(smp.rnd)) {
			panic(panicArm)
		}
		n := len(dst)
		if n < cap(dst) {
			dst = dst[:n+1]
		} else {
			dst = append(dst, explore.Batch{})
		}
		b := &dst[n]
		b.Pull = p
		if cap(b.Sum) < smp.d {
			if len(sums) < smp.d {
				sums = make([]float64, (len(pulls)-k)*smp.d)
			}
			b.Sum, sums = sums[:smp.d:smp.d], sums[smp.d:]
		}
		b.Sum = b.Sum[:smp.d]
		if smp.Squares {
			smp.each(b)
			continue
		}
		b.Squares = nil
		if smp.scene.set {
			smp.scene.sum(b.Sum, p.Arm, p.N, &smp.rnd[p.Arm])
		} else {
			smp.law.Sum(b.Sum, p.Arm, p.N, &smp.rnd[p.Arm])
		}
	}
	smp.scene.set = false
	return dst, nil
}

// each draws the rewards of batch b one by one, and also stores the sums of their squares.
func (smp *Sampler) each(b *explore.Batch) {
	if cap(smp.one) < smp.d {
		smp.one = make([]float64, smp.d)
	}
	if cap(b.Squares) < smp.d {
		b.Squares = make([]float64, smp.d)
	}
	b.Squares = b.Squares[:smp.d]
	clear(b.Sum)
	clear(b.Squares)
	for range b.N {
		if smp.scene.set {
			smp.scene.sum(smp.one, b.Arm, 1, &smp.rnd[b.Arm])
		} else {
			smp.law.Sum(smp.one, b.Arm, 1, &smp.rnd[b.Arm])
		}
		for c, v := range smp.one[:smp.d] {
			b.Sum[c] += v
			b.Squares[c] += v * v
		}
	}
}

// A Law is the distribution of the rewards of K arms, each a vector of d objectives. Rewards of an
// arm are independent of each other and of the rewards of all other arms. A Law is immutable, so
// several goroutines may draw from it, each with a separate generator.
//
// Methods panic if arm is not in [0, K), if dst does not have length d, or if n is negative.
type Law interface {
	// Dims returns the number of arms K and of objectives d.
	Dims() (k, d int)
	// Mean stores the mean of the rewards of an arm in dst.
	Mean(dst []float64, arm int)
	// Sum draws the sum of n rewards of an arm and stores it in dst.
	Sum(dst []float64, arm, n int, rnd *rand.Rand)
}

// The following constants are panic messages for errors in the calling code.
const (
	panicArm   = "bandit: arm out of range"
	panicDst   = "bandit: length of dst is not the number of objectives"
	panicCount = "bandit: negative number of rewards"
	panicShape = "bandit: dimension mismatch"
)

type table struct {
	k, d int
	data []float64
}

// newTable copies the matrix x, and returns an error unless all entries are in [lo, hi]. The
// argument what is the word for an entry in error messages.
func newTable(x mat.Matrix, what string, lo, hi float64, allowed string) (table, error) {
	k, d := x.Dims()
	if k == 0 || d == 0 {
		return table{}, fmt.Errorf("bandit: the table with the %s of each arm is %d x %d; expected at least 1 x "+
			"1", what, k, d)
	}
	t := table{k: k, d: d, data: make([]float64, 0, k*d)}
	for i := range k {
		for c := range d {
			v := x.At(i, c)
			if !(v >= lo && v <= hi) {
				return table{}, fmt.Errorf("bandit: the %s of arm %d, objective %d (row %d, "+
					"column %d) is %v; expected %s", what, i, c, i, c, v, allowed)
			}
			t.data = append(t.data, v)
		}
	}
	return t, nil
}

// finite is a bound for newTable that excludes only infinities and NaN.
const finite = math.MaxFloat64

// Dims returns the number of arms K and of objectives d.
func (t *table) Dims() (k, d int) { return t.k, t.d }

func (t *table) row(arm int) []float64 {
	if uint(arm) >= uint(t.k) {
		panic(panicArm)
	}
	return t.data[arm*t.d : (arm+1)*t.d]
}

// Mean stores the mean of the rewards of an arm in dst, of length d.
func (t *table) Mean(dst []float64, arm int) {
	row := t.row(arm)
	if len(dst) != len(row) {
		panic(panicDst)
	}
	copy(dst, row)
}

// check checks the arguments of Sum and returns the row of numbers for the arm.
func (t *table) check(dst []float64, arm, n int) []float64 {
	row := t.row(arm)
	if len(dst) != len(row) {
		panic(panicDst)
	}
	if n < 0 {
		panic(panicCount)
	}
	return row
}

// Exact is the distribution without noise: the sum of n rewards is n times the mean. With Exact,
// the answer shows how a policy interprets the question, because there is no noise.
type Exact struct{ table }

// NewExact returns the noiseless law with the given means, K x d. NewExact returns an error if a
// mean is not finite.
func NewExact(means mat.Matrix) (*Exact, error) {
	t, err := newTable(means, "mean", -finite, finite, "a finite number")
	if err != nil {
		return nil, err
	}
	return &Exact{t}, nil
}

// Sum stores n times the mean of an arm in dst, of length d. Sum does not use rnd, which may be nil.
func (l *Exact) Sum(dst []float64, arm, n int, rnd *rand.Rand) {
	for c, mu := range l.check(dst, arm, n) {
		dst[c] = float64(n) * mu
	}
}

// A Regret is a recorder (Settings.Recorder) that sums the regret of all pulls of a run, for any
// policy. To compute regrets, a Regret has access to the true means. Each run needs its own Regret.
type Regret struct {
	of      []float64 // regret of a single pull, by arm
	at      []int
	sums    []float64 // total regret after at[0] pulls, after at[1] pulls, and so on
	instant []float64
	total   float64
	pulls   int
}

// NewRegret returns a recorder of the Pareto regret of runs on an instance (see [pareto.Regrets]).
// The recorder stores the regret after each of the given numbers of pulls, which must be positive
// and ascending.
func NewRegret(in *Instance, at ...int) *Regret {
	return newRegret(pareto.Regrets(in.Means()), at)
}

// newRegret returns a recorder for given regrets per pull, one for each arm.
func newRegret(of []float64, at []int) *Regret {
	before := 0
	for _, t := range at {
		if t <= before {
			panic(panicTimes)
		}
		before = t
	}
	return &Regret{of: of, at: at, sums: make([]float64, 0, len(at)), instant: make([]float64, 0, len(at))}
}

const panicTimes = "bandit: the times of a Regret must be positive and ascending"

// Record implements explore.Recorder. Within a round, pulls are counted in the order of the
// batches.
func (r *Regret) Record(e explore.Event) error {
	for i := range e.Obs {
		b := &e.Obs[i]
		cost := r.of[b.Arm]
		for n := len(r.sums); n < len(r.at) && r.at[n] <= r.pulls+b.N; n++ {
			r.sums = append(r.sums, r.total+cost*float64(r.at[n]-r.pulls))
			r.instant = append(r.instant, cost)
		}
		r.total += cost * float64(b.N)
		r.pulls += b.N
	}
	return nil
}

// Total returns the regret of all pulls so far.
func (r *Regret) Total() float64 { return r.total }

// Pulls returns the number of pulls so far.
func (r *Regret) Pulls() int { return r.pulls }

// AppendSums appends the cumulative regret at each of the pull counts given to NewRegret. After the
// end of a run, the cumulative regret stays constant.
func (r *Regret) AppendSums(dst []float64) []float64 {
	dst = append(dst, r.sums...)
	for range len(r.at) - len(r.sums) {
		dst = append(dst, r.total)
	}
	return dst
}

// AppendInstant appends the instantaneous regret at each of the pull counts given to NewRegret, or
// NaN after the end of the run.
func (r *Regret) AppendInstant(dst []float64) []float64 {
	dst = append(dst, r.instant...)
	for range len(r.at) - len(r.instant) {
		dst = append(dst, math.NaN())
	}
	return dst
}
