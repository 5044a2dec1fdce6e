package question_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

func rows(m ...[]float64) *mat.Dense {
	d := mat.NewDense(len(m), len(m[0]), nil)
	for i, r := range m {
		d.SetRow(i, r)
	}
	return d
}

func items(i ...int) explore.Answer { return explore.Answer{Items: i} }

func TestParetoCorrect(t *testing.T) {
	// Front {0, 1, 2}; arm 3 is 0.1 behind arm 1 in each objective, arm 4 is 1 behind.
	mu := rows([]float64{3, 0}, []float64{2, 2}, []float64{0, 3}, []float64{1.9, 1.9}, []float64{1, 1})
	exact, eps := question.Pareto{}, question.Pareto{Epsilon: .2}
	cover, most := question.Pareto{Epsilon: .2, Cover: 2}, question.Pareto{Epsilon: .2, AtMost: 2}
	for _, c := range []struct {
		q    question.Pareto
		a    explore.Answer
		want bool
	}{
		{exact, items(0, 1, 2), true}, {exact, items(0, 1), false}, {exact, items(0, 1, 2, 3), false}, {exact, items(), false},
		{exact, items(0, 1, 1, 2), false}, {exact, items(0, 1, 2, 9), false},
		{eps, items(0, 1, 2), true}, {eps, items(0, 1, 2, 3), true}, {eps, items(0, 1, 3), false}, {eps, items(0, 1, 2, 4), false},
		{cover, items(1), true},                                    // covers (3,0) and (0,3) by 1 <= 2
		{cover, items(3), true},                                    // is eps-optimal and covers (2,2) by .1, (3,0) by 1.1
		{cover, items(4), false},                                   // not eps-optimal
		{cover, items(), false},                                    // covers nothing
		{question.Pareto{Epsilon: .2, Cover: .5}, items(1), false}, // covers (3,0) by 1 > .5
		{most, items(0, 3), true}, {most, items(3, 4), false}, {most, items(0), false}, {most, items(0, 1, 2), true},
	} {
		if got := c.q.Correct(mu, c.a); got != c.want {
			t.Errorf("%+v: %v is %v; want %v", c.q, c.a.Items, got, c.want)
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

func TestFeasibleParetoCorrect(t *testing.T) {
	// 0, 1 front; 2 feasible and dominated; 3 infeasible and dominated; 4 infeasible only.
	mu := rows([]float64{2, 1}, []float64{1, 2}, []float64{.5, .5}, []float64{1, -1}, []float64{3, -1})
	q := question.FeasiblePareto{Region: quadrant()}
	const o, d, i, u = explore.Optimal, explore.Dominated, explore.Infeasible, explore.Undecided
	for _, c := range []struct {
		classes []explore.Class
		want    bool
	}{
		{[]explore.Class{o, o, d, i, i}, true}, {[]explore.Class{o, o, d, d, i}, true},
		{[]explore.Class{o, o, i, i, i}, false}, {[]explore.Class{o, o, d, i, d}, false}, {[]explore.Class{o, o, u, i, i}, false},
		{[]explore.Class{o, o, d, u, i}, false}, {[]explore.Class{o, d, d, i, i}, false}, {[]explore.Class{o, o, d, i}, false},
		{nil, false},
	} {
		a := items(0, 1)
		for _, class := range c.classes {
			a.Reasons = append(a.Reasons, explore.Reason{Class: class})
		}
		if got := q.Correct(mu, a); got != c.want {
			t.Errorf("%v is %v; want %v", c.classes, got, c.want)
		}
	}
	set := question.FeasiblePareto{Region: quadrant(), SetOnly: true}
	if !set.Correct(mu, items(0, 1)) || set.Correct(mu, items(0)) || set.Correct(mu, items(0, 1, 2)) {
		t.Error("the set alone")
	}
	f := question.Feasible{Region: quadrant()}
	if !f.Correct(mu, items(0, 1, 2)) || f.Correct(mu, items(0, 1)) {
		t.Error("the feasible set")
	}
	tr := q.Truth(mu)
	if fmt.Sprint(tr.By, tr.D) != "[-1 -1 0 0 -1] [0 0 0.5 1 0]" {
		t.Errorf("dominators %v by %v", tr.By, tr.D)
	}
}

func TestValidate(t *testing.T) {
	p := &explore.Problem{Arms: 2, Objectives: 3, Sigma: 1, Question: question.FeasiblePareto{Region: quadrant()}}
	if p.Validate() == nil {
		t.Error("a region of two objectives for a problem of three")
	}
	p.Question = question.FeasiblePareto{}
	if p.Validate() == nil {
		t.Error("no region")
	}
	p.Question = question.FeasiblePareto{Region: polyhedron.Whole(3)}
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
}

// random returns an instance with arms of every kind.
func random(rnd *rand.Rand) (question.FeasiblePareto, *mat.Dense) {
	k, d := 1+rnd.IntN(9), 1+rnd.IntN(3)
	mu := mat.NewDense(k, d, nil)
	for i := range k {
		for c := range d {
			mu.Set(i, c, rnd.NormFloat64())
		}
	}
	lower := make([]float64, d)
	for c := range lower {
		lower[c] = -1 + .5*rnd.NormFloat64()
	}
	r, err := polyhedron.AtLeast(lower, nil)
	if err != nil {
		panic(err)
	}
	return question.FeasiblePareto{Region: r}, mu
}

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

func TestComplexityAgainstBruteForce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	most, mixed := 0, 0
	for n := range 5000 {
		q, mu := random(rnd)
		sigma, sigmaU := .5+rnd.Float64(), .5+rnd.Float64()
		want, free := bruteForce(q, mu, sigma, sigmaU)
		c := q.Complexity(mu, sigma, sigmaU)
		if math.Abs(c.CStar-want) > 1e-9*want {
			t.Fatalf("instance %d: C* = %v; brute force %v (%d free arms)", n, c.CStar, want, free)
		}
		if c.CStar > (c.HPSI+c.HF)*(1+1e-12) {
			t.Fatalf("instance %d: C* = %v above HPSI + HF = %v + %v", n, c.CStar, c.HPSI, c.HF)
		}
		// The explanation is a right answer.
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

func TestComplexityOfTies(t *testing.T) {
	q := question.FeasiblePareto{Region: quadrant()}
	if c := q.Complexity(rows([]float64{1, 0}, []float64{0, 1}), 1, 1); !math.IsInf(c.CStar, 1) {
		t.Errorf("an arm on the boundary: C* = %v", c.CStar)
	}
	if c := q.Complexity(rows([]float64{1, 1}, []float64{1, 1}), 1, 1); !math.IsInf(c.CStar, 1) {
		t.Errorf("two equal optimal arms: C* = %v", c.CStar)
	}
	// Nobody feasible: C* is that of certifying everybody infeasible.
	if c := q.Complexity(rows([]float64{-1, 1}, []float64{1, -.5}), 1, 2); c.CStar != 8+32 || len(c.I) != 2 {
		t.Errorf("nobody feasible: %+v", c)
	}
}

// A large instance must not take 2^n steps.
func TestComplexityOfManyFreeArms(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	m := [][]float64{{3, 1}, {2, 2}, {1, 3}}
	for range 200 {
		m = append(m, []float64{3 * rnd.Float64(), -rnd.Float64()})
	}
	c := question.FeasiblePareto{Region: quadrant()}.Complexity(rows(m...), 1, 1)
	if len(c.S)+len(c.I) != 200 || math.IsInf(c.CStar, 0) || len(c.S) == 0 || len(c.I) == 0 {
		t.Errorf("%d dominated, %d infeasible, C* = %v", len(c.S), len(c.I), c.CStar)
	}
}

// Answers do not depend on unit and origin if the question moves along.
func TestMove(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		q, mu := random(rnd)
		k, d := mu.Dims()
		shift := make([]float64, d)
		for c := range shift {
			shift[c] = rnd.NormFloat64()
		}
		to := mat.NewDense(k, d, nil)
		for i := range k {
			for c := range d {
				to.Set(i, c, 3*mu.At(i, c)+shift[c])
			}
		}
		m := q.Move(3, shift).(question.FeasiblePareto)
		if a, b := q.Truth(mu), m.Truth(to); !slices.Equal(a.Optimal, b.Optimal) || !slices.Equal(a.Feasible, b.Feasible) {
			t.Fatalf("%v of %v, moved %v of %v", a, mat.Formatted(mu), b, mat.Formatted(to))
		}
	}
}

// Questions are told apart when written out, down to the last digit of a bound,
// and whatever the names of the constraints.
func TestGoString(t *testing.T) {
	at := func(b float64) *polyhedron.Polyhedron {
		r, err := polyhedron.New(mat.NewDense(1, 2, []float64{-1, 0}), []float64{-b}, []string{"rule"})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	seen := map[string]bool{}
	for _, q := range []explore.Question{
		question.Pareto{}, question.Pareto{Epsilon: .1}, question.Feasible{Region: at(.4)},
		question.FeasiblePareto{Region: at(.4)}, question.FeasiblePareto{Region: at(math.Nextafter(.4, 1))},
		question.FeasiblePareto{Region: at(.4), SetOnly: true}, question.FeasiblePareto{Region: polyhedron.Whole(2)},
	} {
		s := fmt.Sprintf("%#v", q)
		if seen[s] || strings.Contains(s, "0x") {
			t.Errorf("%s", s)
		}
		seen[s] = true
	}
}

func ExampleFeasible() {
	region, err := polyhedron.AtLeast([]float64{0.40, 0.40}, []string{"efficacy", "safety"})
	if err != nil {
		panic(err)
	}
	mu := mat.NewDense(2, 2, []float64{.465, .535, .537, .390})
	q := question.Feasible{Region: region}
	fmt.Println(q.Correct(mu, explore.Answer{Items: []int{0}}), q.Correct(mu, explore.Answer{Items: []int{0, 1}}))
	// Output: true false
}

func ExamplePareto() {
	mu := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0.9, -0.1})
	exact, relaxed := question.Pareto{}, question.Pareto{Epsilon: 0.2}
	a := explore.Answer{Items: []int{0, 1, 2}} // arm 2 is 0.1 short of optimal
	fmt.Println(exact.Correct(mu, a), relaxed.Correct(mu, a))
	// Output: false true
}

func ExampleFeasiblePareto() {
	region, err := polyhedron.AtLeast([]float64{0.40, 0.40}, []string{"efficacy", "safety"})
	if err != nil {
		panic(err)
	}
	q := question.FeasiblePareto{Region: region}
	// Rates of five arms of a trial.
	mu := mat.NewDense(5, 2, []float64{.360, .420, .340, .481, .469, .388, .465, .535, .537, .390})
	c := q.Complexity(mu, 0.5, 0.5)
	fmt.Println("optimal:", c.O, "dominated:", c.S, "infeasible:", c.I)
	fmt.Printf("pulls up to logarithms: %.0f; in two stages: %.0f\n", c.CStar, c.HPSI+c.HF)
	// Output:
	// optimal: [3] dominated: [0] infeasible: [1 2 4]
	// pulls up to logarithms: 8775; in two stages: 9042
}

func BenchmarkComplexity(b *testing.B) {
	rnd := rand.New(rand.NewPCG(3, 4))
	m := [][]float64{{3, 1}, {2, 2}, {1, 3}}
	for range 100 {
		m = append(m, []float64{rnd.Float64(), -rnd.Float64()})
	}
	q, mu := question.FeasiblePareto{Region: quadrant()}, rows(m...)
	b.ReportAllocs()
	for b.Loop() {
		q.Complexity(mu, 1, 1)
	}
}
