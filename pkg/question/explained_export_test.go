package question

import (
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// TStarOf returns T* of one answer, for tests.
func (q FeasiblePareto) TStarOf(mu *mat.Dense, cov mat.Symmetric, as []explore.Class, tol float64) (*TStar, error) {
	c, tol, err := newTStar(q.Region, mu, cov, tol)
	if err != nil {
		return nil, err
	}
	c.r.Reject(as)
	c = newCutting(c.r)
	return c.tStar(tol)
}

// TStarWithin is TStar that looks at a given number of answers.
func (q FeasiblePareto) TStarWithin(mu *mat.Dense, tol float64, most int) (*TStar, error) {
	c, tol, err := newTStar(q.Region, mu, nil, tol)
	if err != nil {
		return nil, err
	}
	e := q.explanation(mu)
	e.most = most
	return e.tStar(c, tol)
}
