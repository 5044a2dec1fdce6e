package arena

import (
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// Hardness returns the characteristic time T* of an instance. A method that is right with probability 1
// - delta on every instance needs on average at least T* log(1/(2.4 delta)) pulls on inst. Hardness
// computes T* for Gaussian rewards with the declared scale and independent objectives, even if the noise
// is correlated. For Bernoulli rewards with rates near 0, T* is too large, because such rewards are
// easier than Gaussian rewards. If arms have costs, T* log(1/(2.4 delta)) is a bound on the cost of the
// pulls.
func Hardness(inst *bandit.Instance) (float64, error) {
	p := inst.Problem
	b, err := complexity.LowerBound(p, inst.Truth(), slices.Repeat([]float64{p.Sigma * p.Sigma}, p.D()))
	if err != nil {
		return 0, err
	}
	return b.Time, nil
}

// LowerBound returns the lower bound T* log(1/(2.4 delta)) on pulls, where T* is the argument
// hardness, or 0 if delta exceeds 1/2.4.
func LowerBound(hardness, delta float64) float64 {
	return max(0, hardness*math.Log(1/(2.4*delta)))
}
