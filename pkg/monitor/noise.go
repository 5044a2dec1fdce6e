package monitor

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// shares are s = rho/(1 + rho) for the variances rho, relative to the declared one, that noise may
// have in addition: from 2 % to a hundred times.
var shares = [...]float64{.02, .05, .1, .2, .35, .5, .7, .9, .99}

// excess returns, for each share, log of (1-s)^(k/2) exp(s ss/2), where ss is the least sum of
// squares of k results about means that the null allows.
func excess(dst []float64, k int, ss float64) []float64 {
	for i, s := range shares {
		dst = append(dst, float64(k)/2*logLeft[i]+s/2*ss)
	}
	return dst
}

// logLeft are log(1-s) of the shares.
var logLeft = func() (l [len(shares)]float64) {
	for i, s := range shares {
		l[i] = math.Log1p(-s)
	}
	return l
}()

// noise is the e-process of Noise. Each arm pays for its mean, so that arms with few results hide
// what others show; averages over those without the first 0, 1, 4 results of each arm see more.
type noise struct {
	skip []skipped
	logs []float64
}

type skipped struct {
	first int
	arm   []armSums
	k     int
	ss    float64
}

func newNoise(k int) *noise {
	p := &noise{}
	for _, first := range []int{0, 1, 4} {
		p.skip = append(p.skip, skipped{first: first, arm: make([]armSums, k)})
	}
	return p
}

func (p *noise) observe(s *sums, r *result) {
	for i := range p.skip {
		x := &p.skip[i]
		if s.arm[r.arm].k >= x.first {
			x.k++
			x.ss += x.arm[r.arm].add(r.n, r.y)
		}
	}
}

func (p *noise) look(s *sums) Finding {
	p.logs = p.logs[:0]
	for i := range p.skip {
		p.logs = excess(p.logs, p.skip[i].k, p.skip[i].ss)
	}
	f := none(Noise)
	f.LogE = logMean(p.logs)
	x := &p.skip[0]
	f.Size = math.Sqrt(x.ss / float64(max(x.k-len(s.measured), 1)))
	return f
}

// armNoise is the e-process of ArmNoise: a product over arms of factors that are 1 with a weight of
// .9. Any one arm may be the bad one, and the others cost little.
type armNoise struct {
	arm   []armSums
	log   []float64 // by arm: log of its factor
	total float64
	logs  []float64
}

func newArmNoise(k int) *armNoise {
	return &armNoise{arm: make([]armSums, k), log: make([]float64, k)}
}

func (p *armNoise) observe(_ *sums, r *result) {
	a := &p.arm[r.arm]
	a.add(r.n, r.y)
	p.logs = excess(p.logs[:0], a.k, a.ss)
	log := logAdd(math.Log(.9), math.Log(.1)+logMean(p.logs))
	p.total += log - p.log[r.arm]
	p.log[r.arm] = log
}

func (p *armNoise) look(*sums) Finding {
	f := none(ArmNoise)
	f.LogE, f.Arm = p.total, floats.MaxIdx(p.log)
	a := &p.arm[f.Arm]
	f.Size = math.Sqrt(a.ss / float64(max(a.k-1, 1)))
	return f
}

// logAdd returns log(exp(a) + exp(b)).
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	return a + math.Log1p(math.Exp(b-a))
}
