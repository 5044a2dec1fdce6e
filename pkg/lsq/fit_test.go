package lsq_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// Two objectives, batches, against gonum's least squares on single rewards; and
// once more after Reset.
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

// Arms that span a line in the plane: the estimate is that of least norm, and
// right on the line.
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
