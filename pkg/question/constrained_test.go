package question_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// randomRegion returns a box, a half-space, a simplex, an ordered cone or a random
// polyhedron with the point centre inside, all about as large as the means of
// randomMeans.
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
	switch rnd.IntN(5) {
	case 0:
		for c := range d {
			if rnd.IntN(3) > 0 {
				add(axis(c, -1), -centre[c]+.05+.3*rnd.Float64())
			}
			if rnd.IntN(3) > 0 || c == d-1 && len(b) == 0 {
				add(axis(c, 1), centre[c]+.05+.3*rnd.Float64())
			}
		}
	case 1:
		row := make([]float64, d)
		for c := range row {
			row[c] = 10 * rnd.NormFloat64() // any scale
		}
		add(row, floats.Dot(row, centre)+.3*rnd.Float64()*floats.Norm(row, 2))
	case 2:
		all := make([]float64, d)
		for c := range d {
			add(axis(c, -1), 0)
			all[c] = 1
		}
		add(all, floats.Sum(centre)+.2*rnd.Float64())
	case 3:
		slices.Sort(centre)
		for c := range d - 1 {
			row := axis(c, 1)
			row[c+1] = -1
			add(row, 0)
			centre[c+1] = max(centre[c+1], centre[c]+.01)
		}
		if d == 1 {
			add(axis(0, 1), 1)
		}
	default:
		for range 1 + rnd.IntN(6) {
			row := make([]float64, d)
			for c := range row {
				row[c] = rnd.NormFloat64()
			}
			add(row, floats.Dot(row, centre)+.3*rnd.Float64()+.01)
		}
		if rnd.IntN(4) == 0 { // a repetition, and a parallel one that is redundant
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

// A setting is a constrained problem.
type setting struct {
	mu     *mat.Dense
	cov    mat.Symmetric
	q      question.FeasiblePareto
	centre []float64 // inside the region
	front  []int
}

// randomSetting returns a setting with at most that many optimal arms; most have
// an arm that is both infeasible and dominated.
func randomSetting(rnd *rand.Rand, d, most int) setting {
	easy := rnd.IntN(4) == 0
	for {
		s := setting{mu: randomMeans(rnd, 1+rnd.IntN(7), d)}
		var region *polyhedron.Polyhedron
		region, s.centre = randomRegion(rnd, d)
		s.q = question.FeasiblePareto{Region: region, SetOnly: true}
		if rnd.IntN(2) == 0 {
			s.cov = randomCovariance(rnd, d)
		}
		s.front = optimal(s.q, s.mu)
		if len(s.front) > most {
			continue
		}
		truth := s.q.Truth(s.mu)
		for i, in := range truth.Feasible {
			easy = easy || !in && truth.SubOpt[i]
		}
		if easy {
			return s
		}
	}
}

func optimal(q question.FeasiblePareto, mu *mat.Dense) []int {
	var o []int
	for i, in := range q.Truth(mu).Optimal {
		if in {
			o = append(o, i)
		}
	}
	return o
}

func (s setting) response(t testing.TB) *question.BestResponse {
	t.Helper()
	k, d := s.mu.Dims()
	r, err := question.NewBestResponse(k, d, s.cov)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Constrain(s.q.Region); err != nil {
		t.Fatal(err)
	}
	r.SetMeans(flat(s.mu))
	return r
}

// covariance returns the covariance, for oracles.
func (s setting) covariance() mat.Symmetric {
	if s.cov != nil {
		return s.cov
	}
	_, d := s.mu.Dims()
	i := mat.NewDiagDense(d, nil)
	for c := range d {
		i.SetDiag(c, 1)
	}
	return i
}

// A push is a linear condition n'x >= to, soft if weight is finite: then it may be
// missed by v at cost weight/2 v^2.
type push struct {
	n      []float64
	to     float64
	weight float64
}

// exceeds reports whether the least of w/2 (x-y)'S^-1(x-y) plus the costs of the soft conditions,
// over the x that satisfy the hard ones, is at least f. It is a certificate by
// weak duality, of which nothing in the package makes use: every point of the
// dual program bounds the least cost from below, and coordinate ascent raises it.
func exceeds(y []float64, s mat.Symmetric, w float64, conds []push, f float64) bool {
	d, n := len(y), len(conds)
	u := make([]float64, n)
	gram := make([][]float64, n)
	gap := make([]float64, n) // what is missing at y
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
	for k := range s.q.Region.Rows() {
		c := s.q.Region.Constraint(k)
		floats.Scale(-1, c.A)
		h = append(h, push{c.A, -c.B, math.Inf(1)})
	}
	return h
}

// entering reports whether it costs at least f for arm a to be dominated by no
// member and to be in the region, if it has to: for all d^p maps.
func (s setting) entering(a int, w []float64, bounded bool, f float64) bool {
	_, d := s.mu.Dims()
	cov := s.covariance()
	maps := 1
	for range s.front {
		maps *= d
	}
	for m := range maps {
		var conds []push
		if bounded {
			conds = s.hard()
		}
		for q, rest := 0, m; q < len(s.front); q, rest = q+1, rest/d {
			e, j, c := make([]float64, d), s.front[q], rest%d
			e[c] = 1
			conds = append(conds, push{e, s.mu.At(j, c), w[j] / cov.At(c, c)})
		}
		if !exceeds(s.mu.RawRowView(a), cov, w[a], conds, f) {
			return false
		}
	}
	return true
}

// crossing returns the least cost of the alternatives of the members: to leave
// the region and to fall below another member.
func (s setting) crossing(w []float64) float64 {
	_, d := s.mu.Dims()
	cov := s.covariance()
	least := math.Inf(1)
	for _, i := range s.front {
		for k := range s.q.Region.Rows() {
			c := s.q.Region.Constraint(k)
			a := mat.NewVecDense(d, c.A)
			slack := c.B - floats.Dot(c.A, s.mu.RawRowView(i))
			least = min(least, w[i]/2*slack*slack/mat.Inner(a, cov, a))
		}
	}
	if len(s.front) > 1 { // as the unconstrained problem of the members alone
		sub := mat.NewDense(len(s.front), d, nil)
		v := make([]float64, len(s.front))
		for q, i := range s.front {
			sub.SetRow(q, s.mu.RawRowView(i))
			v[q] = w[i]
		}
		least = min(least, oracleCost(sub, s.cov, v))
	}
	return least
}

// passed returns the means of a, passed by a little.
func (s setting) passed(a question.Alternative) *mat.Dense {
	_, d := s.mu.Dims()
	const little = 1e-7
	to := mat.DenseCopyOf(a.Means)
	row := to.RawRowView(a.Arm)
	switch {
	case a.Constraint >= 0:
		c := s.q.Region.Constraint(a.Constraint)
		floats.AddScaled(row, little/floats.Norm(c.A, 2), c.A)
	case a.By >= 0:
		for c := range row {
			row[c] -= little
		}
	default:
		if !a.Reason || a.Feasible {
			for c := range row {
				row[c] += little * (s.centre[c] - row[c])
			}
		}
		if a.Reason && a.Feasible {
			break
		}
		for _, j := range s.front {
			// Below the arm in the objective in which it is least above.
			best, at := math.Inf(-1), 0
			for c := range d {
				if v := row[c] - to.At(j, c); v > best {
					best, at = v, c
				}
			}
			to.Set(j, at, min(to.At(j, at), row[at]-10*little))
		}
	}
	return to
}

// weights are random; where members have more of it, it is others that move.
func (s setting) weights(rnd *rand.Rand) []float64 {
	k, _ := s.mu.Dims()
	w, more := randomWeights(rnd, k), []float64{1, 4, 30}[rnd.IntN(3)]
	for _, i := range s.front {
		w[i] *= more
	}
	return w
}

// movers returns the number of arms that differ.
func movers(a, b *mat.Dense) int {
	k, _ := a.Dims()
	n := 0
	for i := range k {
		if floats.Distance(a.RawRowView(i), b.RawRowView(i), 2) > 1e-9 {
			n++
		}
	}
	return n
}

func TestConstrainedBestResponse(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 3))
	seen := map[string]int{}
	for trial := range 2500 {
		d := 1 + trial%4
		s := randomSetting(rnd, d, []int{0, 1, 5, 4, 3}[d])
		k, _ := s.mu.Dims()
		r := s.response(t)
		if !slices.Equal(r.Front(), s.front) {
			t.Fatalf("trial %d: front %v; want %v", trial, r.Front(), s.front)
		}
		w, grad := s.weights(rnd), make([]float64, k)
		f := r.Cost(grad, w)
		if math.IsInf(f, 1) {
			t.Fatalf("trial %d: no alternative", trial)
		}
		a := r.Alternative()

		// It costs what it should, and it is an alternative: F is no lower.
		if v := priced(s.mu, a.Means, s.cov, w); math.Abs(v-f) > 1e-9*f {
			t.Errorf("trial %d: the alternative costs %v; F = %v", trial, v, f)
		}
		if slices.Equal(optimal(s.q, s.passed(a)), s.front) {
			t.Errorf("trial %d: %+v does not change the set %v", trial, a, s.front)
		}
		if v := floats.Dot(w, grad); math.Abs(v-f) > 1e-11*f {
			t.Errorf("trial %d: w.grad = %v, F = %v", trial, v, f)
		}

		// Nothing is cheaper: F is no higher.
		if v := s.crossing(w); v < f*(1-1e-8) {
			t.Errorf("trial %d: members leave or fall at %v; F = %v", trial, v, f)
		}
		for i := range k {
			if !slices.Contains(s.front, i) && !s.entering(i, w, true, f*(1-1e-8)) {
				t.Errorf("trial %d, d = %d, cov %v: arm %d may enter below F = %v", trial, d, s.cov != nil, i, f)
			}
		}

		// The cut holds elsewhere, and where weights are 0.
		for n := range 6 {
			v := randomWeights(rnd, k)
			if n >= 3 {
				for i := range v {
					if rnd.IntN(3) == 0 {
						v[i] = 0
					}
				}
			}
			if g := r.Cost(nil, v); !(g >= 0 && g <= floats.Dot(v, grad)*(1+1e-9)+1e-10) {
				t.Errorf("trial %d: F(%v) = %v exceeds the cut, %v", trial, v, g, floats.Dot(v, grad))
			}
		}
		switch {
		case a.Constraint >= 0:
			seen["leaves"]++
		case a.By >= 0:
			seen["falls"]++
		case a.Feasible:
			seen["admitted"]++
		default:
			seen["enters"]++
		}
		if len(s.front) == 0 {
			seen["nobody"]++
		}
		if moved := movers(s.mu, a.Means); a.Constraint < 0 && a.By < 0 && moved > 1 {
			seen["together"]++
			if s.q.Region.Depth(a.Means.RawRowView(a.Arm)) < 1e-9 {
				seen["bound together"]++ // the quadratic program matters
			}
		}
	}
	t.Log(seen)
	for _, how := range []string{"leaves", "falls", "admitted", "enters", "nobody", "together", "bound together"} {
		if seen[how] < 100 {
			t.Errorf("%v: the test is one-sided", seen)
		}
	}
}

// F is not below its value at weights that are 0, and not above what the cut there
// allows. As it does not fall when weights rise, that leaves no room.
func TestConstrainedZeroWeights(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 3))
	positive := 0
	for trial := range 1800 {
		s := randomSetting(rnd, 1+trial%4, 7)
		k, _ := s.mu.Dims()
		r := s.response(t)
		w, grad := randomWeights(rnd, k), make([]float64, k)
		for i := range w {
			// A member of weight 0 leaves at no cost, so that F is 0.
			if !slices.Contains(s.front, i) && rnd.IntN(3) == 0 || rnd.IntN(30) == 0 {
				w[i] = 0
			}
		}
		if trial%100 == 0 {
			clear(w)
		}
		f := r.Cost(grad, w)
		a := r.Alternative()
		near := slices.Clone(w)
		for i := range near {
			near[i] += 1e-7
		}
		g := r.Cost(nil, near)
		if !(f <= g+1e-11 && g <= f+1e-7*floats.Sum(grad)+1e-11) || floats.HasNaN(grad) || math.Abs(floats.Dot(w, grad)-f) > 1e-12 {
			t.Errorf("trial %d: F = %v, nearby %v, gradient %v", trial, f, g, grad)
		}
		if slices.Equal(optimal(s.q, s.passed(a)), s.front) {
			t.Errorf("trial %d: %+v does not change the set %v", trial, a, s.front)
		}
		if f > 0 && floats.Min(w) == 0 {
			positive++
		}
	}
	if positive < 100 {
		t.Errorf("F > 0 in %d trials only", positive)
	}
}

// No means with another set are cheaper, whatever the theory says about what they
// look like.
func TestConstrainedAgainstChance(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 3))
	tried := 0
	for trial := range 60 {
		s := randomSetting(rnd, 2+trial%2, 7)
		k, d := s.mu.Dims()
		r := s.response(t)
		w := randomWeights(rnd, k)
		f := r.Cost(nil, w)
		centre := r.Alternative().Means
		lambda := mat.NewDense(k, d, nil)
		for n := range 800 {
			from, spread := s.mu, .3*rnd.Float64()
			if n%2 == 1 {
				from, spread = centre, .03*rnd.Float64()
			}
			for i := range k {
				for c := range d {
					lambda.Set(i, c, from.At(i, c)+spread*rnd.NormFloat64())
				}
			}
			if slices.Equal(optimal(s.q, lambda), s.front) {
				continue
			}
			tried++
			if v := priced(s.mu, lambda, s.cov, w); v < f*(1-1e-9) {
				t.Fatalf("trial %d: means that cost %v; F = %v", trial, v, f)
			}
		}
	}
	if tried < 10_000 {
		t.Errorf("only %d alternatives", tried)
	}
}

// A region without constraints, and one so large that it does not matter, change
// nothing; nor does the region of a problem before it.
func TestConstrainedByNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 3))
	for trial := range 200 {
		d := 1 + trial%4
		mu, cov := randomMeans(rnd, 7, d), mat.Symmetric(nil)
		if trial%3 == 0 {
			cov = randomCovariance(rnd, d)
		}
		r, err := question.NewBestResponse(7, d, cov)
		if err != nil {
			t.Fatal(err)
		}
		w := randomWeights(rnd, 7)
		r.SetMeans(flat(mu))
		want := r.Cost(nil, w)
		lo, hi := make([]float64, d), make([]float64, d)
		for c := range d {
			lo[c], hi[c] = -1e6, 1e6
		}
		small, _ := randomRegion(rnd, d)
		wide, err := polyhedron.Box(lo, hi, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, region := range []*polyhedron.Polyhedron{small, wide, small, polyhedron.Whole(d), small, nil} {
			if err := r.Constrain(region); err != nil {
				t.Fatal(err)
			}
			r.SetMeans(flat(mu))
			if f := r.Cost(nil, w); region != small && math.Abs(f-want) > 1e-12*want {
				t.Errorf("trial %d: F = %v in %v; want %v", trial, f, region, want)
			}
		}
	}
}

// By hand. In the quadrant, arm 0 at (1, 2) leaves at distance 1, arm 1 at (-2, -1) enters
// the quadrant at (0, 0), where arm 0 dominates it: it goes to (1, 0) with arm
// 0 put below (1, .), or to (0, 2), or both move. With equal weights w arms meet in
// the first objective halfway: (x + 2)^2 + (1 - x)^2 is least at x = -.5, which
// is infeasible: x = 0. Cost w/2 (4 + 1 + 1) = 3 w, or in the second objective w/2
// (4 + (x+1)^2 + (2-x)^2), x = .5: w/2 (4 + 4.5) = 4.25 w. Leaving costs w/2.
func TestConstrainedByHand(t *testing.T) {
	r, err := question.NewBestResponse(2, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Constrain(quadrant()); err != nil {
		t.Fatal(err)
	}
	r.SetMeans([]float64{1, 2, -2, -1})
	p := &explore.Problem{Arms: 2, Objectives: 2, ArmNames: []string{"a", "b"}, Question: question.FeasiblePareto{Region: quadrant()}}
	if f := r.Cost(nil, []float64{1, 1}); f != .5 || r.Alternative().Explain(p) != "a would become infeasible: efficacy >= 0" {
		t.Errorf("F = %v: %s", f, r.Alternative().Explain(p))
	}
	// Leaving costs 5. To go to 0 in the second objective costs .1/2, and to be even
	// in the first .1*10/10.1 * 3^2/2: the weighted mean, 9.8/10.1, is feasible.
	if f := r.Cost(nil, []float64{10, .1}); math.Abs(f-.05-4.5/10.1) > 1e-12 || r.Alternative().Explain(p) != "b would become feasible and enter the Pareto set" {
		t.Errorf("F = %v: %s", f, r.Alternative().Explain(p))
	}
	// As an infeasible arm it only has to go to (0, 0), as a dominated one to be
	// even in the first objective.
	r.Reject([]explore.Class{explore.Optimal, explore.Infeasible})
	if f := r.Cost(nil, []float64{10, .1}); math.Abs(f-.25) > 1e-15 || r.Alternative().Explain(p) != "b would become feasible" {
		t.Errorf("F = %v: %s", f, r.Alternative().Explain(p))
	}
	r.Reject([]explore.Class{explore.Optimal, explore.Dominated})
	if f := r.Cost(nil, []float64{10, .1}); math.Abs(f-4.5/10.1) > 1e-12 || r.Alternative().Explain(p) != "b would no longer be dominated" {
		t.Errorf("F = %v: %s", f, r.Alternative().Explain(p))
	}
	// Nobody feasible: the weighted distance.
	r.SetMeans([]float64{-1, 2, -3, -4})
	if f := r.Cost(nil, []float64{1, .1}); f != .5 || len(r.Front()) != 0 {
		t.Errorf("F = %v, front %v", f, r.Front())
	}
	if f := r.Cost(nil, []float64{1, .01}); math.Abs(f-.125) > 1e-15 {
		t.Errorf("F = %v", f)
	}
}

func TestConstrainErrors(t *testing.T) {
	fresh := func() *question.BestResponse {
		r, err := question.NewBestResponse(2, 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if err := fresh().Constrain(quadrant()); err == nil || err.Error() != "question: a region of 2 objectives for rewards with 3" {
		t.Error(err)
	}
	for name, f := range map[string]func(){
		"early":  func() { fresh().Cost(nil, []float64{1, 1}) },
		"reject": func() { fresh().Reject(nil) },
		"length": func() {
			r := fresh()
			r.SetMeans(make([]float64, 6))
			r.Reject(make([]explore.Class, 1))
		},
		"whole": func() {
			r := fresh()
			r.SetMeans([]float64{1, 1, 1, 0, 0, 0})
			r.Reject([]explore.Class{explore.Optimal, explore.Infeasible})
		},
		"again": func() {
			r := fresh()
			r.SetMeans([]float64{1, 1, 1, 0, 0, 0})
			if err := r.Constrain(polyhedron.Whole(3)); err != nil {
				t.Error(err)
			}
			r.Cost(nil, []float64{1, 1})
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, pareto.ErrNotFinite) {
			t.Errorf("not finite: %v", err)
		}
	}()
	s, _ := question.NewBestResponse(2, 2, nil)
	if err := s.Constrain(quadrant()); err != nil {
		t.Fatal(err)
	}
	s.SetMeans([]float64{1, 1, math.NaN(), 1})
}

func TestConstrainedAllocates(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 3))
	for _, correlated := range []bool{false, true} {
		s := constrainedFront(rnd, 20, 3, 5, 6)
		if correlated {
			s.cov = randomCovariance(rnd, 3)
		}
		r, mu := s.response(t), flat(s.mu)
		w, grad := randomWeights(rnd, 20), make([]float64, 20)
		as := make([]explore.Class, 20)
		for i := range as {
			as[i] = explore.Class(2 * (i % 2))
		}
		if n := testing.AllocsPerRun(20, func() {
			r.SetMeans(mu)
			r.Cost(grad, w)
			r.Reject(as)
			r.Cost(grad, w)
		}); n > 0 {
			t.Errorf("%v allocations", n)
		}
	}
}

// constrainedFront returns a setting of k arms with p optimal ones and m random
// constraints, which about half of the arms meet.
func constrainedFront(rnd *rand.Rand, k, d, p, m int) setting {
	for {
		s := setting{mu: randomMeans(rnd, k, d), centre: make([]float64, d)}
		for c := range d {
			s.centre[c] = .5
		}
		a, b := mat.NewDense(m, d, nil), make([]float64, m)
		for l := range m {
			row := a.RawRowView(l)
			for c := range row {
				row[c] = rnd.NormFloat64()
			}
			b[l] = floats.Dot(row, s.centre) + .5*floats.Norm(row, 2)
		}
		region, err := polyhedron.New(a, b, nil)
		if err != nil {
			panic(err)
		}
		s.q = question.FeasiblePareto{Region: region, SetOnly: true}
		truth, feasible := s.q.Truth(s.mu), 0
		for _, in := range truth.Feasible {
			if in {
				feasible++
			}
		}
		if s.front = optimal(s.q, s.mu); len(s.front) == p && 3*feasible > k && 3*feasible < 2*k {
			return s
		}
	}
}

func ExampleBestResponse_Constrain() {
	region, err := polyhedron.AtLeast([]float64{.4, .4}, []string{"efficacy", "safety"})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := question.NewBestResponse(3, 2, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := r.Constrain(region); err != nil {
		fmt.Println(err)
		return
	}
	p := &explore.Problem{Arms: 3, Objectives: 2, ArmNames: []string{"placebo", "75 mg", "150 mg"}, Question: question.FeasiblePareto{Region: region}}
	r.SetMeans([]float64{.2, .8, .35, .7, .55, .6})
	fmt.Println("feasible Pareto set:", r.Front())
	for _, w := range [][]float64{{1, 1, 1}, {1, 100, 1}} {
		f := r.Cost(nil, w)
		fmt.Printf("%.5f: %s\n", f, r.Alternative().Explain(p))
	}
	// Output:
	// feasible Pareto set: [2]
	// 0.00125: 75 mg would become feasible and enter the Pareto set
	// 0.01125: 150 mg would become infeasible: efficacy >= 0.4
}

func BenchmarkConstrainedBestResponse(b *testing.B) {
	for _, c := range []struct {
		k, d, p, m int
		correlated bool
	}{{20, 3, 5, 6, false}, {20, 3, 5, 6, true}, {100, 3, 8, 6, false}, {20, 2, 4, 4, false}, {50, 5, 15, 10, false}, {50, 5, 15, 10, true}} {
		name := fmt.Sprintf("K=%d/d=%d/p=%d/m=%d", c.k, c.d, c.p, c.m)
		if c.correlated {
			name += "/correlated"
		}
		// Instances differ a lot: the average over 20 of them.
		rnd := rand.New(rand.NewPCG(1, 4))
		var r []*question.BestResponse
		var w, oracle, mu [][]float64
		for range 20 {
			s := constrainedFront(rnd, c.k, c.d, c.p, c.m)
			if c.correlated {
				s.cov = randomCovariance(rnd, c.d)
			}
			r, mu, w = append(r, s.response(b)), append(mu, flat(s.mu)), append(w, randomWeights(rnd, c.k))
			best, err := s.q.TStar(s.mu, s.cov, 1e-3)
			if err != nil {
				b.Fatal(err)
			}
			oracle = append(oracle, best.Weights)
		}
		grad := make([]float64, c.k)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				r[i%20].Cost(grad, w[i%20])
			}
		})
		// Here many alternatives cost about the same.
		b.Run(name+"/oracle", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				r[i%20].Cost(grad, oracle[i%20])
			}
		})
		b.Run(name+"/means", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				r[i%20].SetMeans(mu[i%20])
			}
		})
	}
}

// The cost of an alternative bounds F at any weights, however large and small they
// are and with up to six objectives: a program that is not solved well enough,
// or a branch that is cut by mistake, shows.
func TestConstrainedCuts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 3))
	for trial := range 600 {
		d := 2 + trial%5
		s := setting{mu: randomMeans(rnd, 3+rnd.IntN(15), d)}
		region, centre := randomRegion(rnd, d)
		switch rnd.IntN(4) {
		case 0:
			region = polyhedron.Simplex(d)
		case 1:
			region = polyhedron.Ordered(d)
		case 2:
			region = roundRegion(rnd, centre, d+rnd.IntN(12))
		}
		s.q = question.FeasiblePareto{Region: region}
		if trial%2 == 0 {
			s.cov = randomCovariance(rnd, d)
		}
		k, _ := s.mu.Dims()
		r := s.response(t)
		as, _ := s.labelled(rnd)
		if trial%3 == 0 {
			r.Reject(classes(as))
		}
		var weights, cuts [][]float64
		var f []float64
		for range 40 {
			w, grad := s.weights(rnd), make([]float64, k)
			for i := range w {
				w[i] *= math.Pow(10, -9*rnd.Float64()*float64(trial%2))
			}
			f = append(f, r.Cost(grad, w))
			weights, cuts = append(weights, w), append(cuts, grad)
		}
		for i, w := range weights {
			if v := floats.Dot(w, cuts[i]); math.Abs(v-f[i]) > 1e-9*f[i] {
				t.Errorf("trial %d: w.grad = %v; F = %v", trial, v, f[i])
			}
			for _, a := range cuts {
				if v := floats.Dot(w, a); !(f[i] <= v*(1+1e-8)+1e-13) { // 1e-13: see Cost on small weights
					t.Errorf("trial %d, d = %d: F = %v exceeds a cut by %v of it", trial, d, f[i], f[i]/v-1)
				}
			}
		}
	}
}

// roundRegion returns a polyhedron with m facets, about as far from centre.
func roundRegion(rnd *rand.Rand, centre []float64, m int) *polyhedron.Polyhedron {
	d := len(centre)
	a, b := mat.NewDense(m, d, nil), make([]float64, m)
	for l := range m {
		row := a.RawRowView(l)
		for c := range row {
			row[c] = rnd.NormFloat64()
		}
		b[l] = floats.Dot(row, centre) + (.1+rnd.Float64())*floats.Norm(row, 2)
	}
	region, err := polyhedron.New(a, b, nil)
	if err != nil {
		panic(err)
	}
	return region
}

// One infeasible arm costs its distance to the region, here with many facets, some
// of which are tried and dropped on the way.
func TestConstrainedDistance(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 3))
	for trial := range 1500 {
		d := 2 + trial%5
		region := roundRegion(rnd, make([]float64, d), d+rnd.IntN(12))
		s := setting{mu: mat.NewDense(1, d, nil), q: question.FeasiblePareto{Region: region}}
		for c := range d {
			s.mu.Set(0, c, 4*rnd.NormFloat64())
		}
		if trial%3 > 0 {
			s.cov = randomCovariance(rnd, d)
		}
		if region.Contains(s.mu.RawRowView(0)) {
			continue
		}
		r := s.response(t)
		f := r.Cost(nil, []float64{1})
		x := r.Alternative().Means
		if v := priced(s.mu, x, s.cov, []float64{1}); math.Abs(v-f) > 1e-9*f || region.Distance(x.RawRowView(0)) > 1e-10 {
			t.Errorf("trial %d: at distance %v of the region at cost %v; F = %v", trial, region.Distance(x.RawRowView(0)), v, f)
		}
		if !exceeds(s.mu.RawRowView(0), s.covariance(), 1, s.hard(), f*(1-1e-8)) {
			t.Errorf("trial %d: F = %v is too large", trial, f)
		}
	}
}
