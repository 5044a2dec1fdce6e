package bandit

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Gaussian is a distribution of Gaussian rewards with known means and covariance. Objectives may be
// correlated. The sum of n rewards is N(n mu, n Cov).
type Gaussian struct {
	table
	diag   bool      // whether objectives are uncorrelated
	factor []float64 // standard deviations if diag is true; otherwise, rows of a Cholesky factor
}

// NewGaussian returns the Gaussian law with the given means, K x d, and the covariance cov of the
// rewards of every arm, d x d. Variances may be zero, and cov may be singular.
//
// NewGaussian returns an error if an entry is not finite or a variance is negative. NewGaussian
// also returns an error if cov is not symmetric (to 1e-12 of the standard deviations) or not
// positive semidefinite (to 1e-10). If the conditional variance of an objective, given the previous
// objectives, is below 1e-10 of its total variance, NewGaussian sets it to 0.
func NewGaussian(means, cov mat.Matrix) (*Gaussian, error) {
	t, err := newTable(means, "mean", -finite, finite, "a finite number")
	if err != nil {
		return nil, err
	}
	if err := checkCovariance(cov, t.d); err != nil {
		return nil, fmt.Errorf("bandit: covariance: %w", err)
	}
	g := &Gaussian{table: t, diag: isDiagonal(cov)}
	if g.diag {
		for c := range t.d {
			g.factor = append(g.factor, math.Sqrt(cov.At(c, c)))
		}
	} else if g.factor, err = appendCholesky(nil, cov); err != nil {
		return nil, fmt.Errorf("bandit: covariance: %w", err)
	}
	return g, nil
}

// checkCovariance checks the entries of cov, but not whether cov is positive semidefinite.
func checkCovariance(cov mat.Matrix, d int) error {
	if r, c := cov.Dims(); r != d || c != d {
		return fmt.Errorf("%d x %d; expected %d x %d, as the means have %d objectives", r, c, d, d, d)
	}
	for i := range d {
		for j := range d {
			if v := cov.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("row %d, column %d is %v; expected a finite number", i, j, v)
			}
		}
		if v := cov.At(i, i); v < 0 {
			return fmt.Errorf("row %d, column %d: the variance of objective %d is %v; expected at least 0", i, i, i, v)
		}
	}
	for i := range d {
		for j := range i {
			most := math.Sqrt(cov.At(i, i)) * math.Sqrt(cov.At(j, j))
			a, b := cov.At(j, i), cov.At(i, j)
			if math.Abs(a-b) > 1e-12*most {
				return fmt.Errorf("not symmetric: row %d, column %d is %v, but row %d, "+
					"column %d is %v", j, i, a, i, j, b)
			}
			if math.Abs(a) > most*(1+1e-10) {
				return fmt.Errorf("not positive semidefinite: row %d, column %d is %v; "+
					"the variances of objectives %d and %d allow at most %.6g in absolute value", j, i, a, j, i, most)
			}
		}
	}
	return nil
}

func isDiagonal(cov mat.Matrix) bool {
	d, _ := cov.Dims()
	for i := range d {
		for j := range i {
			if cov.At(i, j) != 0 {
				return false
			}
		}
	}
	return true
}

// appendCholesky appends the rows of the lower triangular L with L L^T = cov. gonum's Cholesky
// factorisation rejects singular matrices, which occur if an objective is noiseless or a
// combination of other objectives.
//
// appendCholesky factorises the correlation matrix, so that the tolerances do not depend on units.
// If a pivot is 0 up to rounding, the entries below it are set to 0. For a positive semidefinite
// cov, the entries below a zero pivot are at most sqrt(e l), where e is the rounding error and l is
// the largest entry.
func appendCholesky(dst []float64, cov mat.Matrix) ([]float64, error) {
	const tol = 1e-10
	d, _ := cov.Dims()
	start := len(dst)
	sd := make([]float64, d)
	for i := range sd {
		sd[i] = math.Sqrt(cov.At(i, i))
	}
	row := func(i int) []float64 { return dst[start+i*(i+1)/2:][:i+1] }
	for i := range d {
		dst = append(dst, make([]float64, i+1)...)
		if sd[i] == 0 {
			continue
		}
		li := row(i)
		for j := range i {
			if sd[j] == 0 {
				continue
			}
			lj := row(j)
			r := cov.At(i, j) / sd[i] / sd[j]
			for c := range j {
				r -= li[c] * lj[c]
			}
			if lj[j] != 0 {
				li[j] = r / lj[j]
			} else if math.Abs(r) > math.Sqrt(tol) {
				return nil, fmt.Errorf("not positive semidefinite: objective %d is a linear combination of earlier "+
					"objectives, but its covariance with objective %d (row %d, "+
					"column %d) contradicts this combination", j, i, j, i)
			}
		}
		pivot := 1.
		for c := range i {
			pivot -= li[c] * li[c]
		}
		if pivot < -tol {
			return nil, fmt.Errorf("not positive semidefinite: "+
				"objective %d (row %d) cannot have these covariances with objectives 0 to %d: "+
				"its conditional variance would be %.3g times its variance", i, i, i-1, pivot)
		}
		if pivot > tol {
			li[i] = math.Sqrt(pivot)
		}
	}
	for i := range d {
		for j, v := range row(i) {
			row(i)[j] = sd[i] * v
		}
	}
	return dst, nil
}

// Sum draws the sum of n rewards of an arm and stores it in dst, of length d.
func (l *Gaussian) Sum(dst []float64, arm, n int, rnd *rand.Rand) {
	means := l.check(dst, arm, n)
	count, root := 1., 1.
	if n != 1 {
		count = float64(n)
		root = math.Sqrt(count)
	}
	f := l.factor
	if l.diag {
		for c, mu := range means {
			dst[c] = count*mu + root*f[c]*rnd.NormFloat64()
		}
		return
	}
	for c := range dst {
		dst[c] = rnd.NormFloat64()
	}
	// The last row of the factor needs all normal variates, and the first row needs only the first
	// variate. Because rows are processed from last to first, dst can hold both the variates and
	// the sums.
	end := len(f)
	for c := len(dst) - 1; c >= 0; c-- {
		var s float64
		for j, v := range f[end-c-1 : end] {
			s += v * dst[j]
		}
		dst[c] = count*means[c] + root*s
		end -= c + 1
	}
}

// Covariance returns the covariance matrix of a reward, d x d.
func (l *Gaussian) Covariance() *mat.SymDense {
	cov := mat.NewSymDense(l.d, nil)
	for i := range l.d {
		for j := range i + 1 {
			switch {
			case !l.diag:
				sum := 0.
				for c := range j + 1 {
					sum += l.factor[i*(i+1)/2+c] * l.factor[j*(j+1)/2+c]
				}
				cov.SetSym(i, j, sum)
			case i == j:
				cov.SetSym(i, i, l.factor[i]*l.factor[i])
			}
		}
	}
	return cov
}
