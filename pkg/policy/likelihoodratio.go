package policy

import (
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
)

// likelihoodRatio is what policies for linear models share that stop when a likelihood ratio
// exceeds their Threshold. They embed it.
type likelihoodRatio struct {
	batcher
	sequential linear.Sequential
	delta      float64
	beta       Threshold
}

// init begins a run of the policy self with its settings. The policy itself prepares sequential.
func (p *likelihoodRatio) init(self explore.Policy, prob *explore.Problem, delta float64,
	t Threshold) (err error) {
	p.batcher.init(self, prob, nil, p.sequential.Expected)
	if p.delta, _, err = checked(self, delta, nil); err != nil {
		return err
	}
	p.beta, err = threshold(t)
	return err
}

// level returns what ratios have to exceed after the rewards so far.
func (p *likelihoodRatio) level() float64 {
	s := &p.sequential
	return p.beta.Beta(Evidence{Delta: p.delta, Pulls: s.Pulls, Rank: s.Rank, LogDet: s.Gained()})
}

// test takes the rewards of a round and reports whether the leader is certain to be the best.
func (p *likelihoodRatio) test(obs []explore.Batch) (over bool, err error) {
	s := &p.sequential
	if err := s.Tell(obs); err != nil {
		return false, err
	}
	s.Test(p.level())
	return s.Over, nil
}

// Ask implements explore.Policy.
func (p *likelihoodRatio) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.sequential.Ask(dst)
}

// Answer implements explore.Policy.
func (p *likelihoodRatio) Answer() explore.Answer { return p.sequential.Answer() }

// lazyDesigns is a likelihoodRatio whose pulls follow designs that are computed now and then.
type lazyDesigns struct {
	likelihoodRatio
	rule linear.Lazy
}

// keepDesign implements designer.
func (p *lazyDesigns) keepDesign() { p.rule.KeepDesign() }

// Warnings implements explore.Warnings: designs that miss their tolerance.
func (p *lazyDesigns) Warnings() []error { return p.rule.Warnings() }
