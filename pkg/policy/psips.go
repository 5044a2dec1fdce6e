package policy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
)

var _ explore.Policy = (*PSIPS)(nil)

// PSIPS is Pareto set identification with posterior sampling (Kone, Jourdan and
// Kaufmann, "Pareto Set Identification With Posterior Sampling", AISTATS 2025).
//
// Question: the Pareto set of the arms, unstructured or with means linear in
// the features. Relaxations of question.Pareto are answered by the exact set.
// Fixed confidence.
//
// Assumptions: rewards are Gaussian, objectives independent, of standard
// deviation Problem.Sigma; with features, every objective is linear in them. No
// tie: else it does not stop.
//
// Guarantee: pulls are of order T* log(1/Delta) for small Delta, T* the
// characteristic time (T*, package question/complexity), which no method can beat. The error
// probability is calibrated in that limit; at moderate Delta it is a claim to
// be checked by simulation, not a theorem.
//
// Deviations from the paper, all but the first as in the authors' code: the
// prior is flat, and the start one reward of each of m arms that span the
// model, where the code has a prior that depends on the units; one posterior
// sample serves both the test and the game; arms are tracked by cumulative
// proportions instead of drawn. Arms with the same features are one arm.
//
// Each round draws means from the posterior, its covariance inflated by
// c = 1 + log(max(log t, 1))/log(1/Delta). If none of ceil(log(t/Delta)/log(1/(1 -
// Delta))) samples has another Pareto set than the estimate S, it stops.
// Otherwise the first that has is nature's move: AdaHedge is paid for each arm
// what it tells about the difference, and the proportions that it plays, with
// a share 1/t of a G-optimal design, are tracked.
//
// Cost: O(n m d + n p d) a sample for n arms, rank m and p optimal arms, or
// O(n p d) without features; the samples of the last rounds number about
// log(t/Delta)/Delta, which makes Delta below 0.001 expensive. No allocation
// for up to 48 arms.
type PSIPS struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64

	m       psipsModel
	delta   float64
	rnd     *rand.Rand
	learner *adaHedge
	explore []float64 // n: the design for exploration
	played  []float64 // n: sum of the proportions
	gain    []float64 // n
	sample  []float64 // n x d
	front   []int
	inS     []bool
	next    int
	over    bool
}

// String returns the name with the settings.
func (p *PSIPS) String() string { return linearName("PSIPS", p.Delta) }

// Init implements explore.Policy.
func (p *PSIPS) Init(prob *explore.Problem, src rand.Source) (err error) {
	if p.delta, _, err = confidence(p.Delta, nil); err != nil {
		return err
	}
	if err := p.m.init(prob); err != nil {
		return err
	}
	if src == nil {
		src = rand.NewPCG(0, 0)
	}
	n := p.m.l.n
	p.rnd, p.learner = rand.New(src), newAdaHedge(n)
	p.played, p.gain, p.inS = zeroed(p.played, n), zeroed(p.gain, n), zeroed(p.inS, n)
	p.sample, p.explore = zeroed(p.sample, n*p.m.d), zeroed(p.explore, n)
	p.front = zeroed(p.front, n)[:0]
	p.over = n == 1
	for i := range p.explore {
		p.explore[i] = 1 / float64(n)
	}
	if !p.m.free {
		g, err := design.G(p.m.l.z, nil)
		if g == nil {
			return err
		}
		copy(p.explore, g.Weights) // of any quality: it is only forced exploration
	}
	return nil
}

// Ask implements explore.Policy.
func (p *PSIPS) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	switch {
	case p.over:
		return dst, nil
	case p.m.pulls == 0:
		for _, i := range p.m.start {
			dst = append(dst, explore.Pull{Arm: p.m.l.first[i], N: 1})
		}
		return dst, nil
	}
	return append(dst, explore.Pull{Arm: p.m.l.first[p.next], N: 1}), nil
}

// Tell implements explore.Policy.
func (p *PSIPS) Tell(obs []explore.Batch) error {
	m := &p.m
	m.tell(obs)
	p.front = pareto.AppendSet(p.front[:0], m.mean, m.d)
	clear(p.inS)
	for _, i := range p.front {
		p.inS[i] = true
	}
	samples, inflate := psipsEffort(m.pulls, p.delta)
	if p.over = !p.alternative(samples, inflate); p.over {
		return nil
	}
	t, s2 := float64(m.pulls), 2*m.l.sigma*m.l.sigma
	for i, w := range p.learner.w {
		p.played[i] += (1-1/t)*w + p.explore[i]/t
		p.gain[i] = 0
		for c, v := range m.row(i) {
			v -= p.sample[i*m.d+c]
			p.gain[i] += v * v / s2
		}
	}
	p.learner.learn(p.gain)
	p.next = lagging(m.n, p.played)
	return nil
}

// psipsEffort returns after t pulls the number of posterior samples that must
// all agree, and the factor on the posterior covariance.
func psipsEffort(t int, delta float64) (samples int, inflate float64) {
	log := math.Log(float64(t))
	samples = int(math.Ceil(min((log-math.Log(delta))/-math.Log1p(-delta), math.MaxInt32)))
	return samples, 1 + math.Log(max(log, 1))/-math.Log(delta)
}

// alternative draws up to n samples and leaves the first whose Pareto set is not
// S in sample. It reports whether there was one.
func (p *PSIPS) alternative(n int, inflate float64) bool {
	scale := math.Sqrt(inflate) * p.m.l.sigma
	for range n {
		p.m.draw(p.sample, scale, p.rnd)
		if p.changed() {
			return true
		}
	}
	return false
}

// changed reports whether the Pareto set of the sample is not S: a member is
// dominated by another, or another arm by no member.
func (p *PSIPS) changed() bool {
	d := p.m.d
next:
	for i, in := range p.inS {
		x := p.sample[i*d:][:d]
		for _, j := range p.front {
			if j != i && pareto.Dominates(p.sample[j*d:][:d], x) {
				if in {
					return true
				}
				continue next
			}
		}
		if !in {
			return true
		}
	}
	return false
}

// Answer implements explore.Policy. Margins are estimates, without radius.
func (p *PSIPS) Answer() explore.Answer {
	m := &p.m
	reasons := make([]explore.Reason, m.l.n)
	for i := range reasons {
		r := &reasons[i]
		r.By = -1
		if m.pulls == 0 {
			if p.over {
				r.Class = explore.Optimal // a lone arm
			}
			continue
		}
		if !p.inS[i] && p.over {
			r.Class = explore.Dominated
			r.By, r.Margin = m.closest(i, p.front)
			r.Margin = -r.Margin
			continue
		}
		if r.By, r.Margin = m.closest(i, nil); r.By < 0 {
			r.Margin = 0
		}
		if p.over {
			r.Class = explore.Optimal
		}
	}
	return m.answer(reasons, func(i int) bool { return p.inS[i] || p.over && m.l.n == 1 })
}

// psipsModel is what is known about the means of distinct arms after a flat
// prior and Gaussian rewards: a normal distribution, of independent objectives,
// whose covariance within an objective is sigma^2 P P'. Without features P is
// diagonal with elements 1/sqrt(n_i); with them, rows are features times a root
// of the inverse information.
//
// Coordinates are those in which the arms of the start are the canonical basis,
// so that P begins as the features. The root is updated in product form (Potter,
// 1963), which keeps P P' positive: O(n m) a reward.
type psipsModel struct {
	l     linear // z: the distinct arms, nil without features
	d     int
	free  bool // no features
	start []int

	pulls  int
	n      []float64 // by arm: rewards
	mean   []float64 // n x d
	p      []float64 // n x m
	logDet float64   // of the information, relative to that of the start
	u, z   []float64 // m, m x d: scratch
	step   []float64 // d
}

// init prepares for prob and fails if it is no question about the Pareto set of
// its arms.
func (m *psipsModel) init(prob *explore.Problem) error {
	if _, ok := prob.Question.(question.Pareto); !ok || prob.Z != nil {
		return fmt.Errorf("policy: %T; want question.Pareto about the arms (Z nil): %w", prob.Question, explore.ErrQuestion)
	}
	m.d, m.free = prob.D(), prob.X == nil
	if k := prob.K(); m.free {
		all := make([]int, k)
		for i := range all {
			all[i] = i
		}
		m.l = linear{k: k, m: k, n: k, class: all, first: all, sigma: prob.Sigma}
		m.start = all
	} else {
		if err := m.l.features(prob); err != nil {
			return err
		}
		m.start = nil
		for _, i := range m.l.span.Points() {
			m.start = append(m.start, m.l.class[i])
		}
		m.p = zeroed(m.p, m.l.n*m.l.m)
	}
	m.pulls, m.logDet = 0, 0
	m.n, m.mean = zeroed(m.n, m.l.n), zeroed(m.mean, m.l.n*m.d)
	m.u, m.z, m.step = zeroed(m.u, m.l.m), zeroed(m.z, m.l.m*m.d), zeroed(m.step, m.d)
	return nil
}

func (m *psipsModel) row(i int) []float64  { return m.mean[i*m.d:][:m.d] }
func (m *psipsModel) root(i int) []float64 { return m.p[i*m.l.m:][:m.l.m] }

// tell takes rewards. The first time they must include one batch of each arm of
// the start.
func (m *psipsModel) tell(obs []explore.Batch) {
	first := m.pulls == 0 && !m.free
	if first {
		clear(m.mean)
		for i := range m.l.n {
			copy(m.root(i), m.l.item(i))
		}
		for b := range obs {
			o := &obs[b]
			c := slices.Index(m.start, m.l.class[o.Arm])
			if c < 0 {
				continue
			}
			// Least squares fits the arms of the start exactly.
			for i := range m.l.n {
				floats.AddScaled(m.row(i), m.l.item(i)[c]/float64(o.N), o.Sum)
				m.p[i*m.l.m+c] /= math.Sqrt(float64(o.N))
			}
		}
	}
	for b := range obs {
		o := &obs[b]
		i, n := m.l.class[o.Arm], float64(o.N)
		m.pulls += o.N
		m.n[i] += n
		for c, v := range m.row(i) {
			m.step[c] = o.Sum[c] - n*v
		}
		switch {
		case m.free:
			floats.AddScaled(m.row(i), 1/m.n[i], m.step)
		case !first || !slices.Contains(m.start, i):
			m.update(i, n)
		}
	}
}

// update takes n rewards of arm i into account, whose sum exceeds n times the
// estimate by step.
func (m *psipsModel) update(i int, n float64) {
	u := m.u
	copy(u, m.root(i))
	size := floats.Dot(u, u)
	if size == 0 {
		return // no features: the reward is noise
	}
	s := n * size
	alpha := (1 - 1/math.Sqrt(1+s)) / size
	m.logDet += math.Log1p(s)
	for k := range m.l.n {
		row := m.root(k)
		along := floats.Dot(row, u)
		floats.AddScaled(m.row(k), along/(1+s), m.step)
		floats.AddScaled(row, -alpha*along, u)
	}
}

// deviation returns the posterior standard deviation of the mean of arm i, for
// sigma = 1.
func (m *psipsModel) deviation(i int) float64 {
	if m.free {
		return 1 / math.Sqrt(m.n[i])
	}
	return floats.Norm(m.root(i), 2)
}

// draw sets x to means drawn from the posterior, with standard deviations scale
// for a variance of 1.
func (m *psipsModel) draw(x []float64, scale float64, rnd *rand.Rand) {
	if m.free {
		for i, n := range m.n {
			s := scale / math.Sqrt(n)
			for c, v := range m.row(i) {
				x[i*m.d+c] = v + s*rnd.NormFloat64()
			}
		}
		return
	}
	for i := range m.z {
		m.z[i] = scale * rnd.NormFloat64()
	}
	for i := range m.l.n {
		y := x[i*m.d:][:m.d]
		copy(y, m.row(i))
		for q, v := range m.root(i) {
			floats.AddScaled(y, v, m.z[q*m.d:][:m.d])
		}
	}
}

// closest returns the arm among set, nil for all, that comes closest to
// dominating arm i or dominates it most, and by how much i is ahead of it in
// some objective; -1 and +Inf if there is no other arm.
func (m *psipsModel) closest(i int, set []int) (by int, excess float64) {
	by, excess = -1, inf
	try := func(j int) {
		if j != i {
			if e := pareto.Excess(m.row(i), m.row(j)); e < excess {
				by, excess = j, e
			}
		}
	}
	for _, j := range set {
		try(j)
	}
	for j := 0; set == nil && j < m.l.n; j++ {
		try(j)
	}
	return by, excess
}

// answer returns the arms whose class is a member, with the reasons of their
// classes, in which By is a class.
func (m *psipsModel) answer(reasons []explore.Reason, member func(class int) bool) explore.Answer {
	a := explore.Answer{Reasons: make([]explore.Reason, len(m.l.class))}
	for i, c := range m.l.class {
		if member(c) {
			a.Items = append(a.Items, i)
		}
		r := reasons[c]
		r.Constraint = -1
		if r.By >= 0 {
			r.By = m.l.first[r.By]
		}
		a.Reasons[i] = r
	}
	return a
}
