package lsq

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// fewRows are as many as gonum multiplies without goroutines, by a matrix of up to 192 columns.
const fewRows = 64

// MulRows sets dst to a b, for a with many rows and b with few columns. It has the bits of
// blas64.Gemm, which begins a goroutine for every 64 rows and allocates for each, although their
// product takes no longer than that.
func MulRows(dst, a, b blas64.General) {
	for i := 0; i < a.Rows; i += fewRows {
		n := min(fewRows, a.Rows-i)
		part := func(x blas64.General) blas64.General {
			return blas64.General{Rows: n, Cols: x.Cols, Stride: x.Stride, Data: x.Data[i*x.Stride:]}
		}
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, part(a), b, 0, part(dst))
	}
}
