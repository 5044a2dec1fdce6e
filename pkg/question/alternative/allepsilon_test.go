package alternative_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
)

// cheapest searches many directions in the plane for the cheapest displacement that changes the right answer.
// cheapest uses only the definition of the question.
func cheapest(q question.AllEpsilonBest, x *mat.Dense, mu, w []float64) float64 {
	n, _ := x.Dims()
	factor, offset := q.Line()
	right := q.Right(mat.NewDense(n, 1, slices.Clone(mu)))
	best, moved := math.Inf(1), mat.NewDense(n, 1, nil)
	const directions = 20000
	for s := range directions {
		sin, cos := math.Sincos(2 * math.Pi * float64(s) / directions)
		shift, unit := make([]float64, n), 0.
		for i := range n {
			shift[i] = cos*x.At(i, 0) + sin*x.At(i, 1)
			unit += w[i] * shift[i] * shift[i] / 2
		}
		for i := range n {
			for j := range n {
				// at is the multiple of shift at which item i crosses the threshold set by item j.
				at := -(mu[i] - factor*mu[j] + offset) / (shift[i] - factor*shift[j])
				if !(at > 0) || at*at*unit >= best {
					continue
				}
				for l := range n {
					moved.Set(l, 0, mu[l]+at*(1+1e-7)*shift[l])
				}
				if !slices.Equal(q.Right(moved), right) {
					best = at * at * unit
				}
			}
		}
	}
	return best
}

// The costs of random models in the plane agree with a search over directions.
func TestAllEpsilonAgainstBruteForce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	entries, falls := 0, 0
	for n := range 30 {
		k := 3 + rnd.IntN(5)
		q := question.AllEpsilonBest{Epsilon: .5 * rnd.Float64(), Multiplicative: n%3 == 2}
		x, mu, w := mat.NewDense(k, 2, nil), make([]float64, k), make([]float64, k)
		theta := []float64{rnd.NormFloat64(), rnd.NormFloat64()}
		for i := range k {
			x.SetRow(i, []float64{rnd.NormFloat64(), rnd.NormFloat64()})
			mu[i] = floats.Dot(x.RawRowView(i), theta)
			w[i] = rnd.ExpFloat64()
		}
		if floats.Max(mu) <= 0 && q.Multiplicative {
			continue
		}
		r, err := alternative.NewAllEpsilon(q, x, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.SetMeans(mu)
		got, want := r.Cost(nil, w), cheapest(q, x, mu, w)
		// The angle between neighbouring directions is 3e-4. No displacement that the search finds is cheaper than the
		// response, and the cheapest displacement found is only slightly more expensive.
		if got > want*(1+1e-9) || got < want*(1-1e-3) {
			t.Errorf("%v of %v: F = %v; brute force %v", q, mu, got, want)
		}
		if r.Ways(nil, w, 1, 1, nil)[0].By < 0 {
			entries++
		} else {
			falls++
		}
	}
	if entries < 5 || falls < 5 {
		t.Errorf("%d entries and %d falls: the test says little", entries, falls)
	}
}

// A response has three properties: the set changes just beyond the moved means, the gradient is a
// super-gradient, and Ways lists the response first.
func TestAllEpsilonResponse(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for n := range 60 {
		k, h := 4+rnd.IntN(12), 2+rnd.IntN(4)
		q := question.AllEpsilonBest{Epsilon: .1 + .5*rnd.Float64(), Multiplicative: n%3 == 2}
		x, mu := mat.NewDense(k, h, nil), make([]float64, k)
		w, v := make([]float64, k), make([]float64, k)
		for i := range k {
			for j := range h {
				x.Set(i, j, rnd.NormFloat64())
			}
			mu[i] = rnd.Float64() // the means need not be linear in the features; only displacements are
			w[i], v[i] = rnd.ExpFloat64(), rnd.ExpFloat64()
		}
		r, err := alternative.NewAllEpsilon(q, x, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.SetMeans(mu)
		grad := make([]float64, k)
		f := r.Cost(grad, w)
		if got := floats.Dot(grad, w); !(math.Abs(got-f) <= 1e-9*f) {
			t.Errorf("w.grad = %v; F = %v", got, f)
		}
		if g := r.Cost(nil, v); g > floats.Dot(grad, v)*(1+1e-9) {
			t.Errorf("F(v) = %v is above v.grad = %v", g, floats.Dot(grad, v))
		}
		r.Cost(nil, w)
		s := r.Ways(nil, w, 1, 1, nil)[0]
		factor, offset := q.Line()
		moved := make([]float64, k)
		floats.AddTo(moved, mu, s.Shift)
		slack := math.Inf(1)
		for j := range k {
			slack = min(slack, moved[s.Item]-factor*moved[j]+offset)
		}
		if s.By >= 0 {
			slack = moved[s.Item] - factor*moved[s.By] + offset
		}
		if !(math.Abs(slack) <= 1e-9) || r.Inside(s.Item) != (s.By >= 0) {
			t.Errorf("%v: item %d by %d, inside %v, ends %v from the threshold", q, s.Item, s.By, r.Inside(s.Item), slack)
		}
		ways := r.Ways(nil, w, 1e9, 1e9, nil)
		if len(ways) == 0 || !(math.Abs(ways[0].Cost-f) <= 1e-12*f) {
			t.Fatalf("the first of %d ways costs other than %v", len(ways), f)
		}
		for _, way := range ways {
			cost := 0.
			for i, d := range way.Shift {
				cost += w[i] * d * d / 2
			}
			if !(math.Abs(cost-way.Cost) <= 1e-9*cost) || way.Cost < f*(1-1e-12) {
				t.Errorf("item %d by %d: shift costs %v, not %v", way.Item, way.By, cost, way.Cost)
			}
		}
		if few := r.Ways(nil, w, 1e9, 3, nil); len(few) > 3 {
			t.Errorf("%d ways; want at most 3", len(few))
		}
		for _, way := range r.Ways(nil, w, 1.2, 1e9, nil) {
			if way.Cost > 1.2*f*(1+1e-12) {
				t.Errorf("item %d by %d costs %v, more than 1.2 times %v", way.Item, way.By, way.Cost, f)
			}
		}
	}
}

// For arms without features, closed forms agree with the linear model of unit vectors.
func TestAllEpsilonArms(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for n := range 200 {
		k := 2 + rnd.IntN(8)
		q := question.AllEpsilonBest{Epsilon: .7 * rnd.Float64(), Multiplicative: n%2 == 1}
		if q.Multiplicative && n%4 == 1 {
			q.Zero = -rnd.Float64()
		}
		eye, mu, w := mat.NewDense(k, k, nil), make([]float64, k), make([]float64, k)
		for i := range k {
			eye.Set(i, i, 1)
			mu[i], w[i] = rnd.Float64(), rnd.ExpFloat64()
		}
		linear, err := alternative.NewAllEpsilon(q, eye, nil)
		if err != nil {
			t.Fatal(err)
		}
		arms := alternative.NewAllEpsilonArms(q, k)
		linear.SetMeans(mu)
		arms.SetMeans(mu)
		a, b := make([]float64, k), make([]float64, k)
		want, got := linear.Cost(a, w), arms.Cost(b, w)
		if !(math.Abs(got-want) <= 1e-9*want) || !floats.EqualApprox(a, b, 1e-7) {
			t.Errorf("%#v of %v: %v, gradient %v; as a linear model %v, %v", q, mu, got, b, want, a)
		}
	}
	one := alternative.NewAllEpsilonArms(question.AllEpsilonBest{Epsilon: .1}, 1)
	one.SetMeans([]float64{3})
	if f := one.Cost(nil, []float64{1}); !math.IsInf(f, 1) {
		t.Errorf("one arm: F = %v", f)
	}
}

// If the information matrix for the weights is singular, some displacements cost nothing.
func TestAllEpsilonSingular(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1})
	r, err := alternative.NewAllEpsilon(question.AllEpsilonBest{Epsilon: .1}, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.SetMeans([]float64{1, .5, .2})
	grad := make([]float64, 3)
	if f := r.Cost(grad, []float64{1, 0, 0}); !(f >= 0 && f < 1e-9) || !(grad[1] > 0) {
		t.Errorf("F = %v, gradient %v; arm 1 is free to move", f, grad)
	}
}

func ExampleAllEpsilon() {
	// Two ingredients and two mixtures of them: which are within 0.5 of the best?
	x := mat.NewDense(4, 2, []float64{1, 0, 0, 1, .5, .5, .9, .2})
	r, err := alternative.NewAllEpsilon(question.AllEpsilonBest{Epsilon: .5}, x, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r.SetMeans([]float64{2, .6, 1.3, 1.92})
	s := r.Ways(nil, []float64{10, 10, 0, 0}, 1, 1, nil)[0]
	fmt.Printf("item %d enters at a cost of %.2f, if means move by %.2f\n", s.Item, s.Cost, s.Shift)
	// Output:
	// item 2 enters at a cost of 0.40, if means move by [-0.20 0.20 0.00 -0.14]
}

// The threshold is half of the best mean, measured from Zero. If the best arm falls below Zero, it is below its own
// threshold; such a fall may be the cheapest change. The cost agrees with a search over a grid of pairs of means.
func TestAllEpsilonArmsZero(t *testing.T) {
	q := question.AllEpsilonBest{Epsilon: .5, Multiplicative: true}
	arms := alternative.NewAllEpsilonArms(q, 2)
	mu := []float64{1, -.5}
	arms.SetMeans(mu)
	right := q.Right(mat.NewDense(2, 1, slices.Clone(mu)))
	for _, c := range []struct{ w0, w1, want float64 }{
		{.01, 1, .005}, // the best arm falls to 0
		{1, .01, .005}, // the other arm rises to nearly half of the best
	} {
		got, best := arms.Cost(nil, []float64{c.w0, c.w1}), math.Inf(1)
		const step = .01
		for i := -200; i <= 200; i++ {
			for j := -200; j <= 200; j++ {
				a, b := step*float64(i), step*float64(j)
				cost := c.w0/2*(a-mu[0])*(a-mu[0]) + c.w1/2*(b-mu[1])*(b-mu[1])
				if cost < best && !slices.Equal(q.Right(mat.NewDense(2, 1, []float64{a, b})), right) {
					best = cost
				}
			}
		}
		if !(math.Abs(got-c.want) <= 1e-4) || got > best || best > got+2*step*(c.w0+c.w1) {
			t.Errorf("F = %v; want %v; the cheapest of the grid costs %v", got, c.want, best)
		}
	}
}
