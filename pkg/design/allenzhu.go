package design

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// swapsEps returns the eps for which n measurements suffice in the guarantee n >= 5 m/eps^2, where
// m is the rank of the points (Allen-Zhu, Li, Singh and Wang, 2021). The returned eps is at most
// 1/4, so the guaranteed factor 1 - 3 eps is positive.
func swapsEps(m, n int) float64 { return min(0.25, math.Sqrt(5*float64(m)/float64(n))) }

// whitened returns the s points of the design in whitened coordinates z, s x rank in row-major
// order. In these coordinates, the information matrix n sum p_i z_i z_i' of n measurements in the
// proportions p is the identity.
func (a *rounder) whitened() (z []float64, rank int, err error) {
	x, ok := a.points()
	if !ok {
		return nil, 0, errForeign
	}
	span := lsq.NewSpan(x)
	rank = span.Rank()
	if a.n < rank {
		return nil, rank, a.tooFew(AllenZhu)
	}
	// Each row of y is a point multiplied by the square root of its weight, so y'y is the
	// information matrix of the weights p.
	y := span.Coordinates(x)
	var info mat.SymDense
	info.SymOuterK(float64(a.n), y.T())
	metric := lsq.NewMetric(rank)
	metric.Factorize(info.RawSymmetric().Data)
	z = make([]float64, len(a.p)*rank)
	for b, p := range a.p {
		row := z[b*rank:][:rank]
		metric.Whiten(row, y.RawRowView(b))
		floats.Scale(1/math.Sqrt(p), row)
	}
	return z, rank, nil
}

// swapRegret moves single measurements between points z, s x m in row-major order, and returns the
// number of swaps. swapRegret stops when the least eigenvalue of sum n_i z_i z_i' is at least 1 - 3
// eps, or when every swap gains less than eps/n. In the coordinates z, the information matrix of
// the design is the identity. The gain of a swap is B+ - B-, defined below.
//
// Swaps are chosen with replacement, by follow-the-regularised-leader with the l_1/2 regulariser
// (Allen-Zhu, Li, Singh and Wang, 2021, algorithm 1). Let Z = sum n_i z_i z_i', alpha =
// sqrt(m)/eps, and A = (c I + alpha Z)^-2, with c such that A has trace 1. A measurement moves from
// the point that minimises B- to the point that maximises B+:
//
//	B-(i) = z_i'A z_i/(1 - 2 alpha z_i'A^1/2 z_i),  B+(j) = z_j'A z_j/(1 + 2 alpha z_j'A^1/2 z_j)
//
// If the function see is not nil, it receives the least eigenvalue before each swap.
func swapRegret(z []float64, m int, counts []int, eps float64, see func(least float64)) (swaps int) {
	n := 0
	for _, v := range counts {
		n += v
	}
	alpha := math.Sqrt(float64(m)) / eps
	a, v := make([]float64, m*m), mat.NewDense(m, m, nil)
	y, root, values := make([]float64, m), make([]float64, m), make([]float64, m)
	var eig mat.EigenSym
	limit := 10*len(counts) + int(float64(n)/eps)
	for ; swaps < limit; swaps++ {
		clear(a)
		for i, c := range counts {
			if c > 0 {
				addOuter(a, float64(c), z[i*m:][:m])
			}
		}
		if !eig.Factorize(mat.NewSymDense(m, a), true) {
			return swaps
		}
		eig.Values(values)
		eig.VectorsTo(v)
		if see != nil {
			see(values[0])
		}
		if values[0] >= 1-3*eps {
			return swaps
		}
		regularised(root, values, alpha)
		from, to, gain := bestSwap(z, counts, v, root, y, alpha)
		if from < 0 || from == to || gain < eps/float64(n) {
			return swaps
		}
		counts[from]--
		counts[to]++
	}
	return swaps
}

// regularised stores in root the eigenvalues of A^1/2, which are 1/(c + alpha lambda) for the
// ascending eigenvalues lambda of Z. The number c solves sum (c + alpha lambda)^-2 = 1; it is found
// by bisection.
func regularised(root, lambda []float64, alpha float64) {
	lo := 1 - alpha*lambda[0]
	hi := math.Sqrt(float64(len(lambda))) - alpha*lambda[0]
	for range 100 {
		c, trace := lo/2+hi/2, 0.
		for r, l := range lambda {
			root[r] = 1 / (c + alpha*l)
			trace += root[r] * root[r]
		}
		if trace > 1 {
			lo = c
		} else {
			hi = c
		}
	}
}

// bestSwap returns the swap with the largest gain, as the points from and to, and the gain. Point
// from has the least B-, and is -1 if no point can lose a measurement. Point to has the largest B+.
// The columns of v are the eigenvectors of Z, root contains the eigenvalues of A^1/2, and y is
// scratch memory.
func bestSwap(z []float64, counts []int, v *mat.Dense, root, y []float64, alpha float64) (from, to int, gain float64) {
	m := len(root)
	from, to = -1, -1
	least, most := math.Inf(1), math.Inf(-1)
	for i, c := range counts {
		clear(y)
		for r, u := range z[i*m:][:m] {
			floats.AddScaled(y, u, v.RawRowView(r)) // y is the point in the basis of eigenvectors
		}
		first, half := 0., 0.
		for r, u := range y {
			half += root[r] * u * u
			first += root[r] * root[r] * u * u
		}
		if plus := first / (1 + 2*alpha*half); plus > most {
			to, most = i, plus
		}
		if c > 0 && 2*alpha*half < 1 {
			if minus := first / (1 - 2*alpha*half); minus < least {
				from, least = i, minus
			}
		}
	}
	return from, to, most - least
}
