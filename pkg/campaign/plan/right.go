package plan

import (
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
)

// Right returns the right answer to the question of c, without tolerances, if the means of rewards
// are mu: K x d, standardised.
func Right(c *problem.Compiled, mu *mat.Dense) []int {
	k, _ := mu.Dims()
	var list []int
	switch q := c.Problem.Question.(type) {
	case question.AllEpsilonBest:
		return q.Right(mu)
	case question.BestFeasible:
		return q.Right(mu)
	case question.Feasible:
		for i := range k {
			if q.Region.Contains(mu.RawRowView(i)) {
				list = append(list, i)
			}
		}
	case question.FeasiblePareto:
		for i, optimal := range q.Truth(mu).Optimal {
			if optimal {
				list = append(list, i)
			}
		}
	case question.Pareto:
		return pareto.Set(mu)
	case question.Best:
		best := 0
		for i := range k {
			if mu.At(i, 0) > mu.At(best, 0) {
				best = i
			}
		}
		return []int{best}
	}
	return list
}
