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

// Rewards of points that were counted before give the fit of both at once, of orthogonal features, too.
func TestFitReward(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 5))
	const k, d = 4, 2
	for _, x := range []*mat.Dense{random(rnd, k, 3, 1), mat.NewDense(k, 3, []float64{1, 0, 0, 0, 2, 0, 0, 0, 3, 4, 0, 0})} {
		once, twice := lsq.NewFit(3, d), lsq.NewFit(3, d)
		for i := range k {
			first, later, all := make([]float64, d), make([]float64, d), make([]float64, d)
			for c := range d {
				first[c], later[c] = rnd.NormFloat64(), rnd.NormFloat64()
				all[c] = first[c] + later[c]
			}
			once.Add(x.RawRowView(i), 3, all)
			twice.Add(x.RawRowView(i), 3, first)
			twice.Solve() // whatever was known in between
			twice.Reward(x.RawRowView(i), later)
		}
		once.Solve()
		if !twice.Solve() {
			t.Fatal("no unique fit")
		}
		if !mat.EqualApprox(once.Theta(), twice.Theta(), 1e-12) {
			t.Errorf("theta %v; want %v", mat.Formatted(twice.Theta()), mat.Formatted(once.Theta()))
		}
		more := []float64{5, -3}
		once.Reward(x.RawRowView(1), more)
		twice.Reward(x.RawRowView(1), more)
		once.Solve()
		twice.Estimate()
		if !mat.EqualApprox(once.Theta(), twice.Theta(), 1e-12) {
			t.Errorf("estimated again, theta is %v; want %v", mat.Formatted(twice.Theta()), mat.Formatted(once.Theta()))
		}
	}
}
