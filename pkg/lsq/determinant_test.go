package lsq_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// The determinant and the solution of a system against gonum's, of diagonal matrices, too.
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
	// One pair of features that are not orthogonal makes a matrix that is not diagonal, wherever it is.
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
