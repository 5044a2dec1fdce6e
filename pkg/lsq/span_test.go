package lsq_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// Points of every rank, in features of different units: the rank, a spanning
// subset, and coordinates that represent the points linearly.
func TestSpan(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, units := range []float64{1, 1e3, 1e-4} {
		for rank := 1; rank <= 5; rank++ {
			const k, h = 12, 6
			var x mat.Dense
			x.Mul(random(rnd, k, rank, 1), random(rnd, rank, h, 1))
			for j := range h {
				for i := range k {
					x.Set(i, j, x.At(i, j)*math.Pow(units, float64(j)))
				}
			}
			s := lsq.NewSpan(&x)
			if s.Rank() != rank {
				t.Fatalf("units %v: rank %d; want %d", units, s.Rank(), rank)
			}
			p := slices.Clone(s.Points())
			slices.Sort(p)
			if len(slices.Compact(p)) != rank {
				t.Fatalf("spanning points %v; want %d different ones", s.Points(), rank)
			}
			// The points found span everything: each point is a combination
			// of them with the same coefficients in coordinates.
			c := s.Coordinates(&x)
			basis := mat.NewDense(rank, rank, nil)
			for r, i := range s.Points() {
				basis.SetRow(r, c.RawRowView(i))
			}
			var coef mat.Dense
			if err := coef.Solve(basis.T(), c.T()); err != nil {
				t.Fatal(err)
			}
			back := make([]float64, h)
			for i := range k {
				clear(back)
				for r, q := range s.Points() {
					floats.AddScaled(back, coef.At(r, i), x.RawRowView(q))
				}
				for j, v := range back {
					if !(math.Abs(v-x.At(i, j)) <= 1e-9*math.Pow(units, float64(j))) {
						t.Fatalf("units %v, rank %d: point %d is not %v but %v", units, rank, i,
							x.RawRowView(i), back)
					}
				}
				if out := s.Outside(x.RawRowView(i)); out > 1e-12 {
					t.Fatalf("point %d is %v outside its own span", i, out)
				}
			}
			// A direction at random is outside unless the rank is full.
			for j := range back {
				back[j] = rnd.NormFloat64() * math.Pow(units, float64(j))
			}
			if out := s.Outside(back); out < 1e-3 || out > 1+1e-12 {
				t.Fatalf("rank %d of %d: a random direction is %v outside", rank, h, out)
			}
		}
	}
}

// The axes are the span of unit vectors, with all that it says of points.
func TestAxes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for k := 1; k <= 4; k++ {
		unit := mat.NewDense(k, k, nil)
		for i := range k {
			unit.Set(i, i, 1)
		}
		want, got := lsq.NewSpan(unit), lsq.Axes(k)
		y := random(rnd, 3, k, 10)
		if got.Rank() != k || !slices.Equal(got.Points(), want.Points()) || !mat.Equal(got.Coordinates(y), want.Coordinates(y)) ||
			!mat.Equal(got.Coordinates(y), y) || got.Outside(y.RawRowView(0)) != 0 {
			t.Errorf("%d axes: rank %d, points %v, coordinates %v", k, got.Rank(), got.Points(), mat.Formatted(got.Coordinates(y)))
		}
	}
}

func ExampleSpan() {
	// Three features, but the third is the sum of the others.
	x := mat.NewDense(4, 3, []float64{
		1, 0, 1,
		0, 1, 1,
		1, 1, 2,
		2, 1, 3,
	})
	s := lsq.NewSpan(x)
	fmt.Println("rank", s.Rank())
	fmt.Printf("(1, 2, 3) is outside by %.2f\n", s.Outside([]float64{1, 2, 3}))
	fmt.Printf("(1, 2, 4) is outside by %.2f\n", s.Outside([]float64{1, 2, 4}))
	fmt.Println(s.Coordinates(x).Dims())
	// Output:
	// rank 2
	// (1, 2, 3) is outside by 0.00
	// (1, 2, 4) is outside by 0.11
	// 4 2
}
