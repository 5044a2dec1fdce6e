package linear

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
)

// Greedy plans the pulls of a phase one by one, until the largest variance of a difference of
// active items is at most target. If perPull is true, target is the limit for the largest variance
// divided by the number of pulls. In each step, Greedy pulls the arm that most reduces the largest
// variance. If several differences have the largest variance, a single pull may be unable to reduce
// the largest variance. Greedy then pulls the arm that most reduces the variance of the first of
// these differences. The pulls do not depend on rewards, so Ask can request the whole phase at
// once.
//
// Greedy maintains the inverse information matrix W by rank-one updates. A pull of x reduces the
// variance y'Wy by (y'Wx)^2/(1 + x'Wx). To evaluate an arm, Greedy considers differences in
// descending order of variance, until the remaining differences cannot change which arm is chosen.
// Greedy returns the final value of the largest variance or, if perPull is true, of the variance
// divided by the number of pulls.
func (p *Phases) Greedy(target float64, perPull bool) (reached float64, err error) {
	g, err := newGreedy(&p.Model, p.Survivors.Active)
	if err != nil {
		return 0, err
	}
	for {
		g.measure()
		reached = g.pairs[0].variance
		if perPull {
			reached /= float64(Total(g.counts))
		}
		if reached <= target*(1+tie) {
			p.Counts = g.counts
			return reached, nil
		}
		if float64(Total(g.counts)) > mostGreedy {
			return 0, p.Survivors.Tied(p.prob, inf)
		}
		g.pull(g.best())
	}
}

// greedy is the state of [Phases.Greedy].
type greedy struct {
	l      *Model
	counts []int // by arm: number of pulls
	pairs  []greedyPair
	z      *mat.Dense // active items
	w      mat.Dense  // the inverse information W
	zw     mat.Dense  // Z W
	gain   mat.Dense  // Z W X'
	lever  []float64  // K: 1 + x'Wx
	u      *mat.VecDense
}

// greedyPair is a difference of two items, given by their positions among the active items.
type greedyPair struct {
	i, j     int
	variance float64
}

// newGreedy returns the state after one reward of each arm in a set that spans the model.
func newGreedy(l *Model, active []int) (*greedy, error) {
	n, m := len(active), l.Rank
	if err := explore.CheckTable("pairs of items", n, n); err != nil {
		return nil, fmt.Errorf("policy: %w; ask about fewer items, or leave Greedy false", err)
	}
	g := &greedy{
		l: l, counts: make([]int, l.K), pairs: make([]greedyPair, 0, n*(n-1)/2),
		z: mat.NewDense(n, m, nil), lever: make([]float64, l.K), u: mat.NewVecDense(m, nil),
	}
	for i := range n {
		for j := range i {
			g.pairs = append(g.pairs, greedyPair{i, j, 0})
		}
	}
	for r, i := range active {
		g.z.SetRow(r, l.Item(i))
	}
	a := mat.NewDense(m, m, nil)
	for _, i := range l.Span.Points() {
		g.counts[i] = 1
		x := mat.NewVecDense(m, l.Arm(i))
		a.RankOne(a, 1, x, x)
	}
	return g, g.w.Inverse(a)
}

// measure computes the variances of the differences, and sorts differences in descending order of
// variance.
func (g *greedy) measure() {
	g.zw.Mul(g.z, &g.w)
	for q := range g.pairs {
		r := &g.pairs[q]
		v := 0.
		for c, zi := range g.z.RawRowView(r.i) {
			v += (zi - g.z.At(r.j, c)) * (g.zw.At(r.i, c) - g.zw.At(r.j, c))
		}
		r.variance = v
	}
	slices.SortFunc(g.pairs, func(a, b greedyPair) int { return cmp.Compare(b.variance, a.variance) })
}

func (g *greedy) best() int {
	g.gain.Mul(&g.zw, g.l.X.T())
	best, least, first := -1, inf, 0.
	for k := range g.l.K {
		g.u.MulVec(&g.w, mat.NewVecDense(g.l.Rank, g.l.Arm(k)))
		g.lever[k] = 1 + floats.Dot(g.u.RawVector().Data, g.l.Arm(k))
		worst := 0.
		for _, r := range g.pairs {
			if r.variance <= worst || worst > least*(1+tie) {
				break
			}
			d := g.gain.At(r.i, k) - g.gain.At(r.j, k)
			worst = max(worst, r.variance-d*d/g.lever[k])
		}
		d := g.gain.At(g.pairs[0].i, k) - g.gain.At(g.pairs[0].j, k)
		gain := d * d / g.lever[k]
		if worst < least*(1-tie) || worst <= least*(1+tie) && gain > first*(1+tie) {
			best, least, first = k, worst, gain
		}
	}
	return best
}

// pull adds a pull of arm k. Call best first, because best computes the leverage of k.
func (g *greedy) pull(k int) {
	g.u.MulVec(&g.w, mat.NewVecDense(g.l.Rank, g.l.Arm(k)))
	g.w.RankOne(&g.w, -1/g.lever[k], g.u, g.u)
	g.counts[k]++
}

// tie is the relative difference below which two variances count as equal.
const tie = 1e-12

// mostGreedy is the largest number of pulls in a greedy phase.
const mostGreedy = 1e7

// Ratios selects the arm that lags furthest behind the optimal proportions for estimating the
// difference y of two items. Let u be the vector of least 1-norm with X'u = y; then the optimal
// proportions are proportional to |u| (LinGapE; Xu, Honda and Sugiyama, 2018, (11)). If arms have
// costs, each row of X is first divided by the square root of the arm's cost; |u| then gives the
// arms' shares of the total cost. For each pair of items, Ratios computes the proportions only
// once.
type Ratios struct {
	l  *Model
	x  *mat.Dense // arms divided by the square roots of their costs
	of map[[2]int]ratio
	y  []float64
}

// ratio is a design for one difference: a list of arms with their proportions.
type ratio struct {
	arms   []int
	weight []float64
}

// Init initialises r for the arms of l.
func (r *Ratios) Init(l *Model) {
	*r = Ratios{l: l, x: l.PerCost(), of: make(map[[2]int]ratio), y: make([]float64, l.Rank)}
}

// Lagging returns the arm k with the smallest n_k/p_k. Here, p_k is the proportion of arm k for the
// difference of the distinct items i and j, and n_k is the number of rewards of arm k.
func (r *Ratios) Lagging(i, j int, n []float64) (arm int, err error) {
	d, err := r.design(min(i, j), max(i, j))
	if err != nil {
		return 0, err
	}
	least := math.Inf(1)
	for c, k := range d.arms {
		if share := n[k] / d.weight[c]; share < least {
			least, arm = share, k
		}
	}
	return arm, nil
}

// design returns the proportions for the difference of items i and j, where i < j.
func (r *Ratios) design(i, j int) (ratio, error) {
	if d, ok := r.of[[2]int{i, j}]; ok {
		return d, nil
	}
	floats.SubTo(r.y, r.l.Item(i), r.l.Item(j))
	u, norm, err := design.Elfving(r.x, r.y)
	if err != nil {
		return ratio{}, err
	}
	var d ratio
	for k, v := range u {
		// In a basic solution of the linear program, zero entries differ from 0 only by rounding
		// errors.
		if v = math.Abs(v) / norm; v > 1e-12 {
			if r.l.Costs != nil {
				v /= r.l.Costs[k]
			}
			d.arms, d.weight = append(d.arms, k), append(d.weight, v)
		}
	}
	r.of[[2]int{i, j}] = d
	return d, nil
}
