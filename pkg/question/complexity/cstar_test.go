package complexity_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// bruteForce computes C*_M by enumeration of all labellings, from equation (11) of the e-cAPE paper
// with the gaps of equations (9) and (10).
func bruteForce(q question.FeasiblePareto, mu *mat.Dense, sigma, sigmaU float64) (float64, int) {
	t := q.Truth(mu)
	var o, mandatory, free, neither []int
	for i := range t.Optimal {
		switch {
		case t.Optimal[i]:
			o = append(o, i)
		case t.Feasible[i]:
			mandatory = append(mandatory, i)
		case t.SubOpt[i]:
			free = append(free, i)
		default:
			neither = append(neither, i)
		}
	}
	row := func(i int) []float64 { return mu.RawRowView(i) }
	best := math.Inf(1)
	for mask := range 1 << len(free) {
		s, inf := slices.Clone(mandatory), slices.Clone(neither)
		for b, i := range free {
			if mask>>b&1 == 1 {
				s = append(s, i)
			} else {
				inf = append(inf, i)
			}
		}
		c := 0.
		gap := map[int]float64{}
		for _, i := range s {
			g := math.Inf(-1)
			for _, j := range o {
				g = math.Max(g, pareto.Deficit(row(i), row(j)))
			}
			gap[i] = g
			c += 2 * sigma * sigma / (g * g)
		}
		for _, i := range inf {
			c += 2 * sigmaU * sigmaU / (t.Eta[i] * t.Eta[i])
		}
		for _, i := range o {
			g := math.Inf(1)
			for _, j := range o {
				if j != i {
					g = min(g, pareto.Excess(row(i), row(j)), pareto.Excess(row(j), row(i)))
				}
			}
			for _, j := range s {
				g = min(g, max(pareto.Excess(row(j), row(i)), 0)+gap[j])
			}
			c += max(2*sigma*sigma/(g*g), 2*sigmaU*sigmaU/(t.Eta[i]*t.Eta[i]))
		}
		best = min(best, c)
	}
	return best, len(free)
}

func TestCStarAgainstBruteForce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	most, mixed := 0, 0
	for n := range 5000 {
		q, mu := randomQuestion(rnd, 9)
		sigma, sigmaU := .5+rnd.Float64(), .5+rnd.Float64()
		want, free := bruteForce(q, mu, sigma, sigmaU)
		c := complexity.NewCStar(q, mu, sigma, sigmaU)
		if !(math.Abs(c.Value-want) <= 1e-9*want) {
			t.Fatalf("instance %d: C* = %v; brute force %v (%d free arms)", n, c.Value, want, free)
		}
		if c.Value > (c.HPSI+c.HF)*(1+1e-12) {
			t.Fatalf("instance %d: C* = %v above HPSI + HF = %v + %v", n, c.Value, c.HPSI, c.HF)
		}
		// The sets of the explanation form a right answer.
		a := explore.Answer{Items: c.O, Reasons: make([]explore.Reason, len(q.Truth(mu).Eta))}
		for class, set := range map[explore.Class][]int{explore.Optimal: c.O, explore.Dominated: c.S, explore.Infeasible: c.I} {
			for _, i := range set {
				a.Reasons[i].Class = class
			}
		}
		if !q.Correct(mu, a) {
			t.Fatalf("instance %d: explanation %+v is wrong", n, c)
		}
		most = max(most, free)
		if free > 1 && len(c.S) > 0 && len(c.I) > 0 {
			mixed++
		}
	}
	if most < 5 || mixed < 100 {
		t.Errorf("at most %d free arms, %d mixed explanations: the test is too easy", most, mixed)
	}
}

// The number of steps must not grow as 2^n for n arms that are both infeasible and dominated.
func TestCStarOfManyFreeArms(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	m := [][]float64{{3, 1}, {2, 2}, {1, 3}}
	for range 200 {
		m = append(m, []float64{3 * rnd.Float64(), -rnd.Float64()})
	}
	c := complexity.NewCStar(question.FeasiblePareto{Region: atLeast(0, 0)}, rows(m...), 1, 1)
	if len(c.S)+len(c.I) != 200 || math.IsInf(c.Value, 0) || len(c.S) == 0 || len(c.I) == 0 {
		t.Errorf("%d dominated, %d infeasible, C* = %v", len(c.S), len(c.I), c.Value)
	}
}

func ExampleNewCStar() {
	region, err := polyhedron.AtLeast([]float64{0.40, 0.40}, []string{"efficacy", "safety"})
	if err != nil {
		panic(err)
	}
	q := question.FeasiblePareto{Region: region}
	// The means are the efficacy and safety rates of the five arms of a trial.
	mu := mat.NewDense(5, 2, []float64{.360, .420, .340, .481, .469, .388, .465, .535, .537, .390})
	c := complexity.NewCStar(q, mu, 0.5, 0.5)
	fmt.Println("optimal:", c.O, "dominated:", c.S, "infeasible:", c.I)
	fmt.Printf("pulls up to logarithms: %.0f; in two stages: %.0f\n", c.Value, c.HPSI+c.HF)
	// Output:
	// optimal: [3] dominated: [0] infeasible: [1 2 4]
	// pulls up to logarithms: 8775; in two stages: 9042
}

// For delta = 0.1, kl(0.45, 0.1) = 0.45 log 4.5 + 0.55 log(0.55/0.9) = 0.405973, and a quarter of this number is
// 0.101493.
func TestCStarLowerBound(t *testing.T) {
	of := func(c, delta float64) float64 { return complexity.CStar{Value: c}.LowerBound(delta) }
	if got := of(1, .1); !(math.Abs(got-.101493) <= 1e-5) {
		t.Errorf("%v; want 0.101493", got)
	}
	if got := of(1, .5); got != 0 {
		t.Errorf("%v at delta 0.5; want 0", got)
	}
	// As delta tends to 0, the ratio of the bound to log(1/delta) tends to C/8.
	if got := of(8, 1e-300) / math.Log(1e300); !(math.Abs(got-1) <= .01) {
		t.Errorf("%v log(1/delta); want C/8", got)
	}
}

// The sums over T of 1/T^2, log T/T^2 and log^2 T/T^2 are pi^2/6, 0.937548 and 1.989280. With K = d = 1, the constant
// f in lambda is 2 log 8 + log 5 + 2/e = 6.504080. The sum is f * 1.644934 + (f + 6) * 0.937548 + 6 * 1.989280 =
// 34.358, and Lambda is half of the sum.
func TestLambda(t *testing.T) {
	if got := complexity.Lambda(1, 1); !(math.Abs(got-17.179) <= .01) {
		t.Errorf("%v; want 17.179", got)
	}
}

// One optimal arm is 1/2 from the boundary: C = 2 (1/2)^2/(1/2)^2 = 2, and H = 32 (1/2)^2 log 5/(1/2)^2 =
// 51.502. The bound is 256 (log 128 + log(80)/3) + 4 H + 17.179 = 1839.24.
func TestCStarUpperBound(t *testing.T) {
	region, err := polyhedron.AtLeast([]float64{0}, []string{"y"})
	if err != nil {
		t.Fatal(err)
	}
	q, mu := question.FeasiblePareto{Region: region}, mat.NewDense(1, 1, []float64{.5})
	c := complexity.NewCStar(q, mu, .5, .5)
	want := 256*(math.Log(128)+math.Log(8/.1)/3) + 4*32*math.Log(5) + complexity.Lambda(1, 1)
	if got := c.UpperBound(q, mu, .5, .1); c.Value != 2 || !(math.Abs(got-want) <= 1e-6*want) {
		t.Errorf("C* = %v, at most %v pulls; want 2 and %v", c.Value, got, want)
	}
	// With two objectives, H is 32 log(5^2/2).
	if region, err = polyhedron.AtLeast([]float64{0, 0}, []string{"x", "y"}); err != nil {
		t.Fatal(err)
	}
	q, mu = question.FeasiblePareto{Region: region}, mat.NewDense(1, 2, []float64{.5, .5})
	c = complexity.NewCStar(q, mu, .5, .5)
	want = 256*(math.Log(128)+math.Log(16/.1)/3) + 4*32*math.Log(12.5) + complexity.Lambda(1, 2)
	if got := c.UpperBound(q, mu, .5, .1); c.Value != 2 || !(math.Abs(got-want) <= 1e-6*want) {
		t.Errorf("two objectives: C* = %v, at most %v pulls; want 2 and %v", c.Value, got, want)
	}
}

// The upper bound of Theorem 4.4 is far above the lower bound for all methods.
func ExampleCStar_UpperBound() {
	region, err := polyhedron.AtLeast([]float64{.4, .4}, []string{"efficacy", "safety"})
	if err != nil {
		fmt.Println(err)
		return
	}
	q := question.FeasiblePareto{Region: region}
	mu := mat.NewDense(2, 2, []float64{.8, .8, .5, .6})
	c := complexity.NewCStar(q, mu, .5, .5)
	fmt.Println(c.UpperBound(q, mu, .5, .1) > 100*c.LowerBound(.1))
	// Output:
	// true
}

// Arms 0 and 1 form the Pareto front; arm 2 is behind arm 0 by 1/2, and arm 3 is behind arm 1 by 1.
//
//	gaps of the dominated arms: D_2 = min(1/2, 1) = 1/2, D_3 = 1.
//	arm 0: M(0,1) = 3, M(1,0) = 2; with 2: M(2,0)+ + D_2 = 1/2; with 3: 1 + 1.
//	arm 1: with 0: 2; with 2: M(2,1) = 2.5, more; with 3: 0 + 1.
//
// The sorted gaps are 1/2, 1/2, 1 and 1.
func TestGapsByHand(t *testing.T) {
	mu := rows([]float64{3, 1}, []float64{0, 3}, []float64{2.5, 0}, []float64{-1, 2})
	for _, c := range []struct {
		h              int
		q              question.Pareto
		gaps           []float64
		h1, h2, l1, l2 float64
	}{
		{1, question.Pareto{}, []float64{.5, 1, .5, 1}, 10, 8, 4, 4},
		{2, question.Pareto{}, []float64{.5, 1, .5, 1}, 10, 8, 8, 8},
		{3, question.Pareto{}, []float64{.5, 1, .5, 1}, 10, 8, 9, 8},
		{9, question.Pareto{}, []float64{.5, 1, .5, 1}, 10, 8, 10, 8},
		{1, question.Pareto{Epsilon: 2}, []float64{1, 1, 1, 1}, 4, 4, 1, 1},
	} {
		got := complexity.NewGaps(c.q, mu, c.h)
		if !slices.Equal(got.Gaps, c.gaps) || got.H1 != c.h1 || got.H2 != c.h2 || got.H1Lin != c.l1 || got.H2Lin != c.l2 {
			t.Errorf("h = %d, %+v: %+v; want %+v", c.h, c.q, got, c)
		}
	}
	l := complexity.Linear{Gaps: complexity.Gaps{H2Lin: 1}, Items: 4, Objectives: 2, Rank: 3, Sigma: 1e-9}
	if got := l.EnoughBudget(.1); got != 45*3*2 { // with hardly any noise, the budget is 45 h ceil(log2 h)
		t.Errorf("budget %v without noise; want 270", got)
	}
}

// Complexities satisfy H2 <= H1 <= (1 + log K) H2, also for the h smallest gaps. If all means are multiplied by a
// factor, H1 and H2 are divided by the square of the factor.
func TestGapsRelations(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		k, d := 2+rnd.IntN(20), 1+rnd.IntN(3)
		mu := mat.NewDense(k, d, nil)
		for i := range k {
			for c := range d {
				mu.Set(i, c, rnd.NormFloat64())
			}
		}
		h := 1 + rnd.IntN(k)
		c := complexity.NewGaps(question.Pareto{}, mu, h)
		most := func(n int) float64 { return (1 + math.Log(float64(n))) * (1 + 1e-12) }
		if c.H2 > c.H1*(1+1e-12) || c.H1 > c.H2*most(k) || c.H2Lin > c.H1Lin*(1+1e-12) ||
			c.H1Lin > c.H2Lin*most(h) || c.H1Lin > c.H1 || c.H2Lin > c.H2 {
			t.Fatalf("K = %d, h = %d: %+v", k, h, c)
		}
		mu.Scale(4, mu)
		if s := complexity.NewGaps(question.Pareto{}, mu, h); s.H1*16 != c.H1 || s.H2Lin*16 != c.H2Lin {
			t.Fatalf("in units of 1/4: %+v, formerly %+v", s, c)
		}
	}
}

func ExampleNewGaps() {
	mu := mat.NewDense(4, 2, []float64{3, 1, 0, 3, 2.5, 0, -1, 2})
	c := complexity.NewGaps(question.Pareto{}, mu, 2)
	fmt.Println("gaps", c.Gaps)
	fmt.Println("without features", c.H1, "with two", c.H1Lin)
	// Output:
	// gaps [0.5 1 0.5 1]
	// without features 10 with two 8
}
