package pareto

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/question"
)

// Posterior is the distribution of the means of distinct arms, for a flat prior and Gaussian
// rewards. Objectives are independent; in each objective, the means are normal with covariance
// sigma^2 P P'. Without features, P is a diagonal matrix with elements 1/sqrt(n_i), where n_i is
// the number of rewards of arm i. With features, the rows of P are the features times a root of the
// inverse information matrix.
//
// In the coordinates of the posterior, the arms of the first round are unit vectors, so P initially
// contains the features. The root P is updated in product form (Potter, 1963), so that P P' always
// stays positive semidefinite. Each reward costs O(n m) for n distinct arms of rank m.
type Posterior struct {
	Model linear.Model // Z holds the distinct arms; Z is nil without features
	D     int
	Prob  *explore.Problem
	Free  bool // whether there are no features
	Start []int

	Pulls  int
	N      []float64 // by arm: number of rewards
	Mean   []float64 // n x d
	p      []float64 // n x m
	LogDet float64   // log determinant of the information, relative to that of the first round
	u, z   []float64 // m, m x d: scratch
	step   []float64 // d
}

// Init sets the posterior to the flat prior for the problem prob. Init returns an error unless the
// question is question.Pareto about the arms.
func (m *Posterior) Init(prob *explore.Problem) error {
	if _, ok := prob.Question.(question.Pareto); !ok || prob.Z != nil {
		return arms.WrongQuestion(prob, "question.Pareto")
	}
	m.Prob, m.D, m.Free = prob, prob.D(), prob.X == nil
	if k := prob.K(); m.Free {
		all := memory.UpTo(nil, k)
		m.Model = linear.Model{K: k, Rank: k, N: k, Class: all, First: all, Sigma: prob.Sigma}
		m.Start = all
	} else {
		if err := m.Model.Features(prob); err != nil {
			return err
		}
		m.Start = nil
		for _, i := range m.Model.Span.Points() {
			m.Start = append(m.Start, m.Model.Class[i])
		}
		m.p = memory.Zeroed(m.p, m.Model.N*m.Model.Rank)
	}
	m.Pulls, m.LogDet = 0, 0
	m.N, m.Mean = memory.Zeroed(m.N, m.Model.N), memory.Zeroed(m.Mean, m.Model.N*m.D)
	m.u, m.z, m.step = memory.Zeroed(m.u, m.Model.Rank), memory.Zeroed(m.z, m.Model.Rank*m.D),
		memory.Zeroed(m.step, m.D)
	return nil
}

// Row returns the estimated means of distinct arm i.
func (m *Posterior) Row(i int) []float64 { return m.Mean[i*m.D:][:m.D] }

// Expected returns the estimated means of an arm.
func (m *Posterior) Expected(arm int) []float64 { return m.Row(m.Model.Class[arm]) }

func (m *Posterior) root(i int) []float64 { return m.p[i*m.Model.Rank:][:m.Model.Rank] }

// Tell adds rewards. The first call of Tell must include a batch of each arm of the first round.
func (m *Posterior) Tell(obs []explore.Batch) {
	first := m.Pulls == 0 && !m.Free
	if first {
		clear(m.Mean)
		for i := range m.Model.N {
			copy(m.root(i), m.Model.Item(i))
		}
		for b := range obs {
			o := &obs[b]
			c := slices.Index(m.Start, m.Model.Class[o.Arm])
			if c < 0 || !m.leads(obs, b) {
				continue
			}
			// Least squares fits the results of the first round exactly: the estimate of each
			// spanning arm is the average of its rewards.
			for i := range m.Model.N {
				floats.AddScaled(m.Row(i), m.Model.Item(i)[c]/float64(o.N), o.Sum)
				m.p[i*m.Model.Rank+c] /= math.Sqrt(float64(o.N))
			}
			m.LogDet += math.Log(float64(o.N)) // the log determinant is relative to one reward of each arm
		}
	}
	for b := range obs {
		o := &obs[b]
		i, n := m.Model.Class[o.Arm], float64(o.N)
		m.Pulls += o.N
		m.N[i] += n
		for c, v := range m.Row(i) {
			m.step[c] = o.Sum[c] - n*v
		}
		switch {
		case m.Free:
			floats.AddScaled(m.Row(i), 1/m.N[i], m.step)
		case !first || !slices.Contains(m.Start, i) || !m.leads(obs, b):
			m.update(i, n)
		}
	}
}

// leads reports whether obs[b] is the first batch in obs among the arms with the same features.
func (m *Posterior) leads(obs []explore.Batch, b int) bool {
	return !slices.ContainsFunc(obs[:b], func(o explore.Batch) bool {
		return m.Model.Class[o.Arm] == m.Model.Class[obs[b].Arm]
	})
}

// update adds n rewards of arm i. Before a call of update, the field step must contain the sum of
// the rewards minus n times the estimate.
func (m *Posterior) update(i int, n float64) {
	u := m.u
	copy(u, m.root(i))
	size := floats.Dot(u, u)
	if size == 0 {
		return // if the features are zero, the reward carries no information
	}
	s := n * size
	alpha := (1 - 1/math.Sqrt(1+s)) / size
	m.LogDet += math.Log1p(s)
	for k := range m.Model.N {
		row := m.root(k)
		along := floats.Dot(row, u)
		floats.AddScaled(m.Row(k), along/(1+s), m.step)
		floats.AddScaled(row, -alpha*along, u)
	}
}

// Deviation returns the posterior standard deviation of the mean of arm i, assuming sigma = 1.
func (m *Posterior) Deviation(i int) float64 {
	if m.Free {
		return 1 / math.Sqrt(m.N[i])
	}
	return floats.Norm(m.root(i), 2)
}

// Draw draws means from the posterior, with standard deviations multiplied by scale, and stores
// them in x.
func (m *Posterior) Draw(x []float64, scale float64, rnd *rand.Rand) {
	if m.Free {
		for i, n := range m.N {
			s := scale / math.Sqrt(n)
			for c, v := range m.Row(i) {
				x[i*m.D+c] = v + s*rnd.NormFloat64()
			}
		}
		return
	}
	for i := range m.z {
		m.z[i] = scale * rnd.NormFloat64()
	}
	for i := range m.Model.N {
		y := x[i*m.D:][:m.D]
		copy(y, m.Row(i))
		for q, v := range m.root(i) {
			floats.AddScaled(y, v, m.z[q*m.D:][:m.D])
		}
	}
}

// Closest returns the arm of set (nil for all) that dominates arm i most or, if no arm of set
// dominates i, comes closest to dominating i. Closest also returns the largest amount by which i is
// better than the returned arm in an objective. Closest returns -1 and +Inf if set has no other
// arm.
func (m *Posterior) Closest(i int, set []int) (by int, excess float64) {
	by, excess = -1, inf
	try := func(j int) {
		if j != i {
			if e := pareto.Excess(m.Row(i), m.Row(j)); e < excess {
				by, excess = j, e
			}
		}
	}
	for _, j := range set {
		try(j)
	}
	for j := 0; set == nil && j < m.Model.N; j++ {
		try(j)
	}
	return by, excess
}

// Difference returns the posterior standard deviation of the difference of the means of two arms,
// assuming sigma = 1.
func (m *Posterior) Difference(i, j int) float64 {
	if m.Free {
		return math.Sqrt(1/m.N[i] + 1/m.N[j])
	}
	return floats.Distance(m.root(i), m.root(j), 2)
}
