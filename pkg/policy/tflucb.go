package policy

import (
	"math/rand/v2"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// TFLUCB finds the m best feasible arms by a method that resembles TF-LUCB (Katz-Samuels and Scott,
// "Top Feasible Arm Identification", AISTATS 2019). Both methods run LUCB (Kalyanakrishnan, Tewari,
// Auer and Stone, ICML 2012) among the arms that are not known to be infeasible. The rules and
// constants are those of this project, not of the paper.
//
// Question: the m best feasible arms by a weighted sum of objectives, where m is the Count of
// question.BestFeasible. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma in each objective, and projections
// of rewards are sub-Gaussian of scale Problem.NormSigma. The worst arm of the answer is not tied
// with the best feasible arm that is not in the answer. No arm that is in the answer, or better
// than an arm of the answer, is exactly on the boundary of the region.
//
// Guarantee: if Radius is radius.Theory or radius.KaufmannKoolen, the answer and the reasons are
// right with probability at least 1 - Delta. Half of Delta is for the radii for feasibility, and
// half is for the radii of the weighted sums. An arm is accepted, or rejected as dominated, only if
// both kinds of radii support the decision. The radii for feasibility suffice to reject an arm as
// infeasible. The guarantee is conservative: each kind of radius divides its half of Delta between
// several events, of which the policy uses only one.
//
// Let C be the arms that are not certainly infeasible, and TOP the m best arms among those that are
// feasible by the estimates. A member of TOP is in doubt unless it is certainly feasible and
// certainly better than every arm of C outside TOP. An arm of C outside TOP is in doubt unless it
// is certainly worse than each of the m members of TOP. Each round addresses the largest doubt,
// measured in units of the corresponding radius. One kind of doubt is whether a member of TOP is
// feasible. The other kind of doubt concerns an arm of C outside TOP: is the arm infeasible, or is
// it worse than each member of TOP? The size of this doubt is that of the more certain of the two
// claims. The round pulls the arm that is in doubt. If the doubt concerns two arms, the round pulls
// the arm with fewer pulls; if both arms have the same number of pulls, the round pulls both. The
// run stops when no arm is in doubt.
//
// Each round makes at most two pulls, takes O(K (m + d)) operations and two distance computations,
// and allocates no memory.
type TFLUCB struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii; nil means radius.Theory{}.
	Radius radius.Radius

	batcher
	weighted     constrained.Weighted
	norm, sum    radius.Bonus  // radii for feasibility and for weighted sums
	uScale       float64       // factor of norm.Norm
	vScale       float64       // factor of sum.Pair and sum.Mean
	term         []radius.Term // K: terms of the arms in sum.Pair
	top          []int         // TOP, starting with the best arm
	inTop        []bool
	leader, next int // arms to pull, or -1
}

// Card implements explore.Describer.
func (p *TFLUCB) Card() explore.Card {
	return byRadius(orTheory(p.Radius), explore.Card{
		Name:      "TF-LUCB",
		Evidence:  explore.AnySampling,
		Answers:   []explore.Question{question.BestFeasible{}},
		Certifies: explore.CertifiesAmounts,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.IndependentObjectives{}},
		Uses:      explore.UsesSums,
		Source:    "reconstruction after Katz-Samuels, Scott 2019",
		Key:       "katzsamuels2019top",
	})
}

// String returns the name of the policy, followed by its settings.
func (p *TFLUCB) String() string { return named("TF-LUCB (reconstruction)", p, orTheory(p.Radius)) }

// Init implements explore.Policy.
func (p *TFLUCB) Init(prob *explore.Problem, _ rand.Source) error {
	p.batcher.init(p, prob, nil, p.weighted.Row)
	delta, r, err := confidence(p.Delta, p.Radius)
	if err != nil {
		return err
	}
	if err := p.weighted.Init(prob); err != nil {
		return err
	}
	p.norm = arms.Bind(r, prob, delta/2)
	scale := p.weighted.Scale(prob)
	p.sum = r.Bind(radius.Params{Arms: p.weighted.K, Objectives: 1, Sigma: scale, NormSigma: scale, Delta: delta / 2})
	p.term = memory.Zeroed(p.term, p.weighted.K)
	p.top, p.inTop = memory.Zeroed(p.top, p.weighted.K)[:0], memory.Zeroed(p.inTop, p.weighted.K)
	p.leader, p.next = -1, -1
	return nil
}

// Ask implements explore.Policy.
func (p *TFLUCB) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	from := len(dst)
	if p.weighted.Pulls == 0 {
		return arms.Sweep(dst, p.weighted.K), nil
	}
	for _, i := range [2]int{p.leader, p.next} {
		if i >= 0 {
			dst = append(dst, explore.Pull{Arm: i, N: 1})
		}
	}
	return patience.Extend(dst, from, p.weighted.Pulls, p.weighted.Prob, p)
}

// Tell implements explore.Policy.
func (p *TFLUCB) Tell(obs []explore.Batch) error {
	s := &p.weighted
	s.Tell(obs)
	for b := range obs {
		p.term[obs[b].Arm] = p.sum.Term(s.N[obs[b].Arm])
	}
	_, p.uScale = p.norm.Factors(s.Pulls)
	p.vScale, _ = p.sum.Factors(s.Pulls)
	p.choose()
	p.leader, p.next = -1, -1
	doubt := 0.
	for _, i := range p.top {
		if x := s.Eta[i]/p.u(i) - 1; x < doubt {
			doubt, p.leader = x, i
		}
	}
	for j := range s.K {
		if p.inTop[j] || p.infeasible(j) {
			continue
		}
		if x, i := p.certainty(j); x < doubt {
			doubt, p.leader, p.next = x, i, j
		}
	}
	if i, j := p.leader, p.next; i >= 0 && j >= 0 { // the arm with fewer pulls determines most of the radius
		switch ni, nj := s.N[i], s.N[j]; {
		case ni < nj:
			p.next = -1
		case nj < ni:
			p.leader = -1
		}
	}
	return nil
}

// For an arm j outside TOP, certainty considers two claims: that j is infeasible, and that j is
// worse than each member of TOP. certainty returns the more certain claim. The result certain is
// the margin by which the estimates support this claim, divided by the radius, minus 1. If certain
// is at least 0, the claim is certain. The result member is the member of TOP that is closest to
// arm j, or -1 if the more certain claim is that j is infeasible.
func (p *TFLUCB) certainty(j int) (certain float64, member int) {
	s := &p.weighted
	certain, member = -inf, -1
	if !s.Inside[j] {
		certain = s.Eta[j]/p.u(j) - 1
	}
	if !p.full() {
		return certain, member
	}
	least, closest := inf, -1
	for _, i := range p.top {
		if m := (s.Value[i]-s.Value[j])/p.v(i, j) - 1; m < least {
			least, closest = m, i
		}
	}
	if least > certain && least > -2 { // at -2 or less, arm j is certainly better than a member of TOP
		return least, closest
	}
	return certain, member
}

// choose computes TOP.
func (p *TFLUCB) choose() {
	s := &p.weighted
	p.top = p.top[:0]
	clear(p.inTop)
	for i, in := range s.Inside {
		if !in {
			continue
		}
		at := len(p.top)
		for at > 0 && s.Value[p.top[at-1]] < s.Value[i] {
			at--
		}
		if at == s.Count {
			continue
		}
		if p.full() {
			p.top = p.top[:s.Count-1]
		}
		p.top = slices.Insert(p.top, at, i)
	}
	for _, i := range p.top {
		p.inTop[i] = true
	}
}

// full reports whether TOP has as many arms as the question requires.
func (p *TFLUCB) full() bool { return len(p.top) == p.weighted.Count }

// u returns the radius for the mean of arm i, in the Euclidean norm.
func (p *TFLUCB) u(i int) float64 { return p.uScale * p.norm.Norm(p.weighted.N[i]) }

// v returns the radius for the difference of the weighted sums of arms i and j.
func (p *TFLUCB) v(i, j int) float64 { return p.vScale * p.sum.Pair(p.term[i], p.term[j]) }

// infeasible reports whether arm i is certainly infeasible. The method feasible is the counterpart
// for certainly feasible arms.
func (p *TFLUCB) infeasible(i int) bool {
	return !p.weighted.Inside[i] && p.weighted.Eta[i] >= p.u(i)
}
func (p *TFLUCB) feasible(i int) bool {
	return p.weighted.Inside[i] && p.weighted.Eta[i] >= p.u(i)
}

// Answer implements explore.Policy. Margins in reasons are differences of the weighted sums.
func (p *TFLUCB) Answer() explore.Answer {
	s := &p.weighted
	if s.Pulls == 0 {
		return explore.Answer{Reasons: arms.Undecided(s.K)}
	}
	a := explore.Answer{Items: slices.Sorted(slices.Values(p.top)), Reasons: arms.Undecided(s.K)}
	// closest records the arm j, among the given arms, for which the margin relative to the radius
	// is smallest. The margin is that of i over j if sign is 1, and that of j over i if sign is -1.
	// closest reports whether the smallest margin is certainly positive.
	closest := func(i int, sign float64, among func(j int) bool) bool {
		r, least := &a.Reasons[i], inf
		for j := range s.K {
			if j == i || !among(j) {
				continue
			}
			v := sign * (s.Value[i] - s.Value[j])
			if m := v / p.v(i, j); m < least {
				least, r.By, r.Margin, r.MarginRadius = m, j, v, p.v(i, j)
			}
		}
		return least >= 1
	}
	inTop := func(j int) bool { return p.inTop[j] }
	secure := p.full()
	for _, i := range p.top {
		secure = secure && p.feasible(i)
	}
	for i := range a.Reasons {
		a.Reasons[i] = s.Reason(i, p.u(i))
		r := &a.Reasons[i]
		switch {
		case p.inTop[i]:
			if closest(i, 1, func(j int) bool { return !p.inTop[j] && !p.infeasible(j) }) && p.feasible(i) {
				r.Class = explore.Optimal
			}
		case p.infeasible(i):
			r.Class = explore.Infeasible
		case closest(i, -1, inTop) && secure:
			r.Class = explore.Dominated
		default:
			r.Margin = -r.Margin // use the same sign as for the class Optimal
		}
	}
	return a
}
