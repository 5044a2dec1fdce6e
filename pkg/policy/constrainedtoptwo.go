package policy

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
)

var _ explore.Policy = (*ConstrainedTopTwo)(nil)

// ConstrainedTopTwo finds the best feasible arm by a top-two rule, in the style
// of Lardy, Katsimerou and Koolen (2025) for constrained best-arm identification.
// It is a reconstruction: rules and constants are those stated here.
//
// Question: the best of the feasible arms, by a weighted sum of their objectives
// (question.BestFeasible with Count 1), or that there is none. Fixed confidence.
//
// Assumptions: rewards are Gaussian, with any covariance whose projections have
// scale at most Problem.NormSigma, or sub-Gaussian with independent objectives. No
// tie between the best two feasible arms; the best one not on the boundary of the
// region, nor any that is better.
//
// Guarantee: with MixtureMartingales or SelfNormalized the answer is right with
// probability at least 1 - Delta. It is about the answer, not about the reasons:
// to know that an arm is not the answer is less than to know why. SlackRadius and
// MarginRadius of a reason, which hold with the same probability, tell which are
// certain.
//
// Deviations from the paper: see above. Rewards are vectors of any length and the
// region is any polyhedron. The threshold is that of two arms, or one, at a share
// of Delta in K (K+1)/2, instead of one for all arms.
//
// The leader b is the best of the arms whose estimates are feasible. The evidence
// against arm j is what it costs to make it feasible and no worse than b,
//
//	Lambda_j = inf over x in P of N_j/2 ||x - muhat_j||^2
//	           + N_b/2 ((w'muhat_b - w'x)_+ / ||w||)^2,
//
// and that for the leader is what it costs to make it infeasible, N_b eta_b^2/2; if
// no estimate is feasible, Lambda_j is N_j eta_j^2/2. It stops when all, in units of
// sigma_u^2, exceed the threshold, or j is certainly infeasible by itself.
// Otherwise it pulls the leader with probability Share, or else the challenger: the
// arm of least Lambda_j/sigma_u^2 + log N_j (transportation costs, improved; Jourdan
// et al., NeurIPS 2022), which may be the leader, whose feasibility then is in
// doubt.
//
// Cost: O(K) and a few projections a round of one pull, up to K; no allocation.
type ConstrainedTopTwo struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Threshold is the stopping threshold. Nil means MixtureMartingales{};
	// Heuristic{} has no theorem and stops earlier. It must not decrease as pulls
	// are made.
	Threshold Threshold
	// Share is the probability with which the leader is pulled, between 0 and 1.
	// Zero means 1/2.
	Share float64

	s      bestFeasible
	rnd    *rand.Rand
	share  float64
	level  float64 // the share of Delta that one event has
	sigma  float64 // NormSigma
	gate   gate    // by arm j in its pair with the leader, then by arm
	leader int     // -1 if no estimate is feasible
	hint   int     // the arm that prevented stopping last
	next   int
	over   bool

	cost  []float64 // K: Lambda, or a lower bound of it
	exact []bool    // K: which

	// Coordinates in which the weights are an axis: x -> x - v v'x, v of length
	// sqrt 2, empty if they are one already.
	rotated       *polyhedron.Polyhedron
	axis          int
	sign          float64 // w/||w|| becomes sign times the axis
	v             []float64
	y, centre, wt []float64 // d
}

// String returns the name with the settings.
func (p *ConstrainedTopTwo) String() string {
	s := linearName("constrained top-two (reconstruction)", p.Delta) + armThresholdName(p.Threshold)
	if p.Share != 0 && p.Share != .5 {
		s += fmt.Sprintf(", leader %v", p.Share)
	}
	return s
}

// Init implements explore.Policy.
func (p *ConstrainedTopTwo) Init(prob *explore.Problem, src rand.Source) error {
	delta, _, err := confidence(p.Delta, nil)
	if err != nil {
		return err
	}
	t, err := armThreshold(p.Threshold)
	if err != nil {
		return err
	}
	if p.share = p.Share; p.share == 0 {
		p.share = .5
	}
	if !(p.share > 0 && p.share < 1) {
		return fmt.Errorf("policy: ConstrainedTopTwo.Share is %v; want a probability between 0 and 1, such as 0.5", p.Share)
	}
	s := &p.s
	if err := s.init(prob); err != nil {
		return err
	}
	if s.count != 1 {
		return fmt.Errorf("policy: ConstrainedTopTwo finds 1 item, not %d; use TFLUCB: %w", s.count, explore.ErrQuestion)
	}
	if err := p.rotate(); err != nil {
		return err
	}
	if src == nil {
		src = rand.NewPCG(0, 0)
	}
	p.rnd, p.sigma = rand.New(src), prob.SigmaU()
	p.level = delta / float64(s.k*(s.k+1)/2)
	p.gate.init(t, 2*s.k, p.level, s.d, 2*s.d)
	p.cost, p.exact = zeroed(p.cost, s.k), zeroed(p.exact, s.k)
	p.leader, p.hint, p.next, p.over = -1, 0, 0, false
	return nil
}

// rotate chooses coordinates: a reflection that makes w a multiple of the axis to
// which it is closest. In them Lambda_j is the distance to a polyhedron.
func (p *ConstrainedTopTwo) rotate() error {
	s := &p.s
	p.y, p.centre, p.wt = zeroed(p.y, s.d), zeroed(p.centre, s.d), zeroed(p.wt, s.d)
	u := make([]float64, s.d)
	p.axis = 0
	for c, w := range s.weight {
		u[c] = w / s.norm
		if math.Abs(w) > math.Abs(s.weight[p.axis]) {
			p.axis = c
		}
	}
	p.v, p.rotated = nil, s.region
	if p.sign = math.Copysign(1, u[p.axis]); math.Abs(s.weight[p.axis]) == s.norm {
		return nil
	}
	// The far one of the two reflections does not cancel digits.
	p.sign = -p.sign
	p.v = u
	u[p.axis] -= p.sign
	floats.Scale(math.Sqrt2/floats.Norm(u, 2), u)
	m := s.region.Rows()
	if m == 0 {
		return nil
	}
	a, b := mat.NewDense(m, s.d, nil), make([]float64, m)
	for k := range m {
		c := s.region.Constraint(k)
		p.reflect(a.RawRowView(k), c.A)
		b[k] = c.B
	}
	var err error
	if p.rotated, err = polyhedron.New(a, b, nil); err != nil {
		return fmt.Errorf("policy: the feasible region is too thin for other coordinates: %w", err)
	}
	return nil
}

// reflect sets dst to x in the other coordinates.
func (p *ConstrainedTopTwo) reflect(dst, x []float64) {
	copy(dst, x)
	if p.v != nil {
		floats.AddScaled(dst, -floats.Dot(p.v, x), p.v)
	}
}

// Ask implements explore.Policy.
func (p *ConstrainedTopTwo) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	switch {
	case p.over:
		return dst, nil
	case p.s.t == 0:
		return sweep(dst, p.s.k), nil
	}
	return append(dst, explore.Pull{Arm: p.next, N: 1}), nil
}

// Tell implements explore.Policy.
func (p *ConstrainedTopTwo) Tell(obs []explore.Batch) error {
	s := &p.s
	s.tell(obs)
	last := p.leader
	p.leader = -1
	for i, in := range s.inside {
		if in && (p.leader < 0 || s.value[i] > s.value[p.leader]) {
			p.leader = i
		}
	}
	if p.leader != last {
		p.gate.forget(s.k)
	}
	for j := range s.k {
		p.bound(j)
	}
	if p.over = p.refuted(p.hint); p.over {
		for j := range s.k {
			if !p.refuted(j) {
				p.over, p.hint = false, j
				break
			}
		}
	}
	if p.over {
		return nil
	}
	p.next = p.challenger()
	if p.leader >= 0 && p.rnd.Float64() < p.share {
		p.next = p.leader
	}
	return nil
}

// bound sets cost[j] to a lower bound of Lambda_j that costs O(1), if possible
// to Lambda_j.
func (p *ConstrainedTopTwo) bound(j int) {
	s := &p.s
	p.cost[j] = float64(s.n[j]) * s.eta[j] * s.eta[j] / 2
	p.exact[j] = p.leader < 0 || j == p.leader
	if p.exact[j] {
		return
	}
	if s.inside[j] {
		p.cost[j] = 0
	}
	if gap := s.value[p.leader] - s.value[j]; gap > 0 {
		gap /= s.norm
		p.cost[j] = max(p.cost[j], gap*gap/2*p.harmonic(j))
	}
}

// harmonic returns N_j N_b/(N_j + N_b).
func (p *ConstrainedTopTwo) harmonic(j int) float64 {
	nj, nb := float64(p.s.n[j]), float64(p.s.n[p.leader])
	return nj / (nj + nb) * nb
}

// settle sets cost[j] to Lambda_j.
//
// In coordinates where w is an axis, the cost is a sum of squares: along the axis
// the arm is pulled to its estimate by N_j and to the leader's by N_b, so that the
// best x is a projection of their mean with weights. If the projection of the
// estimate alone is ahead of the leader already, that is the best x.
func (p *ConstrainedTopTwo) settle(j int) {
	s := &p.s
	p.exact[j] = true
	nj, nb := float64(s.n[j]), float64(s.n[p.leader])
	x := s.region.ProjectWith(&s.ws, p.y, s.row(j))
	if floats.Dot(s.weight, x) >= s.value[p.leader] {
		return // the bound is exact
	}
	p.reflect(p.y, s.row(j))
	copy(p.centre, p.y)
	target := p.sign * s.value[p.leader] / s.norm
	p.centre[p.axis] = (nj*p.y[p.axis] + nb*target) / (nj + nb)
	for c := range p.wt {
		p.wt[c] = nj
	}
	p.wt[p.axis] += nb
	x = p.rotated.ProjectWeightedWith(&s.ws, p.centre, p.centre, p.wt)
	down := x[p.axis] - target
	cost := nb / 2 * down * down
	for c, v := range x {
		cost += nj / 2 * (v - p.y[c]) * (v - p.y[c])
	}
	p.cost[j] = max(p.cost[j], cost) // less than the bound by rounding only
}

// refuted reports whether the evidence is enough: against arm j, or on the
// feasibility of the leader.
func (p *ConstrainedTopTwo) refuted(j int) bool {
	s, s2 := &p.s, p.sigma*p.sigma
	if p.leader < 0 || j == p.leader {
		return p.gate.exceeds(s.k+j, p.cost[j]/s2, p.single(j))
	}
	if !s.inside[j] && p.gate.exceeds(s.k+j, float64(s.n[j])*s.eta[j]*s.eta[j]/2/s2, p.single(j)) {
		return true
	}
	if p.gate.exceeds(j, p.cost[j]/s2, p.pair(p.leader, j)) {
		return true
	}
	if !p.exact[j] {
		p.settle(j)
	}
	return p.gate.exceeds(j, p.cost[j]/s2, p.pair(p.leader, j))
}

// single is what the threshold for one arm depends on, pair that for two.
func (p *ConstrainedTopTwo) single(i int) Evidence {
	s := &p.s
	return Evidence{Delta: p.level, Pulls: s.t, Rank: s.d, LogDet: float64(s.d) * math.Log(float64(s.n[i]))}
}

func (p *ConstrainedTopTwo) pair(i, j int) Evidence {
	e := p.single(i)
	e.Rank, e.LogDet = 2*e.Rank, e.LogDet+float64(p.s.d)*math.Log(float64(p.s.n[j]))
	return e
}

// challenger returns the arm of least Lambda_j/sigma_u^2 + log N_j.
func (p *ConstrainedTopTwo) challenger() int {
	s, s2 := &p.s, p.sigma*p.sigma
	arm, least := 0, inf
	for j := range s.k {
		log := math.Log(float64(s.n[j]))
		if p.cost[j]/s2+log >= least {
			continue // the exact value is no less
		}
		if !p.exact[j] {
			p.settle(j)
		}
		if v := p.cost[j]/s2 + log; v < least {
			arm, least = j, v
		}
	}
	return arm
}

// Answer implements explore.Policy. Margins are those of the weighted sum.
func (p *ConstrainedTopTwo) Answer() explore.Answer {
	s := &p.s
	if s.t == 0 {
		return explore.Answer{Reasons: s.unknown()}
	}
	a := explore.Answer{Reasons: make([]explore.Reason, s.k)}
	for i := range a.Reasons {
		beta := p.gate.beta(p.single(i))
		a.Reasons[i] = s.reason(i, p.sigma*math.Sqrt(2*beta/float64(s.n[i])))
	}
	certain := func(i int) bool { return s.eta[i] > a.Reasons[i].SlackRadius }
	// compare notes by how much i is ahead of j (sign 1) or behind (-1).
	compare := func(i, j int, sign float64) {
		r := &a.Reasons[i]
		beta, invert := p.gate.beta(p.pair(i, j)), 1/float64(s.n[i])+1/float64(s.n[j])
		r.By, r.Margin, r.MarginRadius = j, sign*(s.value[i]-s.value[j]), s.norm*p.sigma*math.Sqrt(2*beta*invert)
	}
	b := p.leader
	for i := range a.Reasons {
		r := &a.Reasons[i]
		switch {
		case i == b:
		case !s.inside[i] && certain(i):
			r.Class = explore.Infeasible
		case b < 0: // not certainly infeasible, like all
		default:
			compare(i, b, -1)
			behind := r.Margin / r.MarginRadius
			switch {
			case behind > 1 && certain(b):
				r.Class = explore.Dominated
			case !p.over:
				r.Margin = -r.Margin // as for Optimal
			case !s.inside[i] && s.eta[i]/r.SlackRadius > behind:
				// Both together refute the arm; the larger part is the reason.
				r.Class = explore.Infeasible
			default:
				r.Class = explore.Dominated
			}
		}
	}
	if b < 0 {
		return a
	}
	a.Items = []int{b}
	// Who comes closest to the leader, among the arms that may be feasible?
	r, least := &a.Reasons[b], inf
	rival := -1
	for j := range s.k {
		if j == b || !s.inside[j] && certain(j) {
			continue
		}
		compare(b, j, 1)
		if m := r.Margin / r.MarginRadius; m < least {
			least, rival = m, j
		}
	}
	if rival >= 0 {
		compare(b, rival, 1)
	}
	if p.over || certain(b) && least > 1 {
		r.Class = explore.Optimal
	}
	return a
}
