package policy_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
)

// Margins of reasons are in the weighted sum that the question is about, also where methods compare
// the one objective that counts.
func TestWeightedMargins(t *testing.T) {
	region, err := polyhedron.New(mat.NewDense(1, 2, []float64{0, 1}), []float64{10}, nil)
	if err != nil {
		t.Fatal(err)
	}
	mu := mat.NewDense(2, 2, []float64{1, 0, 3, 0})
	law, err := bandit.NewGaussian(mu, mat.NewDense(2, 2, []float64{1, 0, 0, 1}))
	if err != nil {
		t.Fatal(err)
	}
	prob := &explore.Problem{Arms: 2, Objectives: 2, Sigma: 1,
		Question: question.BestFeasible{Region: region, Weights: []float64{4, 0}}}
	for _, p := range []explore.Policy{&policy.ECAPE{Delta: .05, Radius: radius.Mixture{}},
		&policy.ConstrainedRacing{Delta: .05, Radius: radius.Mixture{}}} {
		r, err := explore.Run(p, prob, bandit.NewSampler(law, seed.New(1)), nil)
		if err != nil {
			t.Fatal(err)
		}
		x := r.Answer.Reasons[1]
		if !(math.Abs(x.Margin-8) < 4 && x.MarginRadius > 0 && x.Margin >= x.MarginRadius) {
			t.Errorf("%s: ahead by %v +- %v; want about 8 in the weighted sum", explore.Name(p),
				x.Margin, x.MarginRadius)
		}
	}
}
