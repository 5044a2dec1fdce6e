package alternative

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/internal/activeset"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
)

// An AllEpsilon computes nature's move in the game for all epsilon-best items. Nature chooses the
// means that have a different set of epsilon-best items and are cheapest, that is, hardest to
// distinguish from the true means. Rewards are Gaussian of unit variance. A displacement delta of
// the parameters changes the mean of an arm with features x by x'delta, and the mean of an item
// with features z by z'delta. If each arm k is pulled w_k times, the cost of the displacement is
// the sum over arms of w_k (x_k'delta)^2/2.
//
// The set of epsilon-best items changes in one of two ways. First, an item i of the set may fall
// below the threshold that another item j determines. Any item j other than i is possible, because
// j may become the best item; with a multiplicative tolerance, j may also be i. The nearest
// displacement that makes item i fall has a closed form. Second, an item outside the set may enter
// the set; to enter, it must come within epsilon of every item simultaneously. The nearest
// displacement that makes an item enter is the solution of a small quadratic program. (Theorem 3.2
// of the LinFACT paper requires only that an entering item comes within epsilon of the best item.
// The condition of the theorem does not suffice for an item to enter the set if other items are
// nearly as good as the best item.)
//
// Call SetMeans once, and then Cost any number of times. After the first calls, SetMeans and Cost
// allocate no memory.
type AllEpsilon struct {
	k, n, m        int
	factor, offset float64
	x, z           *mat.Dense // K x m and n x m: arms and items, in coordinates of the span of the arms

	ready  bool
	mu     []float64 // n
	inside []bool    // n: whether the item is in the set
	best   int

	a      []float64 // m x m: the information, then its Cholesky factor L
	u      []float64 // n x m: whitened items, L^-1 z
	row    []float64 // m
	delta  []float64 // m
	origin []float64 // m
	rows   activeset.System
	qp     activeset.Projector
	bound  []entry // items outside the set, with lower bounds on their costs of entering
	ways   []way
	shift  []float64 // K
}

// An entry is an item outside the set, with a lower bound on the cost of its entry into the set.
type entry struct {
	item  int
	bound float64
}

// A way is a possible change of the set, whose displacement has not been computed yet.
type way struct {
	item, by int // by is the item that sets the threshold, or -1 if the item enters the set
	cost     float64
}

// A Way is a change of the set of all epsilon-best items.
type Way struct {
	// If By is not -1, Item falls below the threshold that item By determines; otherwise, Item
	// enters the set.
	Item, By int
	// Cost is the cost of the cheapest means under which the set changes in this way.
	Cost float64
	// Shift is the displacement of the mean of each arm, K numbers. Arm k contributes w_k
	// Shift_k^2/2 to the cost.
	Shift []float64
}

// singular is the least squared relative pivot of a regular Cholesky factorization; with a smaller
// pivot, the information matrix counts as singular.
const singular = 1e-13

// The following constants are panic messages of an AllEpsilon.
const (
	panicItems    = "alternative: the number of means differs from the number of items"
	panicArms     = "alternative: the number of weights differs from the number of arms"
	panicUnready  = "alternative: AllEpsilon used before SetMeans"
	panicNoWeight = "alternative: weights are negative, or all 0"
)

// NewAllEpsilon returns an AllEpsilon for the question q. Items have features z, n x h, and arms
// have features x, K x h, one per row. If z is nil, the items are the arms. If arms have no
// features, pass unit vectors or, for speed, use [NewAllEpsilonArms]. If measurements of the arms
// cannot identify the comparisons of items, the error wraps design.ErrSpan.
func NewAllEpsilon(q question.AllEpsilonBest, x, z *mat.Dense) (*AllEpsilon, error) {
	span := lsq.NewSpan(x)
	r := &AllEpsilon{m: span.Rank()}
	r.k, _ = x.Dims()
	r.factor, r.offset = q.Line()
	if r.m == 0 {
		return nil, fmt.Errorf("alternative: the features of all %d arms are zero: %w", r.k, design.ErrSpan)
	}
	r.x = span.Coordinates(x)
	r.z = r.x
	if z != nil {
		if err := spanned(span, z, r.factor); err != nil {
			return nil, err
		}
		r.z = span.Coordinates(z)
	}
	r.n, _ = r.z.Dims()
	r.mu, r.inside, r.shift = make([]float64, r.n), make([]bool, r.n), make([]float64, r.k)
	r.a, r.row, r.delta = make([]float64, r.m*r.m), make([]float64, r.m), make([]float64, r.m)
	r.u, r.origin = make([]float64, r.n*r.m), make([]float64, r.m)
	return r, nil
}

// spanned returns an error unless measurements of the arms identify, for all i and j, the mean of
// item i minus factor times the mean of item j. If factor is 1, only the differences of items must
// be in the span of the arms.
func spanned(span *lsq.Span, z *mat.Dense, factor float64) error {
	n, h := z.Dims()
	y := make([]float64, h)
	for i := range n {
		copy(y, z.RawRowView(i))
		if factor == 1 {
			floats.Sub(y, z.RawRowView(0))
		}
		if floats.Norm(y, math.Inf(1)) == 0 {
			continue
		}
		if out := span.Outside(y); out > 10*lsq.RankTolerance {
			return &design.SpanError{I: i, J: -1, Outside: out}
		}
	}
	return nil
}

// SetMeans copies the means of the items, n numbers.
func (r *AllEpsilon) SetMeans(mu []float64) {
	if len(mu) != r.n {
		panic(panicItems)
	}
	copy(r.mu, mu)
	r.best = floats.MaxIdx(mu)
	for i := range r.n {
		r.inside[i] = r.slack(i, r.best) >= 0
	}
	r.ready = true
}

// Inside reports whether item i is among the epsilon-best items for the means given to SetMeans.
func (r *AllEpsilon) Inside(i int) bool { return r.inside[i] }

// slack returns the distance by which item i is above the threshold that item j determines.
func (r *AllEpsilon) slack(i, j int) float64 {
	return r.mu[i] - r.factor*r.mu[j] + r.offset
}

// Cost returns F(w), the cost of the cheapest alternative for the weights w, one per arm. The
// weights must be at least 0 and not all 0; they need not sum to 1. If no alternative exists, for
// example for one arm with an additive tolerance, F(w) is +Inf. If grad is not nil, Cost stores in
// it the derivatives of F: the cost of the cheapest alternative per unit of weight of each arm. The
// vector grad is a super-gradient of the concave F: v.grad >= F(v) for all v. Cost panics if the
// length of w or grad is not K.
//
// If the information matrix is singular, some displacements cost nothing. Cost then increases all
// weights by 1e-12 times their mean. If the matrix is still singular, Cost repeatedly makes the
// increase 100 times larger until the matrix is regular. Cost returns F for the increased weights.
//
// Cost takes O(K m^2 + m^3) operations for rank m, and O(g n m) for the g items of the set. Each
// item outside the set whose lower bound is below the cheapest alternative also needs a quadratic
// program, at O(n m) per step.
func (r *AllEpsilon) Cost(grad, w []float64) float64 {
	if grad != nil && len(grad) != r.k {
		panic(panicArms)
	}
	r.whiten(w)
	best := r.falls(1)
	for _, e := range r.entries() {
		if e.bound >= best {
			break
		}
		if c := r.enter(e.item); c < best {
			best = c
			r.ways = append(r.ways[:0], way{e.item, -1, c})
		}
	}
	if math.IsInf(best, 1) {
		clear(grad)
		return best
	}
	// If several changes of the set are equally cheap, use the first.
	at := 0
	for i, t := range r.ways {
		if t.cost < r.ways[at].cost {
			at = i
		}
	}
	t := r.ways[at]
	r.move(r.shift, t)
	for i := range grad {
		grad[i] = r.shift[i] * r.shift[i] / 2
	}
	return best
}

// Ways appends to dst the changes of the set whose cost is at most ratio times F(w), for ratio >=
// 1, the cheapest first. The argument most is the largest number of these changes. Then, for each
// item in also that is outside the set, Ways appends the change by which the item enters, at any
// finite cost. No change is appended twice.
func (r *AllEpsilon) Ways(dst []Way, w []float64, ratio float64, most int, also []int) []Way {
	r.whiten(w)
	best := r.falls(ratio)
	for _, e := range r.entries() {
		if e.bound > ratio*best && !slices.Contains(also, e.item) {
			continue
		}
		c := r.enter(e.item)
		best = min(best, c)
		r.ways = append(r.ways, way{e.item, -1, c})
	}
	slices.SortStableFunc(r.ways, func(a, b way) int { return cmp.Compare(a.cost, b.cost) })
	taken := 0
	for _, t := range r.ways {
		near := taken < most && t.cost <= ratio*best
		if math.IsInf(t.cost, 1) || !near && !(t.by < 0 && slices.Contains(also, t.item)) {
			continue
		}
		taken++
		shift := make([]float64, r.k)
		r.move(shift, t)
		dst = append(dst, Way{t.item, t.by, t.cost, shift})
	}
	return dst
}

func (r *AllEpsilon) whiten(w []float64) {
	if !r.ready {
		panic(panicUnready)
	}
	if len(w) != r.k {
		panic(panicArms)
	}
	if !(floats.Sum(w) > 0) || !(floats.Min(w) >= 0) {
		panic(panicNoWeight)
	}
	for more := 0.; !r.factorize(w, more); {
		more = max(1e-12*floats.Sum(w)/float64(r.k), 100*more)
	}
	l := blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: r.m, Stride: r.m, Data: r.a}
	for i := range r.n {
		copy(r.u[i*r.m:][:r.m], r.z.RawRowView(i))
	}
	u := blas64.General{Rows: r.n, Cols: r.m, Stride: r.m, Data: r.u}
	blas64.Trsm(blas.Right, blas.Trans, 1, l, u)
}

// factorize computes the Cholesky factor of the information matrix for the weights w, after the
// number more is added to each weight. If the matrix is singular, factorize returns false.
func (r *AllEpsilon) factorize(w []float64, more float64) bool {
	m := r.m
	clear(r.a)
	for i, v := range w {
		if v += more; v > 0 {
			x := r.x.RawRowView(i)
			for c, xc := range x {
				floats.AddScaled(r.a[c*m:][:c+1], v*xc, x[:c+1])
			}
		}
	}
	for c := range m {
		r.row[c] = r.a[c*m+c]
	}
	sym := blas64.Symmetric{Uplo: blas.Lower, N: m, Stride: m, Data: r.a}
	_, ok := lapack64.Potrf(sym)
	for c, v := range r.row {
		if d := r.a[c*m+c]; !(d*d > singular*v) {
			ok = false
		}
	}
	return ok
}

// difference stores in row the whitened vector of item i minus factor times the whitened vector of
// item j, and returns the squared length of row.
func (r *AllEpsilon) difference(i, j int) float64 {
	ui, uj, s := r.u[i*r.m:][:r.m], r.u[j*r.m:][:r.m], 0.
	for c, v := range ui {
		v -= r.factor * uj[c]
		r.row[c] = v
		s += v * v
	}
	return s
}

// falls considers all changes by which an item of the set falls. It stores a change in ways if the
// cost is at most ratio times the least cost so far. falls returns the least cost.
func (r *AllEpsilon) falls(ratio float64) float64 {
	r.ways = r.ways[:0]
	best := math.Inf(1)
	for i, in := range r.inside {
		if !in {
			continue
		}
		for j := range r.n {
			square := r.difference(i, j)
			// If square is 0, no displacement changes the slack. With an additive tolerance, this
			// occurs if i = j or if items i and j have equal features.
			if square == 0 {
				continue
			}
			slack := r.slack(i, j)
			cost := slack * slack / (2 * square)
			if cost <= ratio*best {
				best = min(best, cost)
				r.ways = append(r.ways, way{i, j, cost})
			}
		}
	}
	return best
}

// entries sorts the items outside the set by a lower bound on the cost of entering: the cost of
// coming within epsilon of the best item only.
func (r *AllEpsilon) entries() []entry {
	r.bound = r.bound[:0]
	for i, in := range r.inside {
		if in {
			continue
		}
		slack := r.slack(i, r.best)
		r.bound = append(r.bound, entry{i, slack * slack / (2 * r.difference(i, r.best))})
	}
	slices.SortFunc(r.bound, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.bound, b.bound), a.item-b.item)
	})
	return r.bound
}

// enter returns the cost at which item i enters the set, and stores in delta the shortest whitened
// displacement that moves item i above all thresholds.
func (r *AllEpsilon) enter(i int) float64 {
	s := &r.rows
	s.M, s.D, s.A, s.B = 0, r.m, s.A[:0], s.B[:0]
	for j := range r.n {
		square, slack := r.difference(i, j), r.slack(i, j)
		if square == 0 {
			if slack < 0 {
				return math.Inf(1)
			}
			continue
		}
		length := math.Sqrt(square)
		for _, v := range r.row {
			s.A = append(s.A, -v/length)
		}
		s.B = append(s.B, slack/length)
		s.M++
	}
	if r.qp.Project(s, r.origin, -1) != activeset.Solved {
		return math.Inf(1)
	}
	copy(r.delta, r.qp.X)
	return floats.Dot(r.delta, r.delta) / 2
}

// move stores in shift the displacements of the arms' means for the change t of the set.
func (r *AllEpsilon) move(shift []float64, t way) {
	if t.by < 0 {
		r.enter(t.item)
	} else {
		square := r.difference(t.item, t.by)
		floats.ScaleTo(r.delta, -r.slack(t.item, t.by)/square, r.row)
	}
	// In the original coordinates, the displacement is L^-T delta.
	l := blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: r.m, Stride: r.m, Data: r.a}
	blas64.Trsv(blas.Trans, l, blas64.Vector{N: r.m, Inc: 1, Data: r.delta})
	for i := range shift {
		shift[i] = floats.Dot(r.x.RawRowView(i), r.delta)
	}
}
