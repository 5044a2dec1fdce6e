package gege

import (
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// Concept returns four arms for which all that the paper says of its Fig. 5 holds, see fig.Gaps: k
// and j are optimal, and both gaps are M(j,k); j and k dominate i, and k alone dominates l, whose
// gap is along the first objective. The paper has j in the place of k for l, which contradicts its
// own margin of j.
func Concept() (*bandit.Instance, error) {
	theta := mat.NewDense(4, 2, []float64{.10, .30, .45, .80, .85, .62, .60, .15})
	return bandit.NewLinear("four arms", &explore.Problem{
		X: study.Basis(4, 4), Objectives: 2, ArmNames: []string{"i", "j", "k", "l"},
		ObjectiveNames: []string{"objective 1", "objective 2"},
		Sigma:          syntheticSigma, NormSigma: syntheticSigma, Question: question.Pareto{},
	}, theta)
}
