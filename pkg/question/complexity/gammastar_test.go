package complexity_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
	"github.com/purexp/purexp/pkg/question/complexity"
)

func allEpsilon(x *mat.Dense, k int, eps float64) *explore.Problem {
	return &explore.Problem{X: x, Arms: k, Sigma: 1, Question: question.AllEpsilonBest{Epsilon: eps}}
}

// The expected values were computed by an independent program for arms without features. The field printed is the
// expression of Theorem 3.2, which is up to 30 % larger than T*.
func TestGammaStarGolden(t *testing.T) {
	for _, c := range []struct {
		mu             []float64
		eps            float64
		printed, exact float64
		digit          float64 // half a unit of the last digit
	}{
		{[]float64{1, .99, .98, 0}, .5, 65.571828, 60.680478, 5e-7},
		{[]float64{1, .999, .6, 0}, .9, 831.872, 811.455, 5e-4},
		{[]float64{1, .999, .998, .997, .996, .3}, .5, 264.516, 203.172, 5e-4},
		{[]float64{1, .9, .8, .3, .1}, .4, 265.837811, 265.837811, 5e-7},
	} {
		const tol = 1e-7
		p := allEpsilon(nil, len(c.mu), c.eps)
		exact, err := complexity.NewGammaStar(p, c.mu, tol)
		if err != nil {
			t.Fatal(err)
		}
		printed, err := complexity.NewPaperGammaStar(p, c.mu, tol)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range []struct {
			what string
			*complexity.GammaStar
			want float64
		}{{"exact", exact, c.exact}, {"printed", printed, c.printed}} {
			if !(g.Lower <= g.want+c.digit && g.want-c.digit <= g.Upper && g.Upper <= g.Lower*(1+2*tol)) {
				t.Errorf("%v: %s value in [%v, %v]; want %v", c.mu, g.what, g.Lower, g.Upper, g.want)
			}
			if s := floats.Sum(g.Weights); !(math.Abs(s-1) <= 1e-9) {
				t.Errorf("%v: weights sum to %v", c.mu, s)
			}
		}
	}
}

// If epsilon is 0, the question is which item is best. T* then equals T* of the best-arm question or, in a linear
// model, 2 psi*.
func TestGammaStarOfBest(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		mu := make([]float64, 5)
		for i := range mu {
			mu[i] = rnd.NormFloat64()
		}
		g, err := complexity.NewGammaStar(allEpsilon(nil, 5, 0), mu, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		s, err := complexity.NewTStar(question.Pareto{}, mat.NewDense(5, 1, mu), nil, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		if g.Lower > s.Upper*(1+1e-9) || s.Lower > g.Upper*(1+1e-9) {
			t.Errorf("%v: [%v, %v]; T* is in [%v, %v]", mu, g.Lower, g.Upper, s.Lower, s.Upper)
		}
	}
	// For e1, e2 and a vector at an angle of 0.1 from e1, psi* is 110.0749.
	x := mat.NewDense(3, 2, []float64{1, 0, 0, 1, math.Cos(.1), math.Sin(.1)})
	mu := []float64{2, 0, 2 * math.Cos(.1)}
	g, err := complexity.NewGammaStar(allEpsilon(x, 0, 0), mu, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	if g.Lower > 2*110.07505 || g.Upper < 2*110.07485 {
		t.Errorf("T* in [%v, %v]; want twice 110.0749", g.Lower, g.Upper)
	}
}

// With two arms, item 1 enters the set if the two means are within epsilon of each other. T* is 8/(gap - epsilon)^2.
// The lower bound is proportional to the variance of the rewards.
func TestGammaStarTwoArms(t *testing.T) {
	p := allEpsilon(nil, 2, .2)
	p.Sigma = 3
	g, err := complexity.NewGammaStar(p, []float64{1, 0}, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	want := 8 / (.8 * .8)
	if !(math.Abs(g.Upper-want) <= 1e-4) || g.Hardest.Item != 1 || g.Hardest.By != -1 {
		t.Errorf("T* = %v, hardest %+v; want %v, item 1 enters", g.Upper, g.Hardest, want)
	}
	if got, want := g.LowerBound(.1), 9*g.Lower*.8*math.Log(9); !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("lower bound %v; want %v", got, want)
	}
}

// With and without features, T* agrees with a grid search over the weights of three arms.
func TestGammaStarAgainstGrid(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for n := range 12 {
		q := question.AllEpsilonBest{Epsilon: .1 + .4*rnd.Float64(), Multiplicative: n%2 == 1}
		x := mat.NewDense(3, 2, nil)
		for i := range 3 {
			x.SetRow(i, []float64{1, rnd.NormFloat64()})
		}
		mu := []float64{1, rnd.Float64(), rnd.Float64()}
		for _, features := range []*mat.Dense{nil, x} {
			p := &explore.Problem{X: features, Arms: 3, Sigma: 1, Question: q}
			g, err := complexity.NewGammaStar(p, mu, 1e-5)
			if err != nil {
				t.Fatal(err)
			}
			if features == nil {
				features = mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
			}
			r, err := alternative.NewAllEpsilon(q, features, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.SetMeans(mu)
			const steps = 200
			best := 0.
			for a := 1; a < steps; a++ {
				for b := 1; a+b < steps; b++ {
					w := []float64{float64(a) / steps, float64(b) / steps, float64(steps-a-b) / steps}
					best = max(best, r.Cost(nil, w))
				}
			}
			if 1/best < g.Lower*(1-1e-9) || 1/best > g.Upper*1.02 {
				t.Errorf("%v of %v: T* in [%v, %v], %v on the grid", q, mu, g.Lower, g.Upper, 1/best)
			}
			if f := r.Cost(nil, g.Weights); !(math.Abs(1/f-g.Upper) <= 1e-6*g.Upper) {
				t.Errorf("%v of %v: weights need %v, not %v", q, mu, 1/f, g.Upper)
			}
		}
	}
}

// In linear models of several sizes, brackets have the requested width, and the expression printed in the paper is
// never smaller than T*. The items are the arms, or other vectors.
func TestGammaStarLinear(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	larger := 0
	for range 10 {
		k, h := 6+rnd.IntN(20), 2+rnd.IntN(4)
		x, z := mat.NewDense(k, h, nil), mat.NewDense(9, h, nil)
		for _, m := range []*mat.Dense{x, z} {
			n, _ := m.Dims()
			for i := range n {
				for j := range h {
					m.Set(i, j, rnd.NormFloat64())
				}
			}
		}
		for _, items := range []*mat.Dense{nil, z} {
			of := x
			if items != nil {
				of = items
			}
			theta := mat.NewVecDense(h, nil)
			for j := range h {
				theta.SetVec(j, rnd.NormFloat64())
			}
			var means mat.VecDense
			means.MulVec(of, theta)
			mu := means.RawVector().Data
			p := allEpsilon(x, 0, .5+rnd.Float64())
			p.Z = items
			g, err := complexity.NewGammaStar(p, mu, 1e-4)
			if err != nil {
				t.Fatal(err)
			}
			paper, err := complexity.NewPaperGammaStar(p, mu, 1e-4)
			if err != nil {
				t.Fatal(err)
			}
			if paper.Upper < g.Lower {
				t.Errorf("printed %v, exact %v", paper.Upper, g.Lower)
			}
			if paper.Lower > g.Upper*1.01 {
				larger++
			}
		}
	}
	if larger == 0 {
		t.Error("the printed expression is never larger, so the test shows little")
	}
}

func ExampleNewGammaStar() {
	p := &explore.Problem{Arms: 4, Sigma: 1, Question: question.AllEpsilonBest{Epsilon: .5}}
	mu := []float64{1, .99, .98, 0}
	exact, err := complexity.NewGammaStar(p, mu, 1e-6)
	if err != nil {
		fmt.Println(err)
		return
	}
	printed, err := complexity.NewPaperGammaStar(p, mu, 1e-6)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("T* = %.3f, Theorem 3.2 of the LinFACT paper says %.3f\n", exact.Lower, printed.Lower)
	fmt.Printf("weights %.3f\n", exact.Weights)
	fmt.Printf("%s is hardest: below %.0f pulls nobody is right with 95 %%\n", p.Arm(exact.Hardest.Item), exact.LowerBound(.05))
	// Output:
	// T* = 60.680, Theorem 3.2 of the LinFACT paper says 65.572
	// weights [0.286 0.264 0.286 0.164]
	// arm 2 is hardest: below 161 pulls nobody is right with 95 %
}
