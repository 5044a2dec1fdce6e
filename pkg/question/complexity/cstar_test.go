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

// C*_M by enumeration of all labellings, straight from the paper's equation
// (11) with the gaps of its (9) and (10).
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
		// The explanation is a right answer.
		a := explore.Answer{Items: c.O, Reasons: make([]explore.Reason, len(q.Truth(mu).Eta))}
		for class, set := range map[explore.Class][]int{explore.Optimal: c.O,
			explore.Dominated: c.S, explore.Infeasible: c.I} {
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

// A large instance must not take 2^n steps.
func TestCStarOfManyFreeArms(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	m := [][]float64{{3, 1}, {2, 2}, {1, 3}}
	for range 200 {
		m = append(m, []float64{3 * rnd.Float64(), -rnd.Float64()})
	}
	c := complexity.NewCStar(question.FeasiblePareto{Region: atLeast(0, 0)}, rows(m...),
		1, 1)
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
	// Rates of five arms of a trial.
	mu := mat.NewDense(5, 2, []float64{.360, .420, .340, .481, .469, .388, .465, .535, .537, .390})
	c := complexity.NewCStar(q, mu, 0.5, 0.5)
	fmt.Println("optimal:", c.O, "dominated:", c.S, "infeasible:", c.I)
	fmt.Printf("pulls up to logarithms: %.0f; in two stages: %.0f\n", c.Value, c.HPSI+c.HF)
	// Output:
	// optimal: [3] dominated: [0] infeasible: [1 2 4]
	// pulls up to logarithms: 8775; in two stages: 9042
}
