// Package pareto supports policies that find Pareto sets. [Search] is the search of APE, [Stages]
// eliminates arms by empirical gaps, [Race] is the race in PAL and PFIwR, and [Posterior] serves
// linear models with several objectives.
//
//	a.Init(&estimates, nil, question.Pareto{}, pareto.Rules{}) // pareto.Search among all arms
//	a.Update(obs)                                              // after estimates.Tell(obs)
//	pulls = a.Ask(pulls)                                       // if empty, a.Recommend() is the answer
package pareto

import (
	"math"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// The fields of Rules select a variant of Search. In each round, Search chooses an arm b and a
// rival c of b. The zero value selects the variant of the paper.
type Rules struct {
	ByIndex bool // b is the arm with the least term in the stopping rule
	Least   bool // of b and c, only the arm with fewer pulls is pulled
}

// Search runs Adaptive Pareto Exploration on a subset of the arms.
//
// A round changes only the estimates of two arms and, slightly, the radii. Therefore, most findings
// about other arms remain valid. Each finding about an arm depends on one other arm, which is
// stored with the finding. The index of arm i is the minimum over j of the upper confidence bounds
// M^+(i,j). A finding about arm i is of one of three kinds: arm i is dominated (arms.Front),
// rival[i] keeps arm i from being certainly optimal, or the index of arm i is at most M^+(i,
// cap[i]). A finding is checked again when one of the two arms is pulled.
type Search struct {
	estimates *arms.Estimates
	question  question.Pareto
	rules     Rules

	arms  []int      // the active arms, ascending
	front arms.Front // S: empirical Pareto set of the active arms
	opt   []bool     // OPT, by arm: certainly (eps1-)optimal
	count int        // |OPT|
	done  bool

	rival []int // by arm outside OPT: an arm that keeps it out of OPT
	// The radius of a pair of arms is its width times a common factor. An arm i in OPT leaves OPT
	// when the factor is at least the minimum over j of (M(i,j) + eps1)/width_ij; until[i] is a
	// lower bound on this minimum.
	until []float64
	then  []float64 // k x d: estimates of arms in OPT when until was computed
	cap   []int     // by arm i: the arm j that probably minimises M^+(i,j)
	m, w  []float64 // by arm i: M(i,j) and the width of the pair, for j = cap[i]
	hintG []int     // by arm i: the arm that ended the last computation of g(i)
	open  int       // an arm that was unresolved in the last round

	factor float64 // factor of the radii at the last update
	fresh  []bool  // scratch of Update: pulled arms
	pulled []int
}

// Init starts a search among arms; nil means all arms.
func (a *Search) Init(e *arms.Estimates, arms []int, q question.Pareto, r Rules) {
	a.estimates, a.question, a.rules, a.done = e, q, r, false
	k := e.K
	a.arms = append(a.arms[:0], arms...)
	if arms == nil {
		for i := range k {
			a.arms = append(a.arms, i)
		}
	}
	a.front.Init(k)
	a.pulled = memory.Zeroed(a.pulled, k)[:0]
	a.opt, a.count, a.fresh = memory.Zeroed(a.opt, k), 0, memory.Zeroed(a.fresh, k)
	a.rival, a.cap, a.hintG = memory.Zeroed(a.rival, k), memory.Zeroed(a.cap, k), memory.Zeroed(a.hintG, k)
	a.until, a.m, a.w = memory.Zeroed(a.until, k), memory.Zeroed(a.m, k), memory.Zeroed(a.w, k)
	a.then = memory.Zeroed(a.then, k*e.D)
	a.open, a.factor = -1, 0
	for _, i := range a.arms {
		a.rival[i], a.cap[i], a.hintG[i] = a.arms[0], a.arms[0], a.arms[0]
	}
}

func (a *Search) inS(i int) bool { return a.front.Over[i] == i }

// Update computes S and OPT after the measurements obs; if obs is nil, all arms are considered new.
func (a *Search) Update(obs []explore.Batch) {
	e := a.estimates
	a.pulled = a.pulled[:0]
	if obs == nil || e.Factor < a.factor { // if radii shrink, all findings are checked again
		a.pulled = append(a.pulled, a.arms...)
	} else {
		for b := range obs {
			a.pulled = append(a.pulled, obs[b].Arm)
		}
	}
	a.factor = e.Factor
	for _, i := range a.pulled {
		a.fresh[i] = true
	}
	a.front.Update(e, a.arms, a.fresh, nil)
	a.count = 0
	fresh, opt, rival, cap := a.fresh, a.opt, a.rival, a.cap
	for _, i := range a.arms {
		if opt[i] || fresh[i] || fresh[rival[i]] { // in all other cases, arm i is still not certainly optimal
			if opt[i] = a.certain(i); opt[i] {
				a.count++
			}
		}
		if j := cap[i]; fresh[i] || fresh[j] {
			a.m[i], a.w[i] = e.Gap(i, j)
		}
	}
	for _, i := range a.pulled {
		a.fresh[i] = false
	}
}

// certain reports whether arm i is certainly optimal, that is, h_i > 0.
func (a *Search) certain(i int) bool {
	e, eps := a.estimates, a.question.Epsilon
	switch {
	case !a.opt[i] && e.NotDominated(i, a.rival[i])+eps <= 0:
		return false
	case a.opt[i]:
		u := a.until[i]
		if a.fresh[i] {
			u -= a.drift(i)
		}
		for _, j := range a.pulled {
			if m, w := e.Gap(i, j); j != i && m+eps < u*w {
				u = (m + eps) / w
			}
		}
		a.until[i] = u
		if e.Factor < u*(1-1e-12) {
			return true
		}
	}
	u := inf
	for _, j := range a.arms {
		if j == i {
			continue
		}
		m, w := e.Gap(i, j)
		if m-e.Factor*w+eps <= 0 {
			a.rival[i] = j
			return false
		}
		if m+eps < u*w {
			u = (m + eps) / w
		}
	}
	a.until[i] = u
	copy(a.then[i*e.D:][:e.D], e.Row(i))
	return true
}

// drift returns the largest possible decrease of until[i] due to a pull of arm i, which changed the
// estimate of i. drift divides the change by the width for the term of arm i alone. No width of a
// pair with arm i is smaller, however often the other arm is pulled.
func (a *Search) drift(i int) float64 {
	e := a.estimates
	then, most := a.then[i*e.D:][:e.D], 0.
	for c, v := range e.Row(i) {
		if x := math.Abs(v - then[c]); x > most {
			most = x
		}
		then[c] = v
	}
	return most / e.Bonus.Pair(e.Term[i], radius.Term{})
}

// h returns h_i = min over j of M^-(i,j) + eps1, where M^-(i,j) is the lower confidence bound on
// M(i,j). If h_i is positive, arm i is certainly eps1-optimal. To save time, h may return any value
// below floor if h_i is below floor.
func (a *Search) h(i int, floor float64) float64 {
	if h := a.estimates.NotDominated(i, a.rival[i]) + a.question.Epsilon; h < floor {
		return h
	}
	least := inf
	for _, j := range a.arms {
		if h := a.estimates.NotDominated(i, j) + a.question.Epsilon; h < least {
			least = h
			if h < floor {
				break
			}
		}
	}
	return least
}

// g returns g_i = max over j of m^-(i,j) + eps2 1{j in OPT}. Here, m^-(i,j) is the lower confidence
// bound on the amount by which j is better than i in every objective. If g_i is positive, arm i is
// certainly dominated, or covered by a certainly optimal arm. To save time, g may return any value
// of at least ceiling if g_i is at least ceiling.
func (a *Search) g(i int, ceiling float64) float64 {
	value := func(j int) float64 {
		m := a.estimates.Dominated(i, j)
		if a.opt[j] {
			m += a.question.Cover
		}
		return m
	}
	if h := a.hintG[i]; value(h) >= ceiling {
		return ceiling
	}
	most := -inf
	for _, j := range a.arms {
		if m := value(j); m > most {
			most = m
			if m >= ceiling {
				a.hintG[i] = j
				return ceiling
			}
		}
	}
	return most
}

// unresolved returns the arm with the smallest term in the stopping rule, or -1 if all terms are at
// least 0. The terms are h_i for arms in S and max(h_i, g_i) for other arms.
func (a *Search) unresolved() int {
	worst, arm := 0., -1
	for _, i := range a.arms {
		// If a term is at least worst, its exact value is not needed.
		var z float64
		if a.inS(i) {
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

// isOpen reports whether the term of arm i in the stopping rule is negative.
func (a *Search) isOpen(i int) bool {
	return !a.opt[i] && (a.inS(i) || a.g(i, 0) < 0) && a.h(i, 0) < 0
}

// enough reports whether there are enough certainly optimal arms for the question.
func (a *Search) enough() bool { return a.question.AtMost > 0 && a.count >= a.question.AtMost }

// resolved reports whether no term in the stopping rule is negative.
func (a *Search) resolved() bool {
	// Arms in S are checked first, because checking them is cheap.
	if a.open >= 0 && a.inS(a.open) && a.isOpen(a.open) {
		return false
	}
	for _, i := range a.front.Members {
		if a.isOpen(i) {
			a.open = i
			return false
		}
	}
	if a.open >= 0 && a.isOpen(a.open) {
		return false
	}
	for _, i := range a.arms {
		if !a.inS(i) && a.isOpen(i) {
			a.open = i
			return false
		}
	}
	return true
}

// Ask appends the pulls of the next round. If the stopping rule is satisfied, Ask appends no pulls.
func (a *Search) Ask(dst []explore.Pull) []explore.Pull {
	b, c := -1, -1
	switch {
	case a.enough():
	case a.rules.ByIndex:
		if b = a.unresolved(); b >= 0 {
			c = a.estimates.Rival(b, a.arms)
		}
	default:
		var open bool
		// Arm b is unresolved in most rounds, so resolved is rarely called.
		if b, c, open = a.first(); !open && a.resolved() {
			b = -1
		}
	}
	if a.done = b < 0; a.done {
		return dst
	}
	if !a.rules.Least {
		return append(dst, explore.Pull{Arm: b, N: 1}, explore.Pull{Arm: c, N: 1})
	}
	if a.estimates.N[c] < a.estimates.N[b] {
		b = c
	}
	return append(dst, explore.Pull{Arm: b, N: 1})
}

// first returns the arm b outside OPT with the largest index (the minimum over j of M^+(i,j)), the
// rival of b, and whether b is unresolved. If all arms are in OPT, first returns -1. The arm that
// is likely to have the largest index is evaluated first, so that scans for the other arms end
// early.
func (a *Search) first() (b, rival int, open bool) {
	b, rival = -1, -1
	most := -inf
	m, w, factor := a.m, a.w, a.estimates.Factor
	for _, i := range a.arms {
		if u := m[i] + factor*w[i]; (b < 0 || u > most) && !a.opt[i] {
			most, b = u, i
		}
	}
	likely := b
	if b >= 0 {
		most, rival, open = a.index(b, -inf, b)
	}
	for _, i := range a.arms {
		if u := m[i] + factor*w[i]; u < most || u == most && i > b || a.opt[i] || i == likely {
			continue
		}
		if u, closest, is := a.index(i, most, b); u > most || u == most && i < b {
			most, b, rival, open = u, i, closest, is
		}
	}
	return b, rival, open
}

// index returns the index of arm i, the rival of i, and whether i is unresolved. The argument most
// is the index of arm b. To save time, index may return any value below most if the index of i is
// below most, and any value up to most if the index of i equals most and b < i.
func (a *Search) index(i int, most float64, b int) (least float64, rival int, open bool) {
	e, d := a.estimates, a.estimates.D
	own, term, factor := e.Mean[i*d:][:d], e.Term[i], e.Factor
	least, rival = inf, -1
	closest, dominated := inf, -inf // h_i - eps1 and g_i of the stopping rule
	for _, j := range a.arms {
		if j == i {
			continue
		}
		other := e.Mean[j*d:][:d]
		m := own[0] - other[0]
		for c := 1; c < d; c++ {
			if v := own[c] - other[c]; v > m {
				m = v
			}
		}
		w := e.Bonus.Pair(term, e.Term[j])
		beta := factor * w
		if v := m - beta; v < closest {
			closest, rival = v, j
		}
		v := -m - beta
		if a.opt[j] {
			v += a.question.Cover
		}
		if v > dominated {
			dominated = v
		}
		if u := m + beta; u < least {
			least, a.cap[i], a.m[i], a.w[i] = u, j, m, w
			if u < most || u == most && i > b {
				return least, -1, false
			}
		}
	}
	return least, rival, closest+a.question.Epsilon < 0 && (a.inS(i) || dominated < 0)
}

// inf is +Inf, which is also the minimum of an empty set of numbers.
var inf = math.Inf(1)
