package policy

import (
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/goodenough"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/radius"
)

// A rule is what a policy knows and how it goes on.
type rule interface {
	// round appends the pulls of the next round, one reward each; none at the end.
	round(dst []explore.Pull) []explore.Pull
	Tell(obs []explore.Batch)
	Answer() explore.Answer
	// Row returns the estimated mean of an arm, one number an objective.
	Row(arm int) []float64
}

// ruled is a policy with two rules: that of its paper, and a tolerant one. Init chooses one for the
// run.
type ruled struct {
	batcher
	rule     rule // of this run
	tolerant tolerant
	pulls    int
}

// tolerant is a rule by goodenough.State, for problems where the answer need not be exact or not
// everything need be measured, and for radii that adapt to rewards.
type tolerant struct {
	goodenough.State
	next func(s *goodenough.State, dst []explore.Pull) []explore.Pull
}

func (t *tolerant) round(dst []explore.Pull) []explore.Pull { return t.next(&t.State, dst) }

// chooseRule begins a run of the policy self by an exact rule or, where prob or r asks for it, by
// the tolerant one whose rounds are those of next. It reports whether that is the exact one, which
// the policy is to prepare.
func (p *ruled) chooseRule(self explore.Policy, prob *explore.Problem, delta float64, r radius.Radius, exact rule,
	next func(s *goodenough.State, dst []explore.Pull) []explore.Pull) (isExact bool, err error) {
	p.batcher.init(self, prob, nil, exact.Row)
	p.rule, p.pulls = exact, 0
	delta, r, err = confidence(delta, r)
	if err != nil || !goodenough.Asked(prob, r) {
		return true, err
	}
	t := &p.tolerant
	p.rule, t.next, p.estimate, p.squares = t, next, t.Row, t.Squares
	return false, t.Init(prob, r, delta)
}

// Ask implements explore.Policy.
func (p *ruled) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return patience.Extend(p.rule.round(dst), len(dst), p.pulls, p.prob, p.rule)
}

// Tell implements explore.Policy.
func (p *ruled) Tell(obs []explore.Batch) error {
	for i := range obs {
		p.pulls += obs[i].N
	}
	if p.rule == rule(&p.tolerant) {
		if err := p.tolerant.CheckRange(obs); err != nil {
			return err
		}
	}
	p.rule.Tell(obs)
	return nil
}

// Answer implements explore.Policy.
func (p *ruled) Answer() explore.Answer { return p.rule.Answer() }

// duel is a round of e-cAPE: the least certain arm and what comes closest to beating it.
func duel(s *goodenough.State, dst []explore.Pull) []explore.Pull {
	return against(s, dst, func(b int) int { return b })
}

// leaderFirst is a round of APE: its leader and what comes closest to beating that. If all arms
// that may be feasible are known to be beaten by none, the least certain arm leads.
func leaderFirst(s *goodenough.State, dst []explore.Pull) []explore.Pull {
	return against(s, dst, func(b int) int {
		if l := s.Leader(); l >= 0 {
			return l
		}
		return b
	})
}

// against is a round of the arm that first chooses, given the least certain one, and what comes
// closest to beating it. The first round is about all arms.
func against(s *goodenough.State, dst []explore.Pull, first func(b int) int) []explore.Pull {
	if s.Pulls == 0 {
		if all := s.Sweep(dst); len(all) > len(dst) {
			return all
		}
	}
	b := s.Check()
	if b < 0 {
		return dst
	}
	return s.Duel(dst, first(b))
}

// feasibilityFirst is a round of two stages: the arm whose feasibility is least certain, and once
// that is known of all arms a round of APE, by intervals that hold at once for both stages.
func feasibilityFirst(s *goodenough.State, dst []explore.Pull) []explore.Pull {
	if s.Pulls > 0 {
		if i := s.Uncertain(); i >= 0 {
			return append(dst, explore.Pull{Arm: i, N: 1})
		}
	}
	return leaderFirst(s, dst)
}

// uncertainArms is a round of a race: all arms that are not certain, and those that they are
// compared with.
func uncertainArms(s *goodenough.State, dst []explore.Pull) []explore.Pull {
	if s.Check() < 0 {
		return dst
	}
	if race := s.Race(dst); len(race) > len(dst) {
		return race
	}
	return s.Sweep(dst)
}

// allArms is a round of uniform sampling.
func allArms(s *goodenough.State, dst []explore.Pull) []explore.Pull {
	if s.Check() < 0 {
		return dst
	}
	return s.Sweep(dst)
}
