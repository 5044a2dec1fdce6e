package alternative_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A setting is an instance of the constrained Pareto problem.
type setting struct {
	Mu     *mat.Dense
	Cov    mat.Symmetric
	Q      question.FeasiblePareto
	Centre []float64 // inside the region
	Front  []int
}

// randomSetting returns a setting; the argument most is the largest number of optimal arms. Most settings have
// an arm that is both infeasible and dominated.
func randomSetting(rnd *rand.Rand, d, most int) setting {
	easy := rnd.IntN(4) == 0
	for {
		s := setting{Mu: randomMeans(rnd, 1+rnd.IntN(7), d)}
		var region *polyhedron.Polyhedron
		region, s.Centre = randomRegion(rnd, d)
		s.Q = question.FeasiblePareto{Region: region, SetOnly: true}
		if rnd.IntN(2) == 0 {
			s.Cov = randomCovariance(rnd, d)
		}
		s.Front = optimal(s.Q, s.Mu)
		if len(s.Front) > most {
			continue
		}
		truth := s.Q.Truth(s.Mu)
		for i, in := range truth.Feasible {
			easy = easy || !in && truth.SubOpt[i]
		}
		if easy {
			return s
		}
	}
}

// optimal returns the feasible Pareto set.
func optimal(q question.FeasiblePareto, mu *mat.Dense) []int {
	var o []int
	for i, in := range q.Truth(mu).Optimal {
		if in {
			o = append(o, i)
		}
	}
	return o
}

// response returns the best response for the setting.
func (s setting) response(t testing.TB) *alternative.BestResponse {
	t.Helper()
	k, d := s.Mu.Dims()
	r, err := alternative.New(k, d, s.Cov)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Constrain(s.Q.Region); err != nil {
		t.Fatal(err)
	}
	r.SetMeans(flat(s.Mu))
	return r
}

// covariance returns the covariance, for oracles.
func (s setting) covariance() mat.Symmetric {
	if s.Cov != nil {
		return s.Cov
	}
	_, d := s.Mu.Dims()
	i := mat.NewDiagDense(d, nil)
	for c := range d {
		i.SetDiag(c, 1)
	}
	return i
}

// weights returns random weights. In some draws, the members of the Pareto set get larger weights, so the cheapest
// alternatives move the other arms.
func (s setting) weights(rnd *rand.Rand) []float64 {
	k, _ := s.Mu.Dims()
	w, more := randomWeights(rnd, k), []float64{1, 4, 30}[rnd.IntN(3)]
	for _, i := range s.Front {
		w[i] *= more
	}
	return w
}

// labelled returns a right answer and the arms that may be rejected for either reason; their reasons are random.
func (s setting) labelled(rnd *rand.Rand) (a explore.Answer, free []int) {
	truth := s.Q.Truth(s.Mu)
	a = explore.Answer{Items: s.Front, Reasons: make([]explore.Reason, len(truth.Eta))}
	for i := range a.Reasons {
		class := explore.Infeasible
		switch {
		case truth.Optimal[i]:
			class = explore.Optimal
		case truth.Feasible[i]:
			class = explore.Dominated
		case truth.SubOpt[i]:
			free = append(free, i)
			if rnd.IntN(2) == 0 {
				class = explore.Dominated
			}
		}
		a.Reasons[i].Class = class
	}
	return a, free
}

// classes returns the reasons of an answer.
func classes(a explore.Answer) []explore.Class {
	var c []explore.Class
	for _, r := range a.Reasons {
		c = append(c, r.Class)
	}
	return c
}

// changes checks that an alternative is on the boundary of the set of means that have the Pareto set of mu.
func changes(t testing.TB, name string, mu *mat.Dense, a alternative.Alternative) {
	t.Helper()
	_, d := mu.Dims()
	size := mat.Norm(mu, math.Inf(1)) * 1e-9
	if a.By >= 0 {
		for c := range d {
			if a.Means.At(a.Arm, c) > a.Means.At(a.By, c)+size {
				t.Errorf("%s: arm %d does not fall below %d: %v, %v", name, a.Arm, a.By,
					a.Means.RawRowView(a.Arm), a.Means.RawRowView(a.By))
			}
		}
		return
	}
	for _, j := range pareto.Set(mu) {
		if pareto.Deficit(a.Means.RawRowView(a.Arm), a.Means.RawRowView(j)) > size {
			t.Errorf("%s: arm %d does not enter: it is at %v, arm %d at %v", name, a.Arm,
				a.Means.RawRowView(a.Arm), j, a.Means.RawRowView(j))
		}
	}
}

// quadrant is the region of nonnegative objectives.
func quadrant() *polyhedron.Polyhedron {
	r, err := polyhedron.AtLeast([]float64{0, 0}, []string{"efficacy", "safety"})
	if err != nil {
		panic(err)
	}
	return r
}

// randomRegion returns a box or a random polyhedron, about as large as the means of randomMeans,
// and a point inside.
func randomRegion(rnd *rand.Rand, d int) (region *polyhedron.Polyhedron, centre []float64) {
	centre = make([]float64, d)
	var a, b []float64
	add := func(row []float64, bound float64) { a, b = append(a, row...), append(b, bound) }
	axis := func(c int, v float64) []float64 {
		e := make([]float64, d)
		e[c] = v
		return e
	}
	for c := range centre {
		centre[c] = .2 + .7*rnd.Float64()
	}
	if rnd.IntN(3) == 0 {
		for c := range d {
			if rnd.IntN(3) > 0 {
				add(axis(c, -1), -centre[c]+.05+.3*rnd.Float64())
			}
			if rnd.IntN(3) > 0 || c == d-1 && len(b) == 0 {
				add(axis(c, 1), centre[c]+.05+.3*rnd.Float64())
			}
		}
	} else {
		for range 1 + rnd.IntN(6) {
			row := make([]float64, d)
			for c := range row {
				row[c] = rnd.NormFloat64()
			}
			add(row, floats.Dot(row, centre)+.3*rnd.Float64()+.01)
		}
		if rnd.IntN(4) == 0 { // a duplicate constraint, and a redundant parallel one
			add(a[:d:d], b[0])
			add(a[:d:d], b[0]+.5)
		}
	}
	region, err := polyhedron.New(mat.NewDense(len(b), d, a), b, nil)
	if err != nil {
		panic(err)
	}
	return region, centre
}

// flat returns the elements of mu, row-major.
func flat(mu *mat.Dense) []float64 {
	var f []float64
	for i := range mu.RawMatrix().Rows {
		f = append(f, mu.RawRowView(i)...)
	}
	return f
}

// randomMeans returns means for which several arms are Pareto optimal.
func randomMeans(rnd *rand.Rand, k, d int) *mat.Dense {
	mu := mat.NewDense(k, d, nil)
	for i := range k {
		size, level := 0., .5+rnd.Float64()
		for c := range d {
			v := math.Abs(rnd.NormFloat64())
			mu.Set(i, c, v)
			size = math.Hypot(size, v)
		}
		for c := range d {
			mu.Set(i, c, level*mu.At(i, c)/size)
		}
	}
	return mu
}

// randomWeights returns k proportions, some of them small.
func randomWeights(rnd *rand.Rand, k int) []float64 {
	w := make([]float64, k)
	for i := range w {
		w[i] = rnd.ExpFloat64() * math.Exp(rnd.NormFloat64())
	}
	floats.Scale(1/floats.Sum(w), w)
	return w
}

// randomCovariance returns a covariance of correlated objectives, far from singular.
func randomCovariance(rnd *rand.Rand, d int) *mat.SymDense {
	l := mat.NewDense(d, d, nil)
	for i := range d {
		for j := range d {
			l.Set(i, j, .4*rnd.NormFloat64())
		}
		l.Set(i, i, l.At(i, i)+2)
	}
	var s mat.SymDense
	s.SymOuterK(.3, l)
	return &s
}

// cost computes F(w) by a simple and slow method. If a member i falls below a member j, cyclic coordinate descent
// finds the cheapest change z of their difference that removes the lead of i in every objective. If an arm outside
// rises to x, every member is lowered to x in one objective. All assignments of objectives to members are tried. For
// each assignment, x is found by cyclic coordinate descent with bisection.
func cost(mu *mat.Dense, cov mat.Symmetric, w []float64) float64 {
	k, d := mu.Dims()
	if cov == nil {
		i := mat.NewDiagDense(d, nil)
		for c := range d {
			i.SetDiag(c, 1)
		}
		cov = i
	}
	var p mat.Dense
	if err := p.Inverse(cov); err != nil {
		panic(err)
	}
	form := func(z []float64) float64 {
		v := mat.NewVecDense(d, z)
		return mat.Inner(v, &p, v)
	}
	front := pareto.Set(mu)
	least := math.Inf(1)
	for _, i := range front {
		for _, j := range front {
			if i == j {
				continue
			}
			z, a := make([]float64, d), make([]float64, d)
			floats.SubTo(a, mu.RawRowView(i), mu.RawRowView(j))
			copy(z, a)
			for range 400 {
				for c := range d {
					z[c] = 0
					z[c] = max(a[c], -floats.Dot(p.RawRowView(c), z)/p.At(c, c))
				}
			}
			least = min(least, w[i]*w[j]/(w[i]+w[j])*form(z)/2)
		}
	}
	maps := 1
	for range front {
		maps *= d
	}
	for a := range k {
		for m := 0; m < maps && !slices.Contains(front, a); m++ {
			x, z := slices.Clone(mu.RawRowView(a)), make([]float64, d)
			group := make([][]int, d)
			for q, rest := 0, m; q < len(front); q, rest = q+1, rest/d {
				group[rest%d] = append(group[rest%d], front[q])
			}
			sweeps := 1
			if !diagonal(&p) {
				sweeps = 100
			}
			for range sweeps {
				for c := range d {
					floats.SubTo(z, x, mu.RawRowView(a))
					z[c] = 0
					cross := floats.Dot(p.RawRowView(c), z)
					slope := func(v float64) float64 {
						s := w[a] * (p.At(c, c)*(v-mu.At(a, c)) + cross)
						for _, j := range group[c] {
							s -= w[j] / cov.At(c, c) * max(0, mu.At(j, c)-v)
						}
						return s
					}
					lo, hi := -1., 1.
					for slope(lo) > 0 {
						lo *= 2
					}
					for slope(hi) < 0 {
						hi *= 2
					}
					for range 55 {
						if mid := (lo + hi) / 2; slope(mid) > 0 {
							hi = mid
						} else {
							lo = mid
						}
					}
					x[c] = (lo + hi) / 2
				}
			}
			floats.SubTo(z, x, mu.RawRowView(a))
			cost := w[a] * form(z) / 2
			for c, g := range group {
				for _, j := range g {
					cost += w[j] / cov.At(c, c) * math.Pow(max(0, mu.At(j, c)-x[c]), 2) / 2
				}
			}
			least = min(least, cost)
		}
	}
	return least
}

func diagonal(p *mat.Dense) bool {
	d, _ := p.Dims()
	for i := range d {
		for j := range d {
			if i != j && p.At(i, j) != 0 {
				return false
			}
		}
	}
	return true
}

// price returns the cost of moving mu to lambda.
func price(mu, lambda *mat.Dense, cov mat.Symmetric, w []float64) float64 {
	k, d := mu.Dims()
	var p mat.Dense
	if cov != nil {
		if err := p.Inverse(cov); err != nil {
			panic(err)
		}
	}
	total := 0.
	for i := range k {
		z := mat.NewVecDense(d, nil)
		z.SubVec(lambda.RowView(i), mu.RowView(i))
		if cov == nil {
			total += w[i] / 2 * mat.Dot(z, z)
		} else {
			total += w[i] / 2 * mat.Inner(z, &p, z)
		}
	}
	return total
}

// A push is a linear condition n'x >= to. If weight is finite, the condition is soft: a violation
// by v costs weight/2 v^2.
type push struct {
	n      []float64
	to     float64
	weight float64
}

// exceeds reports whether the following minimum is at least f: the minimum of w/2 (x-y)'S^-1(x-y) plus the costs of
// the soft conditions, over all x that satisfy the hard conditions. The test is independent of the package, because it
// uses weak duality: every feasible point of the dual program gives a lower bound on the minimum, and coordinate
// ascent raises the bound.
func exceeds(y []float64, s mat.Symmetric, w float64, conds []push, f float64) bool {
	d, n := len(y), len(conds)
	u := make([]float64, n)
	gram := make([][]float64, n)
	gap := make([]float64, n) // violations at y
	for i, p := range conds {
		gap[i] = p.to - floats.Dot(p.n, y)
		gram[i] = make([]float64, n)
		for j, q := range conds {
			gram[i][j] = mat.Inner(mat.NewVecDense(d, p.n), s, mat.NewVecDense(d, q.n)) / w
		}
		gram[i][i] += 1 / p.weight
	}
	for sweep := range 200_000 {
		for i := range u {
			v := gap[i] - floats.Dot(gram[i], u) + gram[i][i]*u[i]
			u[i] = max(0, v/gram[i][i])
		}
		if sweep > 2 && sweep%16 != 0 {
			continue
		}
		value := floats.Dot(gap, u)
		for i := range u {
			value -= u[i] * floats.Dot(gram[i], u) / 2
		}
		if value >= f {
			return true
		}
	}
	return false
}

// hard returns the constraints of the region.
func (s setting) hard() []push {
	var h []push
	for k := range s.Q.Region.Rows() {
		c := s.Q.Region.Constraint(k)
		floats.Scale(-1, c.A)
		h = append(h, push{c.A, -c.B, math.Inf(1)})
	}
	return h
}

// entering reports whether the entry of arm a costs at least f for each of the d^p maps from members to
// objectives. After the entry, no member dominates a and, if bounded, a is in the region.
func (s setting) entering(a int, w []float64, bounded bool, f float64) bool {
	_, d := s.Mu.Dims()
	cov := s.covariance()
	maps := 1
	for range s.Front {
		maps *= d
	}
	for m := range maps {
		var conds []push
		if bounded {
			conds = s.hard()
		}
		for q, rest := 0, m; q < len(s.Front); q, rest = q+1, rest/d {
			e, j, c := make([]float64, d), s.Front[q], rest%d
			e[c] = 1
			conds = append(conds, push{e, s.Mu.At(j, c), w[j] / cov.At(c, c)})
		}
		if !exceeds(s.Mu.RawRowView(a), cov, w[a], conds, f) {
			return false
		}
	}
	return true
}

// crossing returns the least cost of the alternatives of members: to leave the region, or to fall
// below another member.
func (s setting) crossing(w []float64) float64 {
	_, d := s.Mu.Dims()
	cov := s.covariance()
	least := math.Inf(1)
	for _, i := range s.Front {
		for k := range s.Q.Region.Rows() {
			c := s.Q.Region.Constraint(k)
			a := mat.NewVecDense(d, c.A)
			slack := c.B - floats.Dot(c.A, s.Mu.RawRowView(i))
			least = min(least, w[i]/2*slack*slack/mat.Inner(a, cov, a))
		}
	}
	if len(s.Front) > 1 { // the cost of a fall is that in the unconstrained problem with only the members as arms
		sub := mat.NewDense(len(s.Front), d, nil)
		v := make([]float64, len(s.Front))
		for q, i := range s.Front {
			sub.SetRow(q, s.Mu.RawRowView(i))
			v[q] = w[i]
		}
		least = min(least, cost(sub, s.Cov, v))
	}
	return least
}
