package bandit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A Coupling selects whether the objectives of an arm are resampled together.
type Coupling int

const (
	// Jointly draws whole rows. All objectives of a reward then come from the same row, and are as
	// dependent as in the data.
	Jointly Coupling = iota
	// Separately draws a separate row for each objective: the objectives have the same
	// distributions as in the data, but are independent.
	Separately
)

// Resample is the empirical distribution of given data. A reward of an arm is a row of a table,
// drawn uniformly and with replacement from the rows of that arm. The true means are the averages
// of the rows.
type Resample struct {
	table    // embedded table of the averages
	how      Coupling
	rows     []float64 // rows of d numbers, sorted by arm
	start    []int     // the rows of arm i are start[i] to start[i+1]
	sigma    float64
	boxSigma float64 // scale that NormSigma returns
}

// NewResample returns the law that resamples rows. Each row is a reward of d objectives, and
// arms[r] is the arm of row r. The number of arms is the largest entry of arms plus one.
// NewResample panics if arms does not have one entry for each row. NewResample returns an error if
// an entry of arms is negative, if an arm has no rows, or if a reward is not finite.
func NewResample(rows mat.Matrix, arms []int, how Coupling) (*Resample, error) {
	m, d := rows.Dims()
	if len(arms) != m {
		panic(panicShape)
	}
	if how != Jointly && how != Separately {
		return nil, fmt.Errorf("bandit: the coupling is %d; expected Jointly or Separately", how)
	}
	if m == 0 || d == 0 {
		return nil, fmt.Errorf("bandit: the table has %d rows and %d objectives; expected at least one of each", m, d)
	}
	for r, arm := range arms {
		if arm < 0 || arm >= m { // m rows can belong to at most m arms
			return nil, fmt.Errorf("bandit: row %d belongs to arm %d; expected arms numbered from 0, each with at "+
				"least one of the %d rows", r, arm, m)
		}
		for c := range d {
			if v := rows.At(r, c); math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("bandit: row %d (arm %d), column %d (objective %d) is %v; "+
					"expected a finite number", r, arm, c, c, v)
			}
		}
	}
	k := slices.Max(arms) + 1
	l := &Resample{table: table{k: k, d: d, data: make([]float64, k*d)}, how: how, start: make([]int, k+1)}
	for _, arm := range arms {
		l.start[arm+1]++
	}
	for i := range k {
		if l.start[i+1] == 0 {
			return nil, fmt.Errorf("bandit: arm %d has no rows, but arm %d does; "+
				"number the arms from 0 without gaps", i, k-1)
		}
		l.start[i+1] += l.start[i]
	}
	l.rows = make([]float64, m*d)
	next := slices.Clone(l.start)
	for r, arm := range arms {
		for c := range d {
			l.rows[next[arm]*d+c] = rows.At(r, c)
		}
		next[arm]++
	}
	for i := range k {
		l.measure(i)
	}
	return l, nil
}

func (l *Resample) measure(arm int) {
	g, d := l.group(arm), l.d
	m := float64(len(g) / d)
	var box float64
	for c := range d {
		lo, hi, mean := g[c], g[c], 0.
		for r := c; r < len(g); r += d {
			lo, hi = min(lo, g[r]), max(hi, g[r])
			mean += g[r] / m
		}
		l.data[arm*d+c] = min(max(mean, lo), hi) // rounding can put the mean outside the range
		half := hi/2 - lo/2
		l.sigma = max(l.sigma, half)
		box = math.Hypot(box, half)
	}
	l.boxSigma = max(l.boxSigma, box)
}

func (l *Resample) group(arm int) []float64 {
	return l.rows[l.start[arm]*l.d : l.start[arm+1]*l.d]
}

// perRow is the number of single draws that take as long as one binomial count.
const perRow = 12

// Sum draws the sum of n rewards of an arm and stores it in dst, of length d.
func (l *Resample) Sum(dst []float64, arm, n int, rnd *rand.Rand) {
	l.check(dst, arm, n)
	g, d := l.group(arm), l.d
	m := len(g) / d
	clear(dst)
	switch {
	case l.how == Jointly && n/perRow < m:
		for range n {
			r := rnd.IntN(m) * d
			for c, v := range g[r : r+d] {
				dst[c] += v
			}
		}
	case l.how == Jointly:
		left := float64(n)
		for r := range m {
			count := next(left, m-r, rnd)
			left -= count
			for c, v := range g[r*d : (r+1)*d] {
				dst[c] += count * v
			}
		}
	case n/perRow < m:
		for range n {
			for c := range dst {
				dst[c] += g[rnd.IntN(m)*d+c]
			}
		}
	default:
		for c := range dst {
			left := float64(n)
			for r := range m {
				count := next(left, m-r, rnd)
				left -= count
				dst[c] += count * g[r*d+c]
			}
		}
	}
}

// next draws how many of the remaining rewards (left) come from the first of the remaining rows.
// The counts of all rows have a multinomial distribution, so each count is binomial given the
// counts of the previous rows.
func next(left float64, rows int, rnd *rand.Rand) float64 {
	return binomial(left, 1/float64(rows), rnd)
}

// Sigma returns half of the largest range that an objective of an arm has in the data. By
// Hoeffding's lemma, half the range of a variable is a sub-Gaussian scale.
func (l *Resample) Sigma() float64 { return l.sigma }

// NormSigma returns the maximum over arms of half the diagonal of the smallest box that contains
// the arm's rows. By Hoeffding's lemma, half the diagonal is a sub-Gaussian scale, because
// projections of the box are at most as long as the diagonal. If objectives are drawn separately,
// NormSigma returns the same value as Sigma.
func (l *Resample) NormSigma() float64 {
	if l.how == Separately {
		return l.sigma
	}
	return l.boxSigma
}
