package complexity

import (
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// TStarOf returns the characteristic time of one right answer, for tests.
func TStarOf(q question.FeasiblePareto, mu *mat.Dense, cov mat.Symmetric, as []explore.Class, tol float64) (*TStar, error) {
	g, err := newGame(q, mu, cov)
	if err != nil {
		return nil, err
	}
	g.response.Reject(as)
	return g.tStar(tol)
}

// Lambda is the term of the upper bound of Theorem 4.4 that does not depend on delta.
var Lambda = lambda
