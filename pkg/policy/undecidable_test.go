package policy_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// A tie with a member of the front, or an arm on the boundary of the region, is
// decided by no number of rewards: sequential policies say so, and between whom,
// long before the limit on rounds. PSIPS, whose test is random, needs estimates that
// are tied.
func TestSequentialUndecidable(t *testing.T) {
	tied := constrainedCase("tied", polyhedron.Whole(2), 1, []float64{1, 0}, []float64{0, 1}, []float64{-1, 1})
	edge := constrainedCase("edge", atLeast(0, 0), 1, []float64{1, .5}, []float64{0, 1}, []float64{2, -1})
	plain := unconstrained(tied, question.Pareto{})
	best := bestOf(constrainedCase("edge", atLeast(0, 0), 1, []float64{.3, .5}, []float64{0, 1.5}), 1, 1, 1)
	kk := radius.KaufmannKoolen{}
	if testing.Short() {
		t.Skip("a million rounds of each policy")
	}
	for _, c := range []struct {
		p     explore.Policy
		cases []policytest.Case
	}{
		{&policy.ECAPE{Radius: kk}, []policytest.Case{tied, edge}},
		{&policy.TwoStage{Radius: kk}, []policytest.Case{tied, edge}},
		{&policy.ConstrainedRacing{Radius: kk}, []policytest.Case{tied, edge}},
		{&policy.Uniform{Radius: kk}, []policytest.Case{tied, edge}},
		{new(policy.GameCPSI), []policytest.Case{tied, setOnly(edge)}},
		{&policy.MDAPT{Radius: kk}, []policytest.Case{feasibleOnly(edge)}},
		{&policy.APE{Radius: kk}, []policytest.Case{plain}},
		{new(policy.AuerRacing), []policytest.Case{plain}},
		{new(policy.PSIPS), []policytest.Case{plain}},
		{&policy.TFLUCB{Radius: kk}, []policytest.Case{best}},
		{new(policy.ConstrainedTopTwo), []policytest.Case{best}},
	} {
		for _, test := range c.cases {
			s := explore.Sampler(&gaussian{test.Means(), 1, rand.New(rand.NewPCG(1, 2))})
			if _, random := c.p.(*policy.PSIPS); random {
				s = test.Exact()
			}
			r, err := explore.Run(c.p, test.Problem, s, nil)
			if !errors.Is(err, policy.ErrUndecidable) || !strings.Contains(err.Error(), "arm 1") {
				t.Errorf("%v, %s: %v; want ErrUndecidable about arm 1", c.p, test.Name, err)
			}
			if r.Rounds > 2_000_000 || r.Status != explore.Failure {
				t.Errorf("%v, %s: %v after %d rounds", c.p, test.Name, r.Status, r.Rounds)
			}
			t.Logf("%v, %s: %d rounds, %v", c.p, test.Name, r.Rounds, err)
		}
	}
}
