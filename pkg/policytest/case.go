package policytest

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// A Case is a problem with its truth.
type Case struct {
	Name    string
	Problem *explore.Problem
	// Means is the truth about the arms, K x d.
	Means *mat.Dense
	// ItemMeans is the truth about the items, M x d. Nil means that the items
	// are the arms.
	ItemMeans *mat.Dense
	// Sampler returns a simulator of the truth. Nil means independent Gaussian
	// rewards of standard deviation Problem.Sigma.
	Sampler func(s seed.Seed) explore.Sampler
	// Schedule, if not nil, is told the pulls asked for in each round (from 1)
	// and the pulls of each arm before it, and returns an error if they are not
	// what the algorithm should ask for.
	Schedule func(round int, before []int, pulls []explore.Pull) error
	// Budget, if positive, is the number of pulls that the policy must not
	// exceed: for policies with a fixed budget.
	Budget int
	// UnitDependent says that the algorithm compares quantities of different
	// units by design, so that its pulls may depend on the units of the
	// objectives; its answers must not.
	UnitDependent bool
	// Inexact says that the algorithm computes designs or solves programs, to a
	// tolerance, so that pulls may depend on the order of the arms in their last
	// digits; answers must not.
	Inexact bool
	// Solves says that the algorithm computes designs or solves programs in
	// some of its rounds, for which it may allocate. Where it is false, rounds
	// must not allocate, once memory has grown.
	Solves bool
	// Rigid says that settings of the policy name arms or amounts, so that the
	// case must be played as it is.
	Rigid bool
	// MaxPulls, if positive, limits each run of the suite. A noise-free run
	// must stop within it.
	MaxPulls int
}

// truth returns the means of the items.
func (c *Case) truth() *mat.Dense {
	if c.ItemMeans != nil {
		return c.ItemMeans
	}
	return c.Means
}

// sampler returns the simulator of c for seed s.
func (c *Case) sampler(s seed.Seed) explore.Sampler {
	if c.Sampler != nil {
		return c.Sampler(s)
	}
	return newGaussian(c.Means, c.Problem.Sigma, s)
}

// gaussian draws sums of independent Gaussian rewards, one stream an arm.
type gaussian struct {
	mu    *mat.Dense
	sigma float64
	rnd   []*rand.Rand
}

func newGaussian(mu *mat.Dense, sigma float64, s seed.Seed) *gaussian {
	k, _ := mu.Dims()
	g := &gaussian{mu, sigma, make([]*rand.Rand, k)}
	for i := range g.rnd {
		g.rnd[i] = rand.New(s.Child("arm", i).Source())
	}
	return g
}

func (g *gaussian) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	for _, p := range pulls {
		b := grow(&dst, p, g.mu)
		n := float64(p.N)
		for c, m := range g.mu.RawRowView(p.Arm) {
			b.Sum[c] = n*m + math.Sqrt(n)*g.sigma*g.rnd[p.Arm].NormFloat64()
		}
	}
	return dst, nil
}

// exact is the noiseless sampler.
type exact struct{ mu *mat.Dense }

func (e exact) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	for _, p := range pulls {
		b := grow(&dst, p, e.mu)
		for c, m := range e.mu.RawRowView(p.Arm) {
			b.Sum[c] = float64(p.N) * m
		}
	}
	return dst, nil
}

// grow appends a batch for p to dst, reusing memory beyond its end.
func grow(dst *[]explore.Batch, p explore.Pull, mu *mat.Dense) *explore.Batch {
	_, d := mu.Dims()
	s := *dst
	if len(s) < cap(s) {
		s = s[:len(s)+1]
	} else {
		s = append(s, explore.Batch{})
	}
	b := &s[len(s)-1]
	b.Pull = p
	if cap(b.Sum) < d {
		b.Sum = make([]float64, d)
	}
	b.Sum = b.Sum[:d]
	*dst = s
	return b
}

// moved is the sampler of a problem whose objectives are scale x + shift and
// whose arm i is arm from[i] of the original.
type moved struct {
	s     explore.Sampler
	scale float64
	shift []float64
	from  []int
	pulls []explore.Pull
}

func (m *moved) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	m.pulls = append(m.pulls[:0], pulls...)
	for i := range m.pulls {
		m.pulls[i].Arm = m.from[m.pulls[i].Arm]
	}
	before := len(dst)
	dst, err := m.s.Sample(dst, m.pulls)
	if err != nil {
		return dst, err
	}
	for i := range dst[before:] {
		b := &dst[before+i]
		b.Arm = pulls[i].Arm
		for c := range b.Sum {
			b.Sum[c] = m.scale*b.Sum[c] + float64(b.N)*m.shift[c]
		}
	}
	return dst, nil
}

// move returns the case whose objectives are scale x + shift and whose arm i is
// arm from[i] of c, with its features; ok is false if the question cannot
// follow, or if a shift would not be linear in the features. Items that are not
// arms stay as they are.
func (c *Case) move(scale float64, shift []float64, from []int) (m *Case, ok bool) {
	p := *c.Problem
	if c.Rigid {
		return nil, false
	}
	for _, v := range shift {
		if v != 0 && p.X != nil {
			return nil, false
		}
	}
	if q, can := p.Question.(explore.Mover); can {
		p.Question = q.Move(scale, shift)
	}
	if p.X != nil {
		_, h := p.X.Dims()
		p.X = mat.NewDense(len(from), h, nil)
		for i, f := range from {
			p.X.SetRow(i, c.Problem.X.RawRowView(f))
		}
	} else {
		p.Arms = len(from)
	}
	p.Sigma, p.NormSigma = p.Sigma*scale, p.NormSigma*scale
	p.ArmNames = nil
	if p.Z == nil {
		p.ItemNames = nil
	}
	affine := func(mu *mat.Dense, from []int) *mat.Dense {
		_, d := mu.Dims()
		r := mat.NewDense(len(from), d, nil)
		for i, f := range from {
			for j := range d {
				r.Set(i, j, scale*mu.At(f, j)+shift[j])
			}
		}
		return r
	}
	m = &Case{
		Name: c.Name, Problem: &p, Means: affine(c.Means, from), MaxPulls: c.MaxPulls,
		Sampler: func(s seed.Seed) explore.Sampler {
			return &moved{s: c.sampler(s), scale: scale, shift: shift, from: from}
		},
	}
	if c.ItemMeans != nil {
		m.ItemMeans = affine(c.ItemMeans, identity(p.M()))
	}
	return m, true
}

// transform returns the case in other coordinates of the features: x -> x T for a
// regular matrix T.
func (c *Case) transform(t *mat.Dense) *Case {
	m, p := *c, *c.Problem
	for _, x := range []**mat.Dense{&p.X, &p.Z} {
		if *x != nil {
			var y mat.Dense
			y.Mul(*x, t)
			*x = &y
		}
	}
	m.Problem = &p
	return &m
}

// identity returns 0, ..., k-1.
func identity(k int) []int {
	from := make([]int, k)
	for i := range from {
		from[i] = i
	}
	return from
}
