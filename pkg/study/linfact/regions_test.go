package linfact

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// inside reports whether q is in a convex polygon with counterclockwise corners.
func inside(polygon []canvas.Point, q canvas.Point) bool {
	for i, b := range polygon {
		a := polygon[(i+len(polygon)-1)%len(polygon)]
		if (b.X-a.X)*(q.Y-a.Y)-(b.Y-a.Y)*(q.X-a.X) < 0 {
			return false
		}
	}
	return len(polygon) > 2
}

// goodAt returns the epsilon-best arms for a parameter, according to question.AllEpsilonBest, and the distance of the
// nearest arm from the threshold.
func goodAt(x *mat.Dense, epsilon float64, q canvas.Point) (good []int, margin float64) {
	mu := mat.NewDense(3, 1, nil)
	mu.Mul(x, mat.NewDense(2, 1, []float64{q.X, q.Y}))
	margin = math.Inf(1)
	for i := range 3 {
		margin = min(margin, math.Abs(mu.At(i, 0)-mat.Max(mu)+epsilon))
	}
	return question.AllEpsilonBest{Epsilon: epsilon}.Right(mu), margin
}

// For any three arms, each parameter is only in the region of its epsilon-best arms, and the share of a region is
// its fraction of the parameters.
func TestRegionsAgainstMembership(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for trial := range 20 {
		x, epsilon := triangle, triangleEpsilon
		if trial > 0 {
			v := make([]float64, 6)
			for i := range v {
				v[i] = rnd.NormFloat64()
			}
			x, epsilon = mat.NewDense(3, 2, v), .1+rnd.Float64()
		}
		rs, total := regionsOf(x), 0.
		counts := make([]float64, len(rs))
		const n = 4000
		for range n {
			q := canvas.Point{X: reach * (2*rnd.Float64() - 1), Y: reach * (2*rnd.Float64() - 1)}
			good, margin := goodAt(x, epsilon, q)
			for i, r := range rs {
				want := slices.Equal(good, r.Arms)
				if want {
					counts[i]++
				}
				in := slices.ContainsFunc(r.pieces(epsilon, 0), func(p []canvas.Point) bool { return inside(p, q) })
				if in != want && margin > 1e-9 {
					t.Fatalf("arms %v, epsilon %v: %v is in %s: %v; the epsilon-best arms are %v", x, epsilon, q,
						r.title(), in, good)
				}
			}
		}
		for i, r := range rs {
			share := r.share(epsilon)
			total += share
			if sd := math.Sqrt(share*(1-share)/n) + 1e-3; math.Abs(counts[i]/n-share) > 5*sd {
				t.Errorf("%s: share %v of the parameters; the area is %v", r.title(), counts[i]/n, share)
			}
		}
		if math.Abs(total-1) > 1e-9 {
			t.Errorf("shares of all regions sum to %v", total)
		}
	}
}

// With the parameter of a region, the region's arms are the good arms, and each arm is at least epsilon/2 from the
// threshold. No such parameter is closer to the origin.
func TestInRegion(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for size, r := range decisionRegions() {
		in, err := inRegion(size, triangleEpsilon)
		if err != nil {
			t.Fatal(err)
		}
		q := canvas.Point{X: in.Theta.At(0, 0), Y: in.Theta.At(1, 0)}
		good, margin := goodAt(triangle, triangleEpsilon, q)
		if !slices.Equal(good, r.Arms) || margin < triangleEpsilon/2-1e-9 {
			t.Errorf("%s: %v has the arms %v, margin %v", r.title(), q, good, margin)
		}
		far := math.Hypot(q.X, q.Y)
		for range 2000 {
			if far == 0 {
				break
			}
			radius, angle := far*.99*math.Sqrt(rnd.Float64()), 2*math.Pi*rnd.Float64()
			p := canvas.Point{X: radius * math.Cos(angle), Y: radius * math.Sin(angle)}
			if good, margin := goodAt(triangle, triangleEpsilon, p); slices.Equal(good, r.Arms) && margin >= triangleEpsilon/2 {
				t.Fatalf("%s: %v is closer to the origin than %v", r.title(), p, q)
			}
		}
	}
	if _, err := inRegion(0, 9); err == nil {
		t.Error("epsilon 9: no error")
	}
}

func TestVerdictsOnRegionsThatAreKnown(t *testing.T) {
	flat := mat.NewDense(3, 2, []float64{1, 0, 2, 0, 3, 0}) // the second arm is never worse than both other arms
	constant := func(float64) float64 { return .2 }
	for name, c := range map[string]struct {
		v    study.Verdict
		want study.Outcome
	}{
		"three arms":       {sevenRegions(triangle), study.Agrees},
		"arms on a line":   {sevenRegions(flat), study.Differs},
		"falling share":    {vanishing(shared), study.Agrees},
		"constant share":   {vanishing(constant), study.Differs},
		"XY earlier in M2": {earlier(1), study.Agrees},
		"XY later in M1":   {earlier(0), study.Differs},
	} {
		if c.v.Outcome != c.want || c.v.Measured == "" || c.v.Why == "" {
			t.Errorf("%s: %+v; want %v", name, c.v, c.want)
		}
	}
}
