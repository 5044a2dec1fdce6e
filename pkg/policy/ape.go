package policy

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

var _ explore.Policy = (*APE)(nil)

// APE is Adaptive Pareto Exploration (Kone, Kaufmann and Richert, "Adaptive
// Algorithms for Relaxed Pareto Set Identification", NeurIPS 2023).
//
// Question: the Pareto set of the arms, exact or relaxed by Epsilon, Cover and
// AtMost of question.Pareto (the paper's eps1, eps2 and k). Fixed confidence.
//
// Assumptions: objectives are sub-Gaussian of scale Problem.Sigma. Without
// relaxation, no tie with a member of the front.
//
// Guarantee: with radius.Theory or radius.KaufmannKoolen the answer is right
// with probability at least 1 - Delta; pulls are of order sum over arms of
// 2 sigma^2 / max(gap_i, eps1)^2 log(K d / Delta).
//
// Deviations from the paper: none in the rules; ties go to the lowest index.
// Leader and Pull offer the variants of the authors' later code.
//
// Each round pulls two arms: b, which may be optimal and is not known to be,
// and c, which comes closest to dominating it. Cost: O(K d) a round plus
// O(K |S|) for S the arms known to be optimal, at worst O(K^2); no allocation.
type APE struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii. Nil means radius.Theory{}.
	Radius radius.Radius
	// Leader is the rule for b: LeaderPaper (the default) or LeaderIndex.
	Leader Leader
	// Pull says which of b and c are pulled: PullBoth (the default) or
	// PullLeast.
	Pull PullRule

	e estimates
	a ape
}

// A Leader is a rule for choosing the first arm of a round.
type Leader int

// Rules for the first arm.
const (
	LeaderPaper Leader = iota // the most optimistic arm not known to be optimal
	LeaderIndex               // the arm whose term in the stopping rule is least
)

// A PullRule says which arms of a round's pair are pulled.
type PullRule int

// Which arms are pulled.
const (
	PullBoth  PullRule = iota // both
	PullLeast                 // the one with fewer pulls
)

// String returns the name with the settings.
func (p *APE) String() string {
	s := describe("APE", p.Delta, p.Radius)
	if p.Leader == LeaderIndex {
		s += ", leader by index"
	}
	if p.Pull == PullLeast {
		s += ", one pull"
	}
	return s
}

// Init implements explore.Policy.
func (p *APE) Init(prob *explore.Problem, _ rand.Source) error {
	delta, r, err := confidence(p.Delta, p.Radius)
	if err != nil {
		return err
	}
	q, ok := prob.Question.(question.Pareto)
	if !ok || prob.Z != nil {
		return fmt.Errorf("policy: %T; want question.Pareto about the arms: %w", prob.Question, explore.ErrQuestion)
	}
	if !(q.Epsilon >= 0) || !(q.Cover >= 0) || q.AtMost < 0 {
		return fmt.Errorf("policy: %+v; want relaxations of at least 0: %w", q, explore.ErrQuestion)
	}
	p.e.init(prob, bind(r, prob, delta), true)
	p.a.init(&p.e, nil, q, p.Leader, p.Pull)
	return nil
}

// Ask implements explore.Policy.
func (p *APE) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.e.t == 0 {
		return sweep(dst, p.e.k), nil
	}
	return p.a.ask(dst), nil
}

// Tell implements explore.Policy.
func (p *APE) Tell(obs []explore.Batch) error {
	p.e.tell(obs)
	p.e.factor, _ = p.e.bonus.Factors(p.e.t)
	p.a.sort()
	return nil
}

// Answer implements explore.Policy. It recommends what the question's
// relaxation asks for; Optimal are the arms recommended.
func (p *APE) Answer() explore.Answer {
	a := explore.Answer{Reasons: make([]explore.Reason, p.e.k)}
	for i := range a.Reasons {
		a.Reasons[i].By, a.Reasons[i].Constraint = -1, -1
	}
	if p.e.t == 0 {
		return a
	}
	a.Items = p.a.recommend()
	p.a.explain(a.Reasons, a.Items)
	return a
}

// ape is Adaptive Pareto Exploration among some arms of the estimates e.
type ape struct {
	e      *estimates
	q      question.Pareto
	leader Leader
	pull   PullRule

	arms  []int  // the arms in play, ascending
	s     []int  // S: their empirical Pareto set
	inS   []bool // by arm
	opt   []bool // OPT: by arm, confidently (eps1-)optimal
	count int    // |OPT|
	done  bool

	// Hints, by arm, of who ended a scan last time: see unresolved.
	hintS, hintH, hintG, hintU []int
}

// init starts APE among arms; nil means all.
func (a *ape) init(e *estimates, arms []int, q question.Pareto, leader Leader, pull PullRule) {
	a.e, a.q, a.leader, a.pull, a.done = e, q, leader, pull, false
	a.arms = append(a.arms[:0], arms...)
	if arms == nil {
		for i := range e.k {
			a.arms = append(a.arms, i)
		}
	}
	a.s = zeroed(a.s, e.k)[:0]
	a.inS, a.opt, a.count = zeroed(a.inS, e.k), zeroed(a.opt, e.k), 0
	a.hintS, a.hintH = zeroed(a.hintS, e.k), zeroed(a.hintH, e.k)
	a.hintG, a.hintU = zeroed(a.hintG, e.k), zeroed(a.hintU, e.k)
}

// sort computes S and OPT.
func (a *ape) sort() {
	a.s = a.e.front(a.s[:0], a.arms, a.hintS)
	clear(a.inS)
	for _, i := range a.s {
		a.inS[i] = true
	}
	clear(a.opt)
	a.count = 0
	for _, i := range a.arms {
		if a.h(i, 0) > 0 {
			a.opt[i] = true
			a.count++
		}
	}
}

// h returns h_i = min over j of M^-(i,j) + eps1, positive if i is confidently
// eps1-optimal, or any value of at most floor as soon as h_i is at most that.
func (a *ape) h(i int, floor float64) float64 {
	e, floor0 := a.e, floor-a.q.Epsilon
	if a.e.notDominated(i, a.arms[a.hintH[i]]) <= floor0 {
		return floor
	}
	least := inf
	row, wide := e.excess[i*e.k:][:e.k], e.width[i*e.k:][:e.k]
	for p, j := range a.arms {
		if m := row[j] - e.factor*wide[j]; m < least {
			least = m
			if m <= floor0 {
				a.hintH[i] = p
				return floor
			}
		}
	}
	return least + a.q.Epsilon
}

// g returns g_i = max over j of m^-(i,j) + eps2 1{j in OPT}, positive if i is
// confidently dominated (or covered by a confidently optimal arm), or any value
// of at least ceiling as soon as g_i is at least that.
func (a *ape) g(i int, ceiling float64) float64 {
	value := func(j int) float64 {
		m := a.e.dominated(i, j)
		if a.opt[j] {
			m += a.q.Cover
		}
		return m
	}
	if h := a.arms[a.hintG[i]]; value(h) >= ceiling {
		return ceiling
	}
	most := -inf
	for p, j := range a.arms {
		if m := value(j); m > most {
			most = m
			if m >= ceiling {
				a.hintG[i] = p
				return ceiling
			}
		}
	}
	return most
}

// unresolved returns the arm whose term in the stopping rule is least, -1 if
// all are at least 0: Z1 = min over S of h_i, Z2 = min over the other arms of
// max(h_i, g_i).
func (a *ape) unresolved() int {
	worst, arm := 0., -1
	for _, i := range a.arms {
		// Terms of at least worst need not be known exactly, and those below
		// need.
		var z float64
		if a.inS[i] {
			z = a.h(i, -inf)
		} else if z = a.g(i, worst); z < worst {
			z = max(z, a.h(i, z))
		}
		if z < worst {
			worst, arm = z, i
		}
	}
	return arm
}

// stop reports whether the stopping rule of the question holds.
func (a *ape) stop() bool {
	if a.q.AtMost > 0 && a.count >= a.q.AtMost {
		return true
	}
	return a.unresolved() < 0
}

// ask appends the pulls of the next round, none if the stopping rule holds.
func (a *ape) ask(dst []explore.Pull) []explore.Pull {
	if a.done = a.stop(); a.done {
		return dst
	}
	b := a.first()
	c := a.e.rival(b, a.arms)
	if a.pull == PullBoth {
		return append(dst, explore.Pull{Arm: b, N: 1}, explore.Pull{Arm: c, N: 1})
	}
	if a.e.n[c] < a.e.n[b] {
		b = c
	}
	return append(dst, explore.Pull{Arm: b, N: 1})
}

// first returns b, the first arm of a round.
func (a *ape) first() int {
	if a.leader == LeaderIndex {
		return a.unresolved()
	}
	// The arm outside OPT with the largest min over j of M^+(i,j). A scan ends
	// as soon as it shows that i has not the largest.
	e, most, arm := a.e, -inf, -1
next:
	for _, i := range a.arms {
		if a.opt[i] {
			continue
		}
		row, wide := e.excess[i*e.k:][:e.k], e.width[i*e.k:][:e.k]
		if j := a.arms[a.hintU[i]]; row[j]+e.factor*wide[j] <= most {
			continue
		}
		least := inf
		for p, j := range a.arms {
			if m := row[j] + e.factor*wide[j]; m < least {
				least, a.hintU[i] = m, p
				if m <= most {
					continue next
				}
			}
		}
		most, arm = least, i
	}
	return arm
}

// recommend returns the arms that the question's relaxation recommends.
func (a *ape) recommend() []int {
	var r []int
	if a.q.AtMost > 0 && a.count >= a.q.AtMost {
		for _, i := range a.arms {
			if a.opt[i] {
				r = append(r, i)
			}
		}
		slices.SortStableFunc(r, func(i, j int) int { return cmp.Compare(a.h(j, -inf), a.h(i, -inf)) })
		r = r[:a.q.AtMost]
		slices.Sort(r)
		return r
	}
	if a.q.Cover > 0 {
		for _, i := range a.arms {
			if a.opt[i] {
				r = append(r, i)
			}
		}
		return r
	}
	for _, i := range a.arms {
		if a.inS[i] {
			r = append(r, i)
		} else if _, m := a.e.dominator(i, a.arms); a.q.Epsilon > 0 && m <= 0 {
			r = append(r, i)
		}
	}
	return r
}

// explain fills in the reasons of the arms in play, items being recommended.
func (a *ape) explain(reasons []explore.Reason, items []int) {
	for _, i := range a.arms {
		r := &reasons[i]
		if slices.Contains(items, i) {
			a.e.ahead(r, i, a.arms)
			if a.done || a.opt[i] {
				r.Class = explore.Optimal
			}
			continue
		}
		by, m := a.e.dominator(i, a.arms)
		if among, ms := a.e.dominator(i, a.s); ms >= 0 || m < 0 && among >= 0 {
			by, m = among, ms // a member of the front is the better explanation
		}
		if m >= 0 || a.done && !a.opt[i] && by >= 0 {
			r.Class = explore.Dominated
			a.e.behind(r, i, by)
		} else {
			a.e.ahead(r, i, a.arms)
		}
	}
}
