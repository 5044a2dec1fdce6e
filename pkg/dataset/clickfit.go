package dataset

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A clickFit accumulates a log.
type clickFit struct {
	counts ClickCounts
	gram   []float64 // X'X, upper triangle of 36 x 36
	xy     []float64 // X'y
	row    []float64
	pairs  map[[2 * clickSide]float64]bool
	heap   []clickPair // largest hash first
	limit  int         // of distinct pairs
	full   bool        // some were left out
}

// newClickFit expects about so many distinct pairs.
func newClickFit(pairs int) *clickFit {
	pairs = min(max(pairs, 0), Kept)
	return &clickFit{
		gram: make([]float64, clickFeatures*clickFeatures), xy: make([]float64, clickFeatures),
		row:   make([]float64, clickFeatures),
		pairs: make(map[[2 * clickSide]float64]bool, pairs),
		heap:  make([]clickPair, 0, pairs), limit: Kept,
	}
}

func (p *clickPair) key() (k [2 * clickSide]float64) {
	copy(k[:], p.user[:])
	copy(k[clickSide:], p.article[:])
	return k
}

// add adds a record.
func (a *clickFit) add(v *visit) {
	v.fill(a.row)
	for i, x := range a.row {
		floats.AddScaled(a.gram[clickFeatures*i+i:clickFeatures*(i+1)], x, a.row[i:])
	}
	if v.clicked {
		floats.Add(a.xy, a.row)
	}
	if a.full && v.hash >= a.heap[0].hash {
		return
	}
	k := v.key()
	if a.pairs[k] {
		return
	}
	a.pairs[k] = true
	if len(a.heap) < a.limit {
		a.heap = append(a.heap, v.clickPair)
		for i := len(a.heap) - 1; i > 0 && a.heap[i].hash > a.heap[(i-1)/2].hash; i = (i - 1) / 2 {
			a.heap[i], a.heap[(i-1)/2] = a.heap[(i-1)/2], a.heap[i]
		}
		return
	}
	a.full = true
	if v.hash >= a.heap[0].hash {
		delete(a.pairs, k)
		return
	}
	delete(a.pairs, a.heap[0].key())
	a.heap[0] = v.clickPair
	for i := 0; ; {
		l := 2*i + 1
		if l+1 < len(a.heap) && a.heap[l+1].hash > a.heap[l].hash {
			l++
		}
		if l >= len(a.heap) || a.heap[l].hash <= a.heap[i].hash {
			break
		}
		a.heap[i], a.heap[l] = a.heap[l], a.heap[i]
		i = l
	}
}

// clicks fits what was accumulated.
func (a *clickFit) clicks(name string, synthetic bool) (*Clicks, error) {
	n := &a.counts
	if n.Records == 0 {
		if n.Lines == 0 {
			return nil, fmt.Errorf("dataset: click log %s is empty", name)
		}
		return nil, fmt.Errorf("dataset: click log %s has no records in %d lines; "+
			"the first is wrong at %s", name, n.Lines, n.First)
	}
	if n.skipped() > n.Records {
		return nil, fmt.Errorf("dataset: click log %s: %d of %d lines are no records; "+
			"is the file in the format of R6A? The first is wrong at %s",
			name, n.skipped(), n.Lines, n.First)
	}
	n.Pairs = len(a.heap)
	gram := mat.NewSymDense(clickFeatures, a.gram)
	ridge := mat.NewSymDense(clickFeatures, nil)
	ridge.CopySym(gram)
	for i := range clickFeatures {
		ridge.SetSym(i, i, gram.At(i, i)+clickRidge)
	}
	var chol mat.Cholesky
	if !chol.Factorize(ridge) {
		return nil, fmt.Errorf("dataset: click log %s: the features are too large or too unequal "+
			"in size to fit", name)
	}
	c := &Clicks{Name: name, Synthetic: synthetic, Counts: *n,
		Theta: make([]float64, clickFeatures), pairs: a.heap, sampled: a.full}
	if err := chol.SolveVecTo(mat.NewVecDense(clickFeatures, c.Theta),
		mat.NewVecDense(clickFeatures, a.xy)); err != nil {
		var cond mat.Condition
		if !errors.As(err, &cond) { // ridge regression is meant for this
			return nil, fmt.Errorf("dataset: click log %s: %w", name, err)
		}
	}
	slices.SortFunc(c.pairs, func(a, b clickPair) int {
		if a.hash != b.hash {
			if a.hash < b.hash {
				return -1
			}
			return 1
		}
		return a.line - b.line
	})
	most := math.Inf(-1)
	for i := range c.pairs {
		if m := c.pairs[i].mean(c.Theta); m > most {
			most, c.best = m, c.pairs[i]
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, true) {
		return nil, fmt.Errorf("dataset: click log %s: the eigenvalues of X'X did not converge",
			name)
	}
	c.span = varying(&eigen)
	return c, nil
}

// varying returns the eigenvectors whose eigenvalues are not those of rounding,
// largest first; the largest entry of each is positive.
func varying(e *mat.EigenSym) *mat.Dense {
	values := e.Values(nil)
	var v mat.Dense
	e.VectorsTo(&v)
	most := values[len(values)-1]
	m := 0
	for _, l := range values {
		if l > rounding*rounding*most {
			m++
		}
	}
	if m == 0 {
		return nil
	}
	s := mat.NewDense(clickFeatures, m, nil)
	for c := range m {
		col := mat.Col(nil, clickFeatures-1-c, &v)
		if floats.Max(col) < -floats.Min(col) {
			floats.Scale(-1, col)
		}
		s.SetCol(c, col)
	}
	return s
}
