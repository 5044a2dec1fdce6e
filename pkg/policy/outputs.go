package policy

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
)

// outputs is what policies share that look for the Pareto set by discarding
// arms with large empirical gaps: estimates of the means, with or without a
// linear model, the empirical Pareto set of the active arms, and their gaps.
//
// Arms are the distinct arms of linear, numbered from 0 to n-1: arms with the
// same features are a class, which is answered together. Without features every
// arm is a class of its own.
type outputs struct {
	l       linear // x is nil without features
	prob    *explore.Problem
	q       question.Pareto
	d       int
	number  []int     // by distinct arm, its rewards
	sum     []float64 // n x d
	mean    []float64 // n x d: the estimates, of arms that have been estimated
	fit     *lsq.Fit  // nil without features
	active  []int     // A, ascending
	front   []int     // S: empirical Pareto set of the arms active when last estimated, ascending
	order   []int     // these arms, from the first to keep to the first to discard
	inS     []bool    // by distinct arm
	gap     []float64 // by distinct arm, empirical
	optimal []bool    // by distinct arm, B: discarded as optimal
	over    bool

	margin  []float64 // by position in the active arms, D_i: max over j of m(i,j)
	scratch []float64
}

// init prepares for p, with its features if linear is true and there are any.
func (o *outputs) init(p *explore.Problem, linear bool) error {
	q, ok := p.Question.(question.Pareto)
	if !ok || p.Z != nil {
		return fmt.Errorf("policy: %T; want question.Pareto about the arms (Z nil): %w", p.Question, explore.ErrQuestion)
	}
	o.prob, o.q, o.d = p, q, p.D()
	if linear && p.X != nil {
		if err := o.l.features(p); err != nil {
			return err
		}
		o.fit = lsq.NewFit(o.l.m, o.d)
	} else {
		o.unstructured()
	}
	n := o.l.n
	o.number, o.sum = zeroed(o.number, n), zeroed(o.sum, n*o.d)
	o.mean, o.gap = zeroed(o.mean, n*o.d), zeroed(o.gap, n)
	o.inS, o.optimal = zeroed(o.inS, n), zeroed(o.optimal, n)
	o.margin, o.scratch = zeroed(o.margin, n), zeroed(o.scratch, n)
	o.front, o.order = zeroed(o.front, n)[:0], zeroed(o.order, n)[:0]
	o.active = zeroed(o.active, n)
	for i := range o.active {
		o.active[i] = i
	}
	o.over = n == 1
	return nil
}

// unstructured makes every arm a class of its own.
func (o *outputs) unstructured() {
	k := o.prob.K()
	class := zeroed(o.l.class, k)
	for i := range class {
		class[i] = i
	}
	o.l = linear{k: k, m: k, n: k, class: class, first: class, sigma: o.prob.Sigma}
	o.fit = nil
}

// row returns the estimate of distinct arm i.
func (o *outputs) row(i int) []float64 { return o.mean[i*o.d:][:o.d] }

// forget drops the rewards so far.
func (o *outputs) forget() {
	clear(o.number)
	clear(o.sum)
}

// add takes rewards.
func (o *outputs) add(obs []explore.Batch) {
	for b := range obs {
		i := o.l.class[obs[b].Arm]
		o.number[i] += obs[b].N
		sum := o.sum[i*o.d:][:o.d]
		for c, x := range obs[b].Sum {
			sum[c] += x
		}
	}
}

// averages estimates the active arms by the averages of their rewards. That is
// least squares for features that are linearly independent.
func (o *outputs) averages() {
	for _, i := range o.active {
		n := float64(o.number[i])
		mean := o.row(i)
		for c, x := range o.sum[i*o.d:][:o.d] {
			mean[c] = x / n
		}
	}
}

// leastSquares estimates the active arms by least squares.
func (o *outputs) leastSquares() error {
	o.fit.Reset()
	for i, n := range o.number {
		if n > 0 {
			o.fit.Add(o.l.item(i), n, o.sum[i*o.d:][:o.d])
		}
	}
	spans := o.fit.Solve()
	for _, i := range o.active {
		x := o.l.item(i)
		// No allocation spans less than the active arms, but for rounding.
		if !spans && o.fit.Outside(x) > 1e-6 {
			return errors.New("policy: the arms left are too close to collinear for least squares; drop arms that nearly coincide with others")
		}
		for c := range o.d {
			o.mean[i*o.d+c] = o.fit.Mean(x, c)
		}
	}
	return nil
}

// classify computes S and the empirical gaps of the active arms, the maxima and
// minima being over these.
func (o *outputs) classify() {
	gap, margin := o.scratch[:len(o.active)], o.margin[:len(o.active)]
	pareto.GapsOfTo(gap, margin, o.mean, o.d, o.active)
	clear(o.inS)
	o.front = o.front[:0]
	for p, i := range o.active {
		o.gap[i] = gap[p]
		if margin[p] < 0 || margin[p] == 0 && !o.dominated(i) {
			o.inS[i] = true
			o.front = append(o.front, i)
		}
	}
	o.order = append(o.order[:0], o.active...)
}

// dominated reports whether the estimate of arm i is dominated by that of an
// active arm. Unlike D_i <= 0 this tells copies from arms that are behind in
// some objectives only.
func (o *outputs) dominated(i int) bool {
	for _, j := range o.active {
		if pareto.Dominates(o.row(j), o.row(i)) {
			return true
		}
	}
	return false
}

// compare orders active arms from the first to keep to the first to discard: by
// gap, and empirically optimal arms before the others. Such ties are common, as
// two arms often owe their gaps to each other; a dominated arm must not outlive
// the one that dominates it. The rest is to decide in a way that does not depend
// on how arms are numbered.
func (o *outputs) compare(i, j int) int {
	if c := cmp.Compare(o.gap[i], o.gap[j]); c != 0 {
		return c
	}
	if o.inS[i] != o.inS[j] {
		if o.inS[i] {
			return -1
		}
		return 1
	}
	if c := slices.Compare(o.row(j), o.row(i)); c != 0 {
		return c
	}
	return cmp.Compare(i, j)
}

// keep keeps the n active arms with the smallest empirical gaps. The others are
// discarded, as optimal if they are in S.
func (o *outputs) keep(n int) {
	slices.SortFunc(o.order, o.compare)
	for _, i := range o.order[n:] {
		o.optimal[i] = o.inS[i]
	}
	o.active = append(o.active[:0], o.order[:n]...)
	slices.Sort(o.active)
	o.over = n == 1
}

// member reports whether distinct arm i is in the answer so far: B, and the
// active arms that are in S or, when all is over, all active arms.
func (o *outputs) member(i int) bool {
	if o.optimal[i] {
		return true
	}
	_, active := slices.BinarySearch(o.active, i)
	return active && (o.over || o.inS[i])
}

// items returns the members of the answer, class by class.
func (o *outputs) items() []int {
	var items []int
	for i, c := range o.l.class {
		if o.member(c) {
			items = append(items, i)
		}
	}
	return items
}

// Answer implements explore.Policy for a fixed budget, which certifies nothing.
func (o *outputs) Answer() explore.Answer { return explore.Answer{Items: o.items()} }

// closest returns the distinct arm among set that comes closest to dominating i,
// or dominates it most, and M(i, it): by how much i is ahead of it in some
// objective. It is -1 and +Inf if there is no other arm in set.
func (o *outputs) closest(i int, set []int) (by int, excess float64) {
	by, excess = -1, inf
	mean := o.row(i)
next:
	for _, j := range set {
		if j == i {
			continue
		}
		m := -inf
		for c, x := range o.row(j) {
			if m = max(m, mean[c]-x); m >= excess {
				continue next
			}
		}
		by, excess = j, m
	}
	return by, excess
}

// each appends n pulls of every active arm.
func (o *outputs) each(dst []explore.Pull, n int) []explore.Pull {
	for _, i := range o.active {
		dst = append(dst, explore.Pull{Arm: o.l.first[i], N: n})
	}
	return dst
}

// nearest returns the two active arms that are closest to a tie: one is ahead of
// the other by next to nothing, or behind it. There are at least two.
func (o *outputs) nearest() (i, j int, excess float64) {
	excess = inf
	for _, a := range o.active {
		for _, b := range o.active {
			if a != b {
				if m := pareto.Excess(o.row(a), o.row(b)); math.Abs(m) < math.Abs(excess) {
					i, j, excess = a, b, m
				}
			}
		}
	}
	return i, j, excess
}
