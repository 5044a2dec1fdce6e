package lsq_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/purexp/purexp/pkg/lsq"
)

// A product has the bits of Gemm, also of rows that are a part of longer ones.
func TestMulRows(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, n := range []struct{ rows, m, cols int }{{1, 1, 1}, {63, 3, 2}, {64, 5, 5}, {65, 5, 5},
		{300, 7, 4}, {200, 70, 130}} {
		a, b := random(rnd, n.rows, n.m+1, 1).RawMatrix(), random(rnd, n.m, n.cols, 1).RawMatrix()
		a.Cols--
		want, got := random(rnd, n.rows, n.cols, 1).RawMatrix(), random(rnd, n.rows, n.cols, 1).RawMatrix()
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, want)
		lsq.MulRows(got, a, b)
		if !slices.Equal(got.Data, want.Data) {
			t.Errorf("%+v: not the product", n)
		}
	}
}
