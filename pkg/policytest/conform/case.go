package conform

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
)

// A Case is an instance, together with properties of the algorithm on this instance that the suite
// must know.
type Case struct {
	bandit.Instance
	// If Schedule is not nil, the suite calls it with the pulls requested in each round (from 1)
	// and the number of previous pulls of each arm. Schedule must return an error if the requested
	// pulls are not the pulls that the algorithm prescribes.
	Schedule func(round int, before []int, pulls []explore.Pull) error
	// For policies with a fixed budget, Budget is the number of pulls that the policy must not
	// exceed; zero means no limit.
	Budget int
	// Delta is the error probability that the policy guarantees; zero means 0.1.
	Delta float64
	// If UnitDependent is true, the algorithm compares quantities of different units by design. The
	// algorithm's pulls may then depend on the units of the objectives, but its answers must not.
	UnitDependent bool
	// If Inexact is true, the algorithm computes designs or solves programs to a tolerance, or arms
	// are exactly tied. The algorithm's pulls may then depend on the order of the arms, but its
	// answers must not.
	Inexact bool
	// If Solves is true, the algorithm computes designs or solves programs in some rounds, and may
	// allocate memory in these rounds. If Solves is false, rounds must not allocate memory after
	// the first rounds.
	Solves bool
	// If Rigid is true, settings of the policy contain arms or amounts, so the suite must not
	// transform the case.
	Rigid bool
	// If MaxPulls is positive, it limits each run of the suite. Runs without noise must stop within
	// MaxPulls.
	MaxPulls int

	// If simulate is not nil, it replaces the simulator of the instance.
	simulate func(s seed.Seed) explore.Sampler
}

// Gaussian returns an instance with independent Gaussian rewards of standard deviation p.Sigma. The
// matrix of means is K x d, one arm per row. Gaussian panics if a mean is not finite.
func Gaussian(name string, p *explore.Problem, means mat.Matrix) bandit.Instance {
	_, d := means.Dims()
	variances := make([]float64, d)
	for c := range variances {
		variances[c] = p.Sigma * p.Sigma
	}
	law, err := bandit.NewGaussian(means, mat.NewDiagDense(d, variances))
	if err != nil {
		panic(err)
	}
	return bandit.Instance{Name: name, Problem: p, Law: law}
}

func (c *Case) sampler(s seed.Seed) explore.Sampler {
	if c.simulate != nil {
		return c.simulate(s)
	}
	return c.Sampler(s)
}

// Exact returns a simulator of c without noise.
func (c *Case) Exact() explore.Sampler {
	law, err := bandit.NewExact(c.Means())
	if err != nil {
		panic(err)
	}
	return bandit.NewSampler(law, seed.New(0))
}

// moved is the sampler for a case that move derives: objectives are multiplied by scale and then
// increased by shift, and arm i is arm from[i] of the original case.
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

// move derives a case from c. Objectives are multiplied by scale and then increased by shift, and
// arm i has the rewards and features of arm from[i] of c. If items are not arms, the items stay the
// same. The result ok is false if the question does not support the change, or if means would no
// longer be linear in the features.
func (c *Case) move(scale float64, shift []float64, from []int) (m *Case, ok bool) {
	p := *c.Problem
	// If rewards are not Gaussian, their unit is fixed.
	if c.Rigid || p.Link != explore.Identity && scale != 1 {
		return nil, false
	}
	for _, v := range shift {
		if v != 0 && p.X != nil {
			return nil, false
		}
	}
	if q, can := p.Question.(explore.Rescaler); can {
		p.Question = q.Rescale(scale, shift)
	}
	if p.X != nil {
		p.X = permuted(p.X, from)
	} else {
		p.Arms = len(from)
	}
	if p.Known != nil {
		p.Known = mat.NewDense(len(from), p.D(), nil)
		for i, f := range from {
			for j := range p.D() {
				p.Known.Set(i, j, scale*c.Problem.Known.At(f, j)+shift[j])
			}
		}
	}
	rescale(&p, scale)
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
	m = &Case{Instance: Gaussian(c.Name, &p, affine(c.Means(), from)), MaxPulls: c.MaxPulls}
	m.simulate = func(s seed.Seed) explore.Sampler {
		return &moved{s: c.sampler(s), scale: scale, shift: shift, from: from}
	}
	if c.ItemMeans != nil {
		of := from // linear predictors of the arms
		if c.Problem.Z != nil {
			of = identity(p.M())
		}
		m.ItemMeans = affine(c.ItemMeans, of)
	}
	return m, true
}

// rescale multiplies the scales of the noise of p by a factor.
func rescale(p *explore.Problem, by float64) {
	p.Sigma, p.NormSigma = by*p.Sigma, by*p.NormSigma
	if p.Sigmas != nil {
		p.Sigmas = floats.ScaleTo(make([]float64, len(p.Sigmas)), by, p.Sigmas)
	}
}

// transform returns the case with features in other coordinates: x -> x T for a regular matrix T.
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

func identity(k int) []int {
	from := make([]int, k)
	for i := range from {
		from[i] = i
	}
	return from
}

// Standard returns cases for an unknown policy: for each question, an easy case for the checks of
// rules and a case with tight gaps for error rates. The name of a case identifies its question.
func Standard() (easy, tight []Case) {
	box, err := polyhedron.AtLeast([]float64{0, 0}, nil)
	if err != nil {
		panic(err)
	}
	add := func(list *[]Case, name string, q explore.Question, sigma float64, x *mat.Dense, rows ...[]float64) {
		means := mat.NewDense(len(rows), len(rows[0]), nil)
		for i, row := range rows {
			means.SetRow(i, row)
		}
		p := &explore.Problem{
			Arms: len(rows), Objectives: len(rows[0]), Sigma: sigma, NormSigma: sigma, Question: q, X: x}
		*list = append(*list, Case{Instance: Gaussian(name, p, means), MaxPulls: 200_000,
			Inexact: true, Solves: true, UnitDependent: true})
	}
	type r = []float64
	add(&easy, "best item", question.Best{}, .5, nil, r{1}, r{.2}, r{-.4}, r{.3})
	add(&easy, "best item with features", question.Best{}, .5, mat.NewDense(4, 2, r{1, 0, 0, 1, .8, .6, -1, 0}), r{1},
		r{-.2}, r{.68}, r{-1})
	add(&easy, "all epsilon-best", question.AllEpsilonBest{Epsilon: .5}, .5, nil, r{1}, r{.9}, r{-.2}, r{-.4})
	add(&easy, "Pareto set", question.Pareto{}, .5, nil, r{1, 0}, r{0, 1}, r{-.5, -.4}, r{.3, -1})
	add(&easy, "feasible Pareto set", question.FeasiblePareto{Region: box}, .5, nil, r{2, 1}, r{1, 2}, r{.5, .6},
		r{3, -1})
	add(&tight, "best item", question.Best{}, 1, nil, r{.2}, r{0}, r{0}, r{0}, r{-.1})
	add(&tight, "best item with features", question.Best{}, 1, mat.NewDense(3, 2, r{1, 0, 0, 1, .9, .1}), r{1}, r{.5},
		r{.95})
	add(&tight, "all epsilon-best", question.AllEpsilonBest{Epsilon: .5}, 1, nil, r{1}, r{.7}, r{.3}, r{.3})
	add(&tight, "Pareto set", question.Pareto{}, 1, nil, r{.2, 0}, r{0, .2}, r{-.1, 0}, r{0, -.1})
	add(&tight, "feasible Pareto set", question.FeasiblePareto{Region: box}, 1, nil, r{1.2, .2}, r{1, .4}, r{.8, .2},
		r{2, -.2})
	return easy, tight
}
