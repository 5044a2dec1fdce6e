package policy

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

var _ explore.Open = (*ConstrainedTopTwo)(nil)

// ConstrainedTopTwo finds the best feasible arm by a top-two rule, in the style
// of Lardy, Katsimerou and Koolen (2025) for constrained best-arm identification.
// It is a reconstruction: rules and constants are those stated here.
//
// Question: the best of the feasible arms, by a weighted sum of their objectives
// (question.BestFeasible with Count 1), or that there is none. Fixed confidence.
//
// Assumptions: projections of rewards are sub-Gaussian of scale Problem.NormSigma. No
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

	batcher
	weighted constrained.Weighted
	share    float64
	level    float64 // the share of Delta that one event has
	sigma    float64 // NormSigma
	gate     gate    // by arm j in its pair with the leader, then by arm
	leader   int     // -1 if no estimate is feasible
	hint     int     // the arm that prevented stopping last
	next     int
	over     bool

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

// Card implements explore.Carded.
func (p *ConstrainedTopTwo) Card() explore.Card {
	return explore.Card{
		Name:      "Constrained top-two",
		Answers:   []explore.Question{question.BestFeasible{}},
		Certifies: certifiesIf(proved(p.Threshold)),
		Needs:     []explore.Need{explore.SubGaussian{}, explore.IndependentObjectives{}},
		Source: "reconstruction in the style of Lardy, Katsimerou, Koolen 2025, with the costs " +
			"of Jourdan, Degenne, Baudry, de Heide, Kaufmann 2022",
		Key: "jourdan2022top",
	}
}

// String returns the name with the settings.
func (p *ConstrainedTopTwo) String() string {
	return label("constrained top-two (reconstruction)", withDelta(p.Delta),
		stopping(p.Threshold, MixtureMartingales{}),
		setting("leader %v", p.Share, .5))
}

// Init implements explore.Policy.
func (p *ConstrainedTopTwo) Init(prob *explore.Problem, src rand.Source) error {
	p.batcher.init(p, prob, src, p.weighted.Row)
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
		return fmt.Errorf("policy: ConstrainedTopTwo.Share is %v; want a probability between 0 "+
			"and 1, such as 0.5", p.Share)
	}
	s := &p.weighted
	if err := s.Init(prob); err != nil {
		return err
	}
	if s.Count != 1 {
		return fmt.Errorf("policy: ConstrainedTopTwo finds 1 item, not %d; use TFLUCB: %w", s.Count,
			explore.ErrQuestion)
	}
	if err := p.rotate(); err != nil {
		return err
	}
	p.sigma = prob.SigmaU()
	p.level = delta / float64(s.K*(s.K+1)/2)
	p.gate.init(t, 2*s.K, p.level, s.D, 2*s.D)
	p.cost, p.exact = memory.Zeroed(p.cost, s.K), memory.Zeroed(p.exact, s.K)
	p.leader, p.hint, p.next, p.over = -1, 0, 0, false
	return nil
}

// rotate chooses coordinates: a reflection that makes w a multiple of the axis to
// which it is closest. In them Lambda_j is the distance to a polyhedron.
func (p *ConstrainedTopTwo) rotate() error {
	s := &p.weighted
	p.y, p.centre, p.wt = memory.Zeroed(p.y, s.D), memory.Zeroed(p.centre, s.D),
		memory.Zeroed(p.wt, s.D)
	u := make([]float64, s.D)
	p.axis = 0
	for c, w := range s.Weight {
		u[c] = w / s.Norm
		if math.Abs(w) > math.Abs(s.Weight[p.axis]) {
			p.axis = c
		}
	}
	p.v, p.rotated = nil, s.Region
	if p.sign = math.Copysign(1, u[p.axis]); math.Abs(s.Weight[p.axis]) == s.Norm {
		return nil
	}
	// The far one of the two reflections does not cancel digits.
	p.sign = -p.sign
	p.v = u
	u[p.axis] -= p.sign
	floats.Scale(math.Sqrt2/floats.Norm(u, 2), u)
	m := s.Region.Rows()
	if m == 0 {
		return nil
	}
	a, b := mat.NewDense(m, s.D, nil), make([]float64, m)
	for k := range m {
		c := s.Region.Constraint(k)
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
	case p.weighted.Pulls == 0:
		return arms.Sweep(dst, p.weighted.K), nil
	}
	return patience.Extend(append(dst, explore.Pull{Arm: p.next, N: 1}), len(dst),
		p.weighted.Pulls, p.weighted.Prob, p)
}

// Tell implements explore.Policy.
func (p *ConstrainedTopTwo) Tell(obs []explore.Batch) error {
	s := &p.weighted
	s.Tell(obs)
	last := p.leader
	p.leader = -1
	for i, in := range s.Inside {
		if in && (p.leader < 0 || s.Value[i] > s.Value[p.leader]) {
			p.leader = i
		}
	}
	if p.leader != last {
		p.gate.forget(s.K)
	}
	for j := range s.K {
		p.bound(j)
	}
	if p.over = p.refuted(p.hint); p.over {
		for j := range s.K {
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
	s := &p.weighted
	p.cost[j] = float64(s.N[j]) * s.Eta[j] * s.Eta[j] / 2
	p.exact[j] = p.leader < 0 || j == p.leader
	if p.exact[j] {
		return
	}
	if s.Inside[j] {
		p.cost[j] = 0
	}
	if gap := s.Value[p.leader] - s.Value[j]; gap > 0 {
		gap /= s.Noisy
		p.cost[j] = max(p.cost[j], gap*gap/2*p.harmonic(j))
	}
}

// harmonic returns N_j N_b/(N_j + N_b).
func (p *ConstrainedTopTwo) harmonic(j int) float64 {
	nj, nb := float64(p.weighted.N[j]), float64(p.weighted.N[p.leader])
	return nj / (nj + nb) * nb
}

// computeCost sets cost[j] to Lambda_j.
//
// In coordinates where w is an axis, the cost is a sum of squares: along the axis
// the arm is pulled to its estimate by N_j and to the leader's by N_b, so that the
// best x is a projection of their mean with weights. If the projection of the
// estimate alone is ahead of the leader already, that is the best x.
func (p *ConstrainedTopTwo) computeCost(j int) {
	s := &p.weighted
	p.exact[j] = true
	nj, nb := float64(s.N[j]), float64(s.N[p.leader])
	x := s.Region.ProjectWith(&s.Work, p.y, s.Row(j))
	if floats.Dot(s.Weight, x) >= s.Value[p.leader] {
		return // the bound is exact
	}
	p.reflect(p.y, s.Row(j))
	copy(p.centre, p.y)
	target := p.sign * s.Value[p.leader] / s.Norm
	p.centre[p.axis] = (nj*p.y[p.axis] + nb*target) / (nj + nb)
	for c := range p.wt {
		p.wt[c] = nj
	}
	p.wt[p.axis] += nb
	x = p.rotated.ProjectWeightedWith(&s.Work, p.centre, p.centre, p.wt)
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
	s, s2 := &p.weighted, p.sigma*p.sigma
	if p.leader < 0 || j == p.leader {
		return p.gate.exceeds(s.K+j, p.cost[j]/s2, p.single(j))
	}
	if !s.Inside[j] && p.gate.exceeds(s.K+j, float64(s.N[j])*s.Eta[j]*s.Eta[j]/2/s2, p.single(j)) {
		return true
	}
	if p.gate.exceeds(j, p.cost[j]/s2, p.pair(p.leader, j)) {
		return true
	}
	if !p.exact[j] {
		p.computeCost(j)
	}
	return p.gate.exceeds(j, p.cost[j]/s2, p.pair(p.leader, j))
}

// single is what the threshold for one arm depends on, pair that for two.
func (p *ConstrainedTopTwo) single(i int) Evidence {
	s := &p.weighted
	return Evidence{Delta: p.level, Pulls: s.Pulls, Rank: s.D,
		LogDet: float64(s.D) * math.Log(float64(s.N[i]))}
}

func (p *ConstrainedTopTwo) pair(i, j int) Evidence {
	e := p.single(i)
	e.Rank, e.LogDet = 2*e.Rank, e.LogDet+float64(p.weighted.D)*math.Log(float64(p.weighted.N[j]))
	return e
}

// challenger returns the arm of least Lambda_j/sigma_u^2 + log N_j.
func (p *ConstrainedTopTwo) challenger() int {
	s, s2 := &p.weighted, p.sigma*p.sigma
	arm, least := 0, inf
	for j := range s.K {
		log := math.Log(float64(s.N[j]))
		if p.cost[j]/s2+log >= least {
			continue // the exact value is no less
		}
		if !p.exact[j] {
			p.computeCost(j)
		}
		if v := p.cost[j]/s2 + log; v < least {
			arm, least = j, v
		}
	}
	return arm
}

// Answer implements explore.Policy. Margins are those of the weighted sum.
func (p *ConstrainedTopTwo) Answer() explore.Answer {
	s := &p.weighted
	a := explore.Answer{Reasons: arms.Undecided(s.K)}
	if s.Pulls == 0 {
		return a
	}
	for i := range a.Reasons {
		beta := p.gate.beta(p.single(i))
		a.Reasons[i] = s.Reason(i, p.sigma*math.Sqrt(2*beta/float64(s.N[i])))
	}
	for i := range a.Reasons {
		if i != p.leader {
			p.judge(a.Reasons, i)
		}
	}
	if p.leader >= 0 {
		a.Items = []int{p.leader}
		p.judgeLeader(a.Reasons)
	}
	return a
}

// certain reports whether arm i is certainly on the side of the boundary of the
// region where its estimate is.
func (p *ConstrainedTopTwo) certain(reasons []explore.Reason, i int) bool {
	return p.weighted.Eta[i] > reasons[i].SlackRadius
}

// compare notes in r by how much arm i is ahead of arm j (sign 1) or behind (-1).
func (p *ConstrainedTopTwo) compare(r *explore.Reason, i, j int, sign float64) {
	s := &p.weighted
	beta, invert := p.gate.beta(p.pair(i, j)), 1/float64(s.N[i])+1/float64(s.N[j])
	r.By, r.Margin = j, sign*(s.Value[i]-s.Value[j])
	r.MarginRadius = s.Noisy * p.sigma * math.Sqrt(2*beta*invert)
}

// judge completes the reason for arm i, which is not the leader.
func (p *ConstrainedTopTwo) judge(reasons []explore.Reason, i int) {
	s, r := &p.weighted, &reasons[i]
	if !s.Inside[i] && p.certain(reasons, i) {
		r.Class = explore.Infeasible
		return
	}
	if p.leader < 0 {
		return // not certainly infeasible, like all
	}
	p.compare(r, i, p.leader, -1)
	behind := r.Margin / r.MarginRadius
	switch {
	case behind > 1 && p.certain(reasons, p.leader):
		r.Class = explore.Dominated
	case !p.over:
		r.Margin = -r.Margin // as for Optimal
	case !s.Inside[i] && s.Eta[i]/r.SlackRadius > behind:
		// Both together refute the arm; the larger part is the reason.
		r.Class = explore.Infeasible
	default:
		r.Class = explore.Dominated
	}
}

// judgeLeader completes the reason for the leader: which arm comes closest to it,
// among those that may be feasible?
func (p *ConstrainedTopTwo) judgeLeader(reasons []explore.Reason) {
	s, b := &p.weighted, p.leader
	r, least, rival := &reasons[b], inf, -1
	for j := range s.K {
		if j == b || !s.Inside[j] && p.certain(reasons, j) {
			continue
		}
		p.compare(r, b, j, 1)
		if m := r.Margin / r.MarginRadius; m < least {
			least, rival = m, j
		}
	}
	if rival >= 0 {
		p.compare(r, b, rival, 1)
	}
	if p.over || p.certain(reasons, b) && least > 1 {
		r.Class = explore.Optimal
	}
}
