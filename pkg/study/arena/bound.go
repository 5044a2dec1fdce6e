package arena

import (
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// Hardness returns T*, so that no method that is right with probability 1 - delta on every
// instance needs fewer than T* log(1/(2.4 delta)) pulls of inst on average: of Gaussian rewards
// with the scale that methods are told, and the covariance of the law where it is one that is
// known. Bernoulli rewards of rates near 0 are easier than that. Where arms have costs, it bounds what
// the pulls cost.
func Hardness(inst *bandit.Instance) (float64, error) {
	p := inst.Problem
	b, err := complexity.LowerBound(p, inst.Truth(), slices.Repeat([]float64{p.Sigma * p.Sigma}, p.D()))
	if err != nil {
		return 0, err
	}
	return b.Time, nil
}

// LowerBound is the number of pulls that Hardness implies at delta; 0 where that is larger than
// 1/2.4.
func LowerBound(hardness, delta float64) float64 {
	return max(0, hardness*math.Log(1/(2.4*delta)))
}
