package policy_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
)

// pfiwrOneFeature has two arms on either side of 0, so that their means differ by 2 theta.
func pfiwrOneFeature(theta float64) policytest.Case {
	c := palLinear(fmt.Sprintf("one feature, theta %v", theta), 1, [][]float64{{theta}},
		[][]float64{{1}, {-1}})
	c.MaxPulls = min(1e10, math.MaxInt)
	return c
}

// Without a random phase that settles the other arms, a width that shrinks whatever is pulled is
// wrong:
// the shorter the phase, the more runs miss an optimal arm.
func TestPFIwRRandomPhase(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: 600 runs")
	}
	c := palPlain("two of three", 1, []float64{1, 0}, []float64{0, 1}, []float64{.2, .2})
	rate := func(random int) int {
		return policytest.ErrorRate(&failing{TB: t}, func() explore.Policy {
			return &policy.PFIwR{Width: policy.PFIwRPaper, Random: random}
		}, c, .1, 200)
	}
	few, paper, many := rate(3), rate(0), rate(300)
	t.Logf("errors in 200 after a random phase of 3, 30 and 300 rounds: %d, %d, %d",
		few, paper, many)
	if limit := policytest.MostErrors(200, .1); !(few > paper && paper > limit && many <= limit) {
		t.Errorf("%d, %d and %d errors in 200 after a random phase of 3, 30 and 300 rounds; %d "+
			"are compatible with Delta",
			few, paper, many, limit)
	}
}

// After its random phase the width (12) is none for arms that look dominated, however long that
// phase is: two arms whose means differ by 0.005, less than the 4400 rewards of each in the phase
// can tell apart, are mixed up in a third of the runs. Theorem 4.2 excludes that, and is wrong
// about
// the estimator. The self-normalised width, which knows it, is right.
func TestPFIwRTheoryErrs(t *testing.T) {
	c := palLinear("gap 0.005", 1, [][]float64{{.0025, -.0025}}, [][]float64{{1, 0}, {0, 1}})
	c.MaxPulls = min(1e11, math.MaxInt)
	rate := func(w policy.PFIwRWidth) int {
		return policytest.ErrorRate(&failing{TB: t}, func() explore.Policy {
			return &policy.PFIwR{Width: w, Growth: .01}
		}, c, .1, 200)
	}
	limit := policytest.MostErrors(200, .1)
	if wrong := rate(policy.PFIwRTheory); wrong <= limit {
		t.Errorf("%d errors in 200 with the width (12); %d are compatible with Delta", wrong, limit)
	}
	if wrong := rate(policy.PFIwRSelfNormalized); wrong > limit {
		t.Errorf("%d errors in 200 with the self-normalised width; want at most %d", wrong, limit)
	}
}

var _ = register(pfiwrPlans)

// pfiwrPlans have each width on easy and on tight problems: the self-normalised one and that of the
// theory must keep Delta, but see TestPFIwRTheoryErrs. The paper's, which has no guarantee, keeps
// it on an easy problem and on SW-LLVM (TestPFIwRTable1), and does not where rewards are noisier
// (TestPFIwRRandomPhase).
func pfiwrPlans() []plan {
	// Arms without features have these, too: but a shift of their means is then no longer linear in
	// the features, and changes the norm of the parameters, whose bound is a setting.
	hot := [][]float64{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}
	cases := append(palLinearCases(),
		palLinear("one-hot", .4, [][]float64{{1, .6, 0, -.2}, {0, .7, 1, -.3}}, hot),
		palRelaxed(question.Pareto{Epsilon: .8},
			palLinear("close", .4, [][]float64{{1, .99, -.5}, {0, .02, -.5}},
				[][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}))[0])
	relaxed := palRelaxed(question.Pareto{Epsilon: .6}, palTightLinear())[0]
	rates := []rate{{relaxed, .1, 40}, {pfiwrOneFeature(1), .1, 60}, {pfiwrOneFeature(.2), .1, 60}}
	long := []rate{{pfiwrOneFeature(1), .1, 200}, {pfiwrOneFeature(.05), .1, 200}}
	var changing []rate
	for _, spread := range []float64{0, .2} {
		law, err := bandit.NewContextual(pfiwrFeatures, pfiwrTheta, spread, .3)
		if err != nil {
			panic(err)
		}
		in := law.Instance(fmt.Sprintf("spread %v", spread), question.Pareto{Epsilon: .3})
		changing = append(changing, rate{policytest.Case{
			Instance: *in, MaxPulls: 1_000_000,
		}, .1, 20})
	}
	return []plan{
		{"PFIwR", form(policy.PFIwR{}), nil, rates},
		{"PFIwR, norm known", form(policy.PFIwR{Norm: 5, Ridge: .1}), cases,
			[]rate{{palTightLinear(), .1, 20}, {palLinearCases()[0], .1, 40}}},
		{"PFIwR, contexts", form(policy.PFIwR{Norm: 5}), nil, changing},
		{"PFIwR, long rounds", form(policy.PFIwR{Growth: .01}), nil, long},
		{"PFIwR, theory", form(policy.PFIwR{Width: policy.PFIwRTheory, Growth: .01}), nil, long},
		{"PFIwR, paper", form(policy.PFIwR{Width: policy.PFIwRPaper, Random: 200, Norm: 5,
			Scale: .05, Ridge: .1}), cases, nil},
		{"PFIwR, paper, easy", form(policy.PFIwR{Width: policy.PFIwRPaper}), nil,
			[]rate{{pfiwrOneFeature(1), .1, 200}}},
		// Imputed rewards are exact only on average: with three arms that are not alike it is
		// right.
		{"PFIwR, fresh", form(policy.PFIwR{Width: policy.PFIwRPaper, Fresh: true, Random: -1,
			Norm: 5, Scale: .2}),
			cases[len(cases)-1:], nil},
	}
}
