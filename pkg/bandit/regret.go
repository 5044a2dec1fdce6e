package bandit

import (
	"math"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
)

// A Regret adds up what the pulls of a run cost, for any policy: it is a recorder
// (Settings.Recorder) that knows the truth. A run has one of its own.
type Regret struct {
	of      []float64 // of a pull, by arm
	at      []int
	sums    []float64 // at the times of at that have come
	instant []float64
	total   float64
	pulls   int
}

var _ explore.Recorder = (*Regret)(nil)

// NewRegret returns the recorder of the Pareto regret of runs on in (see
// [pareto.Regrets]), noted after each number of pulls in at, which must be positive
// and ascending.
func NewRegret(in *Instance, at ...int) *Regret {
	return newRegret(pareto.Regrets(in.Means()), at)
}

// newRegret is NewRegret where of says what a pull of each arm costs, K numbers.
func newRegret(of []float64, at []int) *Regret {
	before := 0
	for _, t := range at {
		if t <= before {
			panic(panicTimes)
		}
		before = t
	}
	return &Regret{of: of, at: at, sums: make([]float64, 0, len(at)),
		instant: make([]float64, 0, len(at))}
}

const panicTimes = "bandit: times of a regret are not positive and ascending"

// Record implements explore.Recorder. The pulls of a round count in the order of
// its batches.
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

// AppendSums appends the regret of all pulls up to each of the times. A run that
// ended before has its total: nothing is pulled afterwards.
func (r *Regret) AppendSums(dst []float64) []float64 {
	dst = append(dst, r.sums...)
	for range len(r.at) - len(r.sums) {
		dst = append(dst, r.total)
	}
	return dst
}

// AppendInstant appends the regret of the single pull at each of the times, NaN if
// the run ended before.
func (r *Regret) AppendInstant(dst []float64) []float64 {
	dst = append(dst, r.instant...)
	for range len(r.at) - len(r.instant) {
		dst = append(dst, math.NaN())
	}
	return dst
}
