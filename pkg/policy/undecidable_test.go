package policy_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
)

// A tie with a member of the front, or an arm on the boundary of the region, is
// decided by no number of rewards: sequential policies say so, and between whom,
// long before the limit on rounds. PSIPS, whose test is random, needs estimates that
// are tied.
func TestSequentialUndecidable(t *testing.T) {
	tied := constrainedCase("tied", polyhedron.Whole(2), 1, []float64{1, 0}, []float64{0, 1},
		[]float64{-1, 1})
	edge := constrainedCase("edge", atLeast(0, 0), 1, []float64{1, .5}, []float64{0, 1},
		[]float64{2, -1})
	plain := unconstrained(tied, question.Pareto{})
	best := bestOf(constrainedCase("edge", atLeast(0, 0), 1, []float64{.3, .5}, []float64{0, 1.5}),
		1, 1, 1)
	flat := palLinear("tied, with features", 1, [][]float64{{1, 0}, {0, 1}},
		[][]float64{{1, 0}, {0, 1}, {-1, 1}})
	kk := radius.KaufmannKoolen{}
	twins := seqCase("tied", [][]float64{{1, 0}, {0, 1}, {-1, .5}}, nil, []float64{1, 1}, 1, 0)
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
		{new(policy.ParetoTrackAndStop), []policytest.Case{tied, setOnly(edge)}},
		{&policy.MDAPT{Radius: kk}, []policytest.Case{feasibleOnly(edge)}},
		{&policy.APE{Radius: kk}, []policytest.Case{plain}},
		{new(policy.AuerRacing), []policytest.Case{plain}},
		{new(policy.PAL), []policytest.Case{plain, flat}},
		{&policy.PAL{Form: policy.PALRacing}, []policytest.Case{plain, flat}},
		{new(policy.Sparing), []policytest.Case{plain, flat}},
		{&policy.PFIwR{Norm: 2}, []policytest.Case{plain, flat}},
		{new(policy.PSIPS), []policytest.Case{plain}},
		{&policy.TFLUCB{Radius: kk}, []policytest.Case{best}},
		{new(policy.ConstrainedTopTwo), []policytest.Case{best}},
		{new(policy.LinGapE), []policytest.Case{twins}},
		{&policy.LinGapE{Norm: 2}, []policytest.Case{twins}},
		{new(policy.LinGame), []policytest.Case{twins}},
		{new(policy.LazyTrackAndStop), []policytest.Case{twins}},
		{new(policy.FWS), []policytest.Case{twins}},
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

// Sparing's rounds grow anyway: a tie takes few of them, and arms that are alike get as
// many pulls when these are counted in large steps.
func TestSparingUndecidable(t *testing.T) {
	c := palPlain("tied", 1, []float64{0, 0}, []float64{0, 0})
	r, err := explore.Run(new(policy.Sparing), c.Problem,
		&gaussian{c.Means(), 1, rand.New(rand.NewPCG(1, 2))}, nil)
	if !errors.Is(err, policy.ErrUndecidable) || r.Rounds > 2000 {
		t.Fatalf("%v after %d rounds; want ErrUndecidable after at most 2000", err, r.Rounds)
	}
	if share := float64(r.ArmPulls[0]) / float64(r.Pulls); share < .495 || share > .505 {
		t.Errorf("%.4f of the pulls are of the first arm; want half", share)
	}
}

// Where rounds show the features of one reward, or draw pseudo-actions for one, they do
// not get longer.
func TestPFIwRSingleRewards(t *testing.T) {
	if testing.Short() {
		t.Skip("a million rounds")
	}
	law, err := bandit.NewContextual(rows([][]float64{{.5, 0}, {.5, 0}}),
		rows([][]float64{{1, 0}, {0, 1}}), .2, 1)
	if err != nil {
		t.Fatal(err)
	}
	changing := law.Instance("tied", question.Pareto{})
	tied := palPlain("tied", 1, []float64{1, 0}, []float64{0, 0})
	for _, c := range []struct {
		p    *policy.PFIwR
		prob *explore.Problem
		s    explore.Sampler
	}{
		{new(policy.PFIwR), changing.Problem, changing.Sampler(seed.New(1))},
		{&policy.PFIwR{Width: policy.PFIwRTheory, Fresh: true}, tied.Problem,
			&gaussian{tied.Means(), 1, rand.New(rand.NewPCG(1, 2))}},
	} {
		const pulls = 1<<20 + 1<<13
		r, err := explore.Run(c.p, c.prob, c.s, &explore.Settings{MaxPulls: pulls})
		if err != nil || r.Status == explore.Stopped || r.Pulls != pulls || r.Rounds != pulls {
			t.Errorf("%v: %v, %v after %d rewards in %d rounds; want %d in as many", c.p, err,
				r.Status,
				r.Pulls, r.Rounds, pulls)
		}
	}
}

// Rounds that get longer keep the proportions: two items that tie, whose difference (2,
// -1) is known best from twice as many rewards of the first arm (Elfving's theorem).
// LinGame's bonus for uncertainty hides a difference of 0.
func TestLongRoundsKeepProportions(t *testing.T) {
	if testing.Short() {
		t.Skip("a million rounds of each policy")
	}
	c := seqCase("tied", basis(2), [][]float64{{2, 0}, {0, 1}}, []float64{1, 2}, 1, 0)
	for _, p := range []explore.Policy{
		new(policy.LinGapE), new(policy.LazyTrackAndStop), new(policy.FWS),
	} {
		r, err := explore.Run(p, c.Problem, &gaussian{c.Means(), 1, rand.New(rand.NewPCG(1, 2))},
			nil)
		if !errors.Is(err, policy.ErrUndecidable) {
			t.Fatalf("%v: %v", p, err)
		}
		if share := float64(r.ArmPulls[0]) / float64(r.Pulls); share < .64 || share > .69 {
			t.Errorf("%v: %.3f of the pulls are of the first arm; want 2/3", p, share)
		}
	}
}
