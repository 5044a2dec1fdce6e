package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A clickFit accumulates a log.
type clickFit struct {
	clickCounts
	gram  []float64 // X'X, upper triangle of 36 x 36
	xy    []float64 // X'y
	row   []float64
	pairs map[[2 * clickSide]float64]clickPair
	limit int    // of distinct pairs; up to twice as many wait to be sorted out
	most  uint64 // the largest hash that is still taken
	full  bool   // some were left out
}

// newClickFit keeps so many distinct pairs.
func newClickFit(limit int) *clickFit {
	return &clickFit{
		gram: make([]float64, clickFeatures*clickFeatures), xy: make([]float64, clickFeatures),
		row: make([]float64, clickFeatures), pairs: make(map[[2 * clickSide]float64]clickPair, limit), limit: limit,
		most: math.MaxUint64,
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
	k := v.key()
	if _, ok := a.pairs[k]; ok || v.hash > a.most {
		return
	}
	a.pairs[k] = v.clickPair
	if len(a.pairs) > 2*a.limit {
		a.smallest()
	}
}

// smallest keeps the pairs with the smallest hashes, and returns them in the order of hashes.
func (a *clickFit) smallest() []clickPair {
	all := slices.SortedFunc(maps.Values(a.pairs), func(a, b clickPair) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), a.line-b.line)
	})
	if len(all) > a.limit {
		for _, p := range all[a.limit:] {
			delete(a.pairs, p.key())
		}
		all, a.full = all[:a.limit], true
		a.most = all[len(all)-1].hash
	}
	return all
}

// fit fits what was accumulated.
func (a *clickFit) fit(name string) (*Clicks, error) {
	if bad := a.lines - a.records; a.records == 0 || bad > a.records {
		return nil, fmt.Errorf("dataset: click log %s: %d of %d lines are no records; "+
			"is the file in the format of R6A? The first is wrong at %s", name, bad, a.lines, cmp.Or(a.first, "its end"))
	}
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
	c := &Clicks{name: name, counts: a.clickCounts,
		theta: make([]float64, clickFeatures), pairs: a.smallest()}
	c.sampled = a.full
	if err := chol.SolveVecTo(mat.NewVecDense(clickFeatures, c.theta),
		mat.NewVecDense(clickFeatures, a.xy)); err != nil {
		var cond mat.Condition
		if !errors.As(err, &cond) { // ridge regression is meant for this
			return nil, fmt.Errorf("dataset: click log %s: %w", name, err)
		}
	}
	most := math.Inf(-1)
	for i := range c.pairs {
		if m := c.pairs[i].mean(c.theta); m > most {
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
