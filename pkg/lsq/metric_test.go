package lsq_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// The Euclidean norm of a whitened vector y is sqrt(y'A^-1 y), with the pseudo-inverse if A is singular.
func TestMetric(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for rank := 1; rank <= 4; rank++ {
		const m = 4
		root := random(rnd, rank, m, 1)
		var a mat.Dense
		a.Mul(root.T(), root)
		e := lsq.NewMetric(m)
		if regular := e.Factorize(a.RawMatrix().Data); regular != (rank == m) {
			t.Fatalf("rank %d of %d: regular is %v", rank, m, regular)
		}
		// For y = A v, the square y'A^-1 y equals v'A v.
		w := make([]float64, m)
		for range 20 {
			v := random(rnd, m, 1, 1)
			var y mat.Dense
			y.Mul(&a, v)
			want := mat.Inner(v.ColView(0), &a, v.ColView(0))
			got := y.RawMatrix().Data
			if s := e.Squared(got); !(math.Abs(s-want) <= 1e-9*want) {
				t.Errorf("rank %d: square %v; want %v", rank, s, want)
			}
			e.Whiten(w, got)
			if s := floats.Dot(w, w); !(math.Abs(s-want) <= 1e-9*want) {
				t.Errorf("rank %d: whitened square %v; want %v", rank, s, want)
			}
			if out := e.Outside(got); out > 1e-9 {
				t.Errorf("rank %d: a vector of the range is %v outside", rank, out)
			}
			u := v.RawMatrix().Data
			if out := e.Outside(u); rank == m && out != 0 || rank < m && (out < 1e-6 || out > 1+1e-12) {
				t.Errorf("rank %d: a random vector is %v outside", rank, out)
			}
		}
	}
}

// Unmeasured directions are those of the kernel, and Outside measures the part of a vector in the kernel,
// whether or not coordinate axes span the kernel.
func TestMetricOutside(t *testing.T) {
	for _, c := range []struct {
		measured, y []float64
		want        float64
	}{
		{[]float64{1, 0, 0}, []float64{1, 0, 0}, 0},
		{[]float64{1, 0, 0}, []float64{0, 1, 0}, 1},
		{[]float64{1, 0, 0}, []float64{0, 0, -1}, 1},
		{[]float64{1, 0, 0}, []float64{0, 3, 4}, 1},
		{[]float64{1, 0, 0}, []float64{3, 4, 0}, .8},
		{[]float64{1, 0, 0}, []float64{3, 0, 4}, .8},
		{[]float64{1, 0, 0}, []float64{1, 2, 2}, math.Sqrt(8) / 3},
		{[]float64{1, 2, 2}, []float64{-1, -2, -2}, 0},
		{[]float64{1, 2, 2}, []float64{2, 1, -2}, 1},
		{[]float64{1, 2, 2}, []float64{3, 0, 0}, math.Sqrt(8) / 3},
		{[]float64{1, 2, 2}, []float64{0, 3, 0}, math.Sqrt(5) / 3},
		{[]float64{1, 2, 2}, []float64{0, 0, 3}, math.Sqrt(5) / 3},
	} {
		e, x := lsq.NewMetric(3), c.measured
		e.Factorize([]float64{x[0] * x[0], x[0] * x[1], x[0] * x[2], x[1] * x[0], x[1] * x[1], x[1] * x[2],
			x[2] * x[0], x[2] * x[1], x[2] * x[2]})
		if got := e.Outside(c.y); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("%v measured, %v is %v outside; want %v", x, c.y, got, c.want)
		}
	}
}

func ExampleMetric() {
	e := lsq.NewMetric(2)
	e.Factorize([]float64{4, 0, 0, 1}) // the second direction has less information
	fmt.Println(e.Squared([]float64{1, 0}), e.Squared([]float64{0, 1}))
	// Output:
	// 0.25 1
}

// The determinant and the solution of a system agree with gonum's, even for diagonal matrices.
func TestMetricDeterminant(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	for m := 1; m <= 5; m++ {
		e := lsq.NewMetric(m)
		for _, diagonal := range []bool{false, true, false} {
			a := mat.NewDense(m, m, nil)
			if root := random(rnd, m, m, 1); diagonal {
				for i := range m {
					a.Set(i, i, math.Exp(3*rnd.NormFloat64()))
				}
			} else {
				a.Mul(root.T(), root)
			}
			if !e.Factorize(a.RawMatrix().Data) {
				t.Fatalf("%v is singular", mat.Formatted(a))
			}
			if got, want := e.LogDet(), math.Log(mat.Det(a)); !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
				t.Errorf("%d x %d: log det %v; want %v", m, m, got, want)
			}
			b, got := random(rnd, m, 1, 1), make([]float64, m)
			var want mat.Dense
			if err := want.Solve(a, b); err != nil {
				t.Fatal(err)
			}
			e.Solve(got, b.RawMatrix().Data)
			if x := mat.NewDense(m, 1, got); !mat.EqualApprox(x, &want, 1e-6*(1+mat.Norm(&want, 2))) {
				t.Errorf("%d x %d: the solution %v; want %v", m, m, mat.Formatted(x), mat.Formatted(&want))
			}
		}
	}
	// A matrix with one pair of nonzero elements off the diagonal, at any position, is not treated as diagonal.
	for m := 2; m <= 4; m++ {
		for i := range m {
			for j := range i {
				a, e := mat.NewDense(m, m, nil), lsq.NewMetric(m)
				for k := range m {
					a.Set(k, k, 2)
				}
				a.Set(i, j, 1)
				a.Set(j, i, 1)
				if want := math.Log(3) + float64(m-2)*math.Ln2; !e.Factorize(a.RawMatrix().Data) ||
					!(math.Abs(e.LogDet()-want) <= 1e-12) {
					t.Errorf("%v has the log det %v; want %v", mat.Formatted(a), e.LogDet(), want)
				}
			}
		}
	}
	e := lsq.NewMetric(2)
	for _, a := range [][]float64{{1, 1, 1, 1}, {1, 0, 0, 0}} {
		if e.Factorize(a); !math.IsInf(e.LogDet(), -1) {
			t.Errorf("a singular matrix has the log det %v", e.LogDet())
		}
	}
}
