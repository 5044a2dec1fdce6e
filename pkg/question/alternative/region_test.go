package alternative_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
)

// passed returns means slightly beyond the means of the alternative a.
func passed(s setting, a alternative.Alternative) *mat.Dense {
	_, d := s.Mu.Dims()
	const little = 1e-7
	to := mat.DenseCopyOf(a.Means)
	row := to.RawRowView(a.Arm)
	switch {
	case a.Constraint >= 0:
		c := s.Q.Region.Constraint(a.Constraint)
		floats.AddScaled(row, little/floats.Norm(c.A, 2), c.A)
	case a.By >= 0:
		for c := range row {
			row[c] -= little
		}
	default:
		if !a.Reason || a.Feasible {
			for c := range row {
				row[c] += little * (s.Centre[c] - row[c])
			}
		}
		if a.Reason && a.Feasible {
			break
		}
		for _, j := range s.Front {
			// The member falls below the arm in the objective with the smallest lead.
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

// movers returns the number of arms whose means differ.
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
		k, _ := s.Mu.Dims()
		r := s.response(t)
		if !slices.Equal(r.Front(), s.Front) {
			t.Fatalf("trial %d: front %v; want %v", trial, r.Front(), s.Front)
		}
		w, grad := s.weights(rnd), make([]float64, k)
		f := r.Cost(grad, w)
		if math.IsInf(f, 1) {
			t.Fatalf("trial %d: no alternative", trial)
		}
		a := r.Alternative()

		// The response costs F, and is an alternative, so the least cost is at most F.
		if v := price(s.Mu, a.Means, s.Cov, w); !(math.Abs(v-f) <= 1e-9*f) {
			t.Errorf("trial %d: the alternative costs %v; F = %v", trial, v, f)
		}
		if slices.Equal(optimal(s.Q, passed(s, a)), s.Front) {
			t.Errorf("trial %d: %+v does not change the set %v", trial, a, s.Front)
		}
		if v := floats.Dot(w, grad); !(math.Abs(v-f) <= 1e-11*f) {
			t.Errorf("trial %d: w.grad = %v, F = %v", trial, v, f)
		}

		// No alternative is cheaper, so the least cost is at least F.
		if v := s.crossing(w); v < f*(1-1e-8) {
			t.Errorf("trial %d: members leave or fall at %v; F = %v", trial, v, f)
		}
		for i := range k {
			if !slices.Contains(s.Front, i) && !s.entering(i, w, true, f*(1-1e-8)) {
				t.Errorf("trial %d, d = %d, cov %v: arm %d may enter below F = %v", trial, d, s.Cov != nil, i, f)
			}
		}

		// The cut is valid at other weights, including zeros.
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
		if len(s.Front) == 0 {
			seen["nobody"]++
		}
		if moved := movers(s.Mu, a.Means); a.Constraint < 0 && a.By < 0 && moved > 1 {
			seen["together"]++
			if in, depth, _ := s.Q.Region.Margin(a.Means.RawRowView(a.Arm)); !in || depth < 1e-9 {
				seen["bound together"]++ // the quadratic program is needed
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

// The region is the quadrant. Arm 0 at (1, 2) leaves the quadrant at distance 1. Arm 1 is at (-2, -1); the nearest
// point of the quadrant is (0, 0), where arm 0 dominates arm 1. To enter the Pareto set, arm 1 must also reach arm 0
// in one objective; arm 1 rises, arm 0 is lowered, or both arms move. With equal weights w, arms meet halfway in the
// first objective: (x + 2)^2 + (1 - x)^2 is least at x = -0.5, which is infeasible, so x = 0. The cost is w/2 (4 + 1 +
// 1) = 3 w. If the arms meet at x in the second objective, the cost is w/2 (4 + (x + 1)^2 + (2 - x)^2), which is least
// at x = 0.5: w/2 (4 + 4.5) = 4.25 w. If arm 0 leaves the quadrant, the cost is w/2.
func TestConstrainedByHand(t *testing.T) {
	r, err := alternative.New(2, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Constrain(quadrant()); err != nil {
		t.Fatal(err)
	}
	r.SetMeans([]float64{1, 2, -2, -1})
	is := func(arm, constraint int, feasible, reason bool) bool {
		a := r.Alternative()
		return a.Arm == arm && a.Constraint == constraint && a.Feasible == feasible && a.Reason == reason
	}
	if f := r.Cost(nil, []float64{1, 1}); f != .5 || !is(0, 0, false, false) {
		t.Errorf("F = %v: %+v", f, r.Alternative())
	}
	// If arm 0 leaves the quadrant, the cost is 5. If arm 1 enters the Pareto set, its move to 0 in the second
	// objective costs 0.1/2. To become equal in the first objective, the arms move to their weighted mean 9.8/10.1,
	// which is feasible, at a cost of 0.1*10/10.1 * 3^2/2.
	if f := r.Cost(nil, []float64{10, .1}); !(math.Abs(f-.05-4.5/10.1) <= 1e-12) || !is(1, -1, true, false) {
		t.Errorf("F = %v: %+v", f, r.Alternative())
	}
	// As an infeasible arm, arm 1 only has to move to (0, 0). As a dominated arm, arm 1 only has to become equal
	// to arm 0 in the first objective.
	r.Reject([]explore.Class{explore.Optimal, explore.Infeasible})
	if f := r.Cost(nil, []float64{10, .1}); !(math.Abs(f-.25) <= 1e-15) || !is(1, -1, true, true) {
		t.Errorf("F = %v: %+v", f, r.Alternative())
	}
	r.Reject([]explore.Class{explore.Optimal, explore.Dominated})
	if f := r.Cost(nil, []float64{10, .1}); !(math.Abs(f-4.5/10.1) <= 1e-12) || !is(1, -1, false, true) {
		t.Errorf("F = %v: %+v", f, r.Alternative())
	}
	// If no arm is feasible, the cost is the smallest w d^2/2 of an arm at distance d from the region.
	r.SetMeans([]float64{-1, 2, -3, -4})
	if f := r.Cost(nil, []float64{1, .1}); f != .5 || len(r.Front()) != 0 {
		t.Errorf("F = %v, front %v", f, r.Front())
	}
	if f := r.Cost(nil, []float64{1, .01}); !(math.Abs(f-.125) <= 1e-15) {
		t.Errorf("F = %v", f)
	}
}

// roundRegion returns a polyhedron with m facets at similar distances from centre.
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

// The cost of one infeasible arm is half of its squared distance to the region, in the metric of the
// covariance. The regions have many facets, some of which are added and dropped during the computation.
func TestConstrainedDistance(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 3))
	for trial := range 1500 {
		d := 2 + trial%5
		region := roundRegion(rnd, make([]float64, d), d+rnd.IntN(12))
		s := setting{Mu: mat.NewDense(1, d, nil), Q: question.FeasiblePareto{Region: region}}
		for c := range d {
			s.Mu.Set(0, c, 4*rnd.NormFloat64())
		}
		if trial%3 > 0 {
			s.Cov = randomCovariance(rnd, d)
		}
		if region.Contains(s.Mu.RawRowView(0)) {
			continue
		}
		r := s.response(t)
		f := r.Cost(nil, []float64{1})
		x := r.Alternative().Means
		if v := price(s.Mu, x, s.Cov, []float64{1}); !(math.Abs(v-f) <= 1e-9*f) || region.Distance(x.RawRowView(0)) > 1e-10 {
			t.Errorf("trial %d: at distance %v of the region at cost %v; F = %v", trial, region.Distance(x.RawRowView(0)), v, f)
		}
		if !exceeds(s.Mu.RawRowView(0), s.covariance(), 1, s.hard(), f*(1-1e-8)) {
			t.Errorf("trial %d: F = %v is too large", trial, f)
		}
	}
}
