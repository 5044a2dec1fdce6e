package complexity_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// kl(.45, .1) = .45 log 4.5 + .55 log(.55/.9) = .676835 - .270863 = .405971: a quarter is .101493.
func TestCStarLowerBound(t *testing.T) {
	of := func(c, delta float64) float64 { return complexity.CStar{Value: c}.LowerBound(delta) }
	if got := of(1, .1); !(math.Abs(got-.101493) <= 1e-5) {
		t.Errorf("%v; want 0.101493", got)
	}
	if got := of(1, .5); got != 0 {
		t.Errorf("%v at delta 0.5; want 0", got)
	}
	// As delta goes to 0, half of C log(1/delta)/4.
	if got := of(8, 1e-300) / math.Log(1e300); !(math.Abs(got-1) <= .01) {
		t.Errorf("%v log(1/delta); want C/8", got)
	}
}

// The sum over T of 1/T^2 is pi^2/6, of log T/T^2 0.937548, of log^2 T/T^2 1.989280: with K = d =
// 1, f = 2 log 8 + log 5 + 2/e = 6.504080, it is f 1.644934 + (f + 6) .937548 + 6 1.989280 =
// 34.358, and Lambda half of that.
func TestLambda(t *testing.T) {
	if got := complexity.Lambda(1, 1); !(math.Abs(got-17.179) <= .01) {
		t.Errorf("%v; want 17.179", got)
	}
}

// One arm, optimal, 1/2 from the boundary: C = 2 (1/2)^2/(1/2)^2 = 2, and H = 32 (1/2)^2 log 5
// /(1/2)^2 = 51.502: 256 (log 128 + log(160)/3) + 206.009 + 17.179 = 1898.39.
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
}

// What Theorem 4.4 promises is far above what every method needs.
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
