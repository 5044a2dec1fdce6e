package policy_test

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
)

// Policies whose tables grow with the square of the number of arms say so instead of making
// one of 75 GiB.
func TestTooManyArms(t *testing.T) {
	const k = 100_000
	features := mat.NewDense(k, 2, nil)
	for i := range k {
		features.SetRow(i, []float64{1, float64(i)})
	}
	wide := mat.NewDense(2, k, nil)
	wide.Set(0, 0, 1)
	wide.Set(1, 1, 1)
	good, best := question.AllEpsilonBest{Epsilon: .1}, question.Best{}
	front := question.Pareto{}
	for _, c := range []struct {
		policy explore.Policy
		x      *mat.Dense
		q      explore.Question
		says   string
	}{
		{&policy.RAGE{}, nil, best, "parameters of arms without features, 100000 x 100000"},
		{&policy.LinGame{}, nil, best, "parameters of arms without features, 100000 x 100000"},
		{&policy.LinFACT{}, nil, good, "parameters of arms without features, 100000 x 100000"},
		{&policy.Sparing{}, nil, front, "pairs of arms, 100000 x 100000"},
		{&policy.PFIwR{}, nil, front, "features of the model, 100000 x 100000"},
		{&policy.PFIwR{}, wide, front, "features of the model, 100000 x 100000"},
		{&policy.LinGIFA{M: 2}, features, good, "covariances of the arms, 100000 x 100000"},
		{&policy.KGCB{Budget: k}, features, good, "covariances of the arms, 100000 x 100000"},
		{&policy.KGCB{Budget: k}, wide, good, "information about the features, 100000 x 100000"},
	} {
		p := &explore.Problem{X: c.x, Sigma: 1, Question: c.q}
		if c.x == nil {
			p.Arms = k
		}
		_, err := explore.NewSession(c.policy, p, nil)
		if err == nil || !strings.Contains(err.Error(), c.says) ||
			!strings.Contains(err.Error(), "takes 74.5 GiB") {
			t.Errorf("%T: error %v; want it to say %q", c.policy, err, c.says)
		}
	}
}
