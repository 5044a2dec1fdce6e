package pareto

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// points are n rows of d numbers, row i at data[i*stride:].
type points struct {
	data         []float64
	n, d, stride int
}

// view returns the rows of mu, without copying.
func view(mu *mat.Dense) points {
	r := mu.RawMatrix()
	if r.Rows == 0 {
		return points{}
	}
	if r.Rows > math.MaxInt32 {
		panic(panicShape)
	}
	return points{data: r.Data, n: r.Rows, d: r.Cols, stride: r.Stride}
}

// raw returns the rows of data, without copying.
func raw(data []float64, d int) points {
	if d < 1 {
		panic(panicDim)
	}
	n := len(data) / d
	if n*d != len(data) || n > math.MaxInt32 {
		panic(panicShape)
	}
	return points{data: data, n: n, d: d, stride: d}
}

func (x points) row(i int) []float64 {
	o := i * x.stride
	return x.data[o : o+x.d : o+x.d]
}

func (x points) checkAll() {
	for i := range x.n {
		checkRow(x.row(i))
	}
}

func (x points) checkSubset(subset []int) {
	for _, i := range subset {
		if uint(i) >= uint(x.n) {
			panic(panicIndex)
		}
		checkRow(x.row(i))
	}
}

func checkRow(p []float64) {
	for _, v := range p {
		if !finite(v) {
			panic(panicFinite)
		}
	}
}

// pack copies the given rows, in their order.
func (x points) pack(rows []int) points {
	y := points{data: make([]float64, len(rows)*x.d), n: len(rows), d: x.d, stride: x.d}
	for k, i := range rows {
		copy(y.data[k*x.d:], x.row(i))
	}
	return y
}

// compare orders rows lexicographically, larger numbers first. No row is dominated by one behind
// it.
func (x points) compare(i, j int) int {
	a, b := x.row(i), x.row(j)
	for c, v := range a {
		if w := b[c]; v != w {
			if v > w {
				return -1
			}
			return 1
		}
	}
	return 0
}
