package complexity_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// Arms 0 and 1 are the front; 2 is behind 0 by 1/2, 3 is behind 1 by 1.
//
//	gaps of the dominated: D_2 = min(1/2, 1) = 1/2, D_3 = 1.
//	arm 0: M(0,1) = 3, M(1,0) = 2; with 2: M(2,0)+ + D_2 = 1/2; with 3: 1 + 1.
//	arm 1: with 0: 2; with 2: M(2,1) = 2.5, more; with 3: 0 + 1.
//
// Sorted: 1/2, 1/2, 1, 1.
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
		if !slices.Equal(got.Gaps, c.gaps) || got.H1 != c.h1 || got.H2 != c.h2 ||
			got.H1Lin != c.l1 || got.H2Lin != c.l2 {
			t.Errorf("h = %d, %+v: %+v; want %+v", c.h, c.q, got, c)
		}
	}
}

// H2 <= H1 <= (1 + log K) H2, and so for the h smallest gaps; in other units they
// change by the square.
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
		if s := complexity.NewGaps(question.Pareto{}, mu, h); s.H1*16 != c.H1 ||
			s.H2Lin*16 != c.H2Lin {
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
