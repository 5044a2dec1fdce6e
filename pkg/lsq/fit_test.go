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

// The test compares batches of two objectives with gonum's least squares on single rewards, and
// repeats the comparison after Reset.
func TestFit(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	const k, m, d = 6, 3, 2
	f := lsq.NewFit(m, d)
	for range 2 {
		f.Reset()
		x := random(rnd, k, m, 1)
		var a, r []float64
		total := 0
		for i := range k {
			n := 1 + rnd.IntN(4)
			sum := make([]float64, d)
			for range n {
				a = append(a, x.RawRowView(i)...)
				for c := range d {
					v := rnd.NormFloat64()
					sum[c] += v
					r = append(r, v)
				}
			}
			f.Add(x.RawRowView(i), n, sum)
			total += n
		}
		if !f.Solve() || f.N() != total {
			t.Fatalf("no unique fit of %d rewards, or %d", total, f.N())
		}
		var want, info, inverse mat.Dense
		if err := want.Solve(mat.NewDense(total, m, a), mat.NewDense(total, d, r)); err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(f.Theta(), &want, 1e-12) {
			t.Errorf("theta %v; want %v", mat.Formatted(f.Theta()), mat.Formatted(&want))
		}
		big := mat.NewDense(total, m, a)
		info.Mul(big.T(), big)
		if err := inverse.Inverse(&info); err != nil {
			t.Fatal(err)
		}
		y := []float64{1, -2, .5}
		v := mat.NewVecDense(m, y)
		for c := range d {
			if got, want := f.Mean(y, c), mat.Dot(v, want.ColView(c)); !(math.Abs(got-want) <= 1e-12) {
				t.Errorf("mean %v; want %v", got, want)
			}
		}
		if got, want := f.Squared(y), mat.Inner(v, &inverse, v); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("variance %v; want %v", got, want)
		}
	}
}

// If the arms span only a line in the plane, the estimate has the smallest norm and is correct on the line.
func TestFitSingular(t *testing.T) {
	f := lsq.NewFit(2, 1)
	f.Add([]float64{1, 1}, 4, []float64{8}) // mean 2
	if f.Solve() {
		t.Error("unique")
	}
	if got := f.Theta(); !(math.Abs(got.At(0, 0)-1) <= 1e-12) || !(math.Abs(got.At(1, 0)-1) <= 1e-12) {
		t.Errorf("theta %v; want (1, 1)", mat.Formatted(got))
	}
	if v := f.Squared([]float64{3, 3}); !(math.Abs(v-9./4) <= 1e-12) {
		t.Errorf("variance %v; want 9/4", v)
	}
	if in, out := f.Outside([]float64{2, 2}), f.Outside([]float64{1, 0}); in > 1e-12 ||
		!(math.Abs(out-math.Sqrt(.5)) <= 1e-12) {
		t.Errorf("outside by %v and %v; want 0 and 0.707", in, out)
	}
}

func ExampleFit() {
	f := lsq.NewFit(2, 1)
	f.Add([]float64{1, 0}, 10, []float64{20}) // 10 rewards of mean 2
	f.Add([]float64{1, 1}, 5, []float64{15})  // 5 rewards of mean 3
	f.Solve()
	y := []float64{0, 1}
	fmt.Printf("mean %.2f, variance %.2f\n", f.Mean(y, 0), f.Squared(y))
	// Output:
	// mean 1.00, variance 0.30
}

// Three catalysts are described by a column of numbers and two columns of labels.
func ExampleFeatures() {
	x, names := lsq.Features(3, []lsq.Numbers{{Name: "pH", Values: []float64{6, 7, 7.5}}}, []lsq.Category{
		{Name: "ligand", Values: []string{"PPh3", "XPhos", "PPh3"}},
		{Name: "base", Values: []string{"K", "K", "Cs"}},
	})
	fmt.Println(names)
	fmt.Println(mat.Formatted(x))
	// Output:
	// [1 pH ligand = PPh3 ligand = XPhos base = K base = Cs]
	// ⎡  1    6    1    0    1    0⎤
	// ⎢  1    7    0    1    1    0⎥
	// ⎣  1  7.5    1    0    0    1⎦
}

// The test uses points of every rank, with features in different units. It checks the rank, a
// spanning subset, and coordinates that represent the points linearly.
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
			// Each point is a linear combination of the spanning points. The coefficients are computed from the
			// coordinates.
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
						t.Fatalf("units %v, rank %d: point %d is not %v but %v", units, rank, i, x.RawRowView(i), back)
					}
				}
				if out := s.Outside(x.RawRowView(i)); out > 1e-12 {
					t.Fatalf("point %d is %v outside its own span", i, out)
				}
			}
			// A random direction is outside the span, because the rank is below h.
			for j := range back {
				back[j] = rnd.NormFloat64() * math.Pow(units, float64(j))
			}
			if out := s.Outside(back); out < 1e-3 || out > 1+1e-12 {
				t.Fatalf("rank %d of %d: a random direction is %v outside", rank, h, out)
			}
		}
	}
}

// The methods of Axes give the same results as those of the span of unit vectors.
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
	// There are three features; the third feature is the sum of the other two.
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
