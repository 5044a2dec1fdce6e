package policy_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
)

// No policy takes a problem whose means are not linear for one whose means are. LinFACTGLM is
// for such problems.
func TestLinksAreNotIgnored(t *testing.T) {
	for _, p := range plans() {
		if _, glm := p.new().(*policy.LinFACTGLM); glm {
			continue
		}
		for _, q := range []explore.Question{question.Best{},
			question.AllEpsilonBest{Epsilon: .1}} {
			prob := &explore.Problem{
				X:    mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}),
				Link: explore.Logit, Sigma: .5, Question: q,
			}
			if err := prob.Validate(); err != nil {
				t.Fatal(err)
			}
			err := p.new().Init(prob, rand.NewPCG(1, 2))
			if !errors.Is(err, explore.ErrQuestion) {
				t.Errorf("%s: %T with a link: %v; want ErrQuestion", p.name, q, err)
			}
		}
	}
}
