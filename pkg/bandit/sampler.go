package bandit

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// A Sampler draws rewards from a law. It has one random stream an arm; see the
// package comment on common random numbers. A Sampler is not safe for
// concurrent use.
type Sampler struct {
	law   Law
	d     int
	pcg   []rand.PCG
	rnd   []rand.Rand
	scene scene
	one   []float64 // scratch: one reward

	// Squares says that batches come with the sums of the squares of their rewards. Rewards are
	// then drawn one by one.
	Squares bool
}

var _ explore.ContextSampler = (*Sampler)(nil)

// NewSampler returns the sampler of law for seed s. Arm i draws from the stream
// s.Child("arm", i).
func NewSampler(law Law, s seed.Seed) *Sampler {
	k, d := law.Dims()
	smp := &Sampler{law: law, d: d, pcg: make([]rand.PCG, k), rnd: make([]rand.Rand, k),
		scene: newScene(law, k)}
	for i := range smp.rnd {
		smp.rnd[i] = *rand.New(&smp.pcg[i])
	}
	smp.Reset(s)
	return smp
}

// Reset puts the sampler where NewSampler with seed s would put it.
func (smp *Sampler) Reset(s seed.Seed) {
	for i := range smp.pcg {
		smp.pcg[i] = *s.Child("arm", i).PCG()
	}
	for i := range smp.scene.pcg {
		smp.scene.pcg[i] = *s.Child("context", i).PCG()
	}
	smp.scene.set = false
}

// Sample appends one batch a pull to dst, in the order of pulls. It reuses the
// sums of the batches that dst has room for, and allocates nothing where there
// are enough of them. It panics if an arm is out of range or a count is
// negative; the error is always nil.
func (smp *Sampler) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	if dst == nil {
		dst = make([]explore.Batch, 0, len(pulls))
	}
	var sums []float64 // of the batches that come new, in one piece
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

// each draws the rewards of b one by one, with their squares.
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
