package policy

import (
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/goodenough"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/radius"
)

// A rule is the sampling rule and the stopping rule of a policy, with their state.
type rule interface {
	// round appends the pulls of the next round, each of one reward. If the run has ended, round
	// appends no pulls.
	round(dst []explore.Pull) []explore.Pull
	Tell(obs []explore.Batch)
	Answer() explore.Answer
	// Row returns the estimated mean of an arm, one number per objective.
	Row(arm int) []float64
}

// ruled is the common part of policies with two rules: the rule of the paper and a tolerant rule.
// Init chooses one of the two rules of the policy for the run.
type ruled struct {
	batcher
	rule     rule // the rule of the current run
	tolerant tolerant
	pulls    int
}

// tolerant is a rule that is based on goodenough.State. The tolerant rule supports tolerances,
// known values, and radii that adapt to the rewards.
type tolerant struct {
	goodenough.State
	next func(s *goodenough.State, dst []explore.Pull) []explore.Pull
}

func (t *tolerant) round(dst []explore.Pull) []explore.Pull { return t.next(&t.State, dst) }

// chooseRule prepares a run of the policy self. If prob or the radius r requires the tolerant rule,
// chooseRule selects this rule; its rounds come from the function next. Otherwise, chooseRule
// selects the exact rule and returns true. The caller must then initialize the exact rule.
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

// duel appends a round of e-cAPE: the arm whose status is least certain, and the arm that comes
// closest to dominating it.
func duel(s *goodenough.State, dst []explore.Pull) []explore.Pull {
	return against(s, dst, func(b int) int { return b })
}

// leaderFirst appends a round of APE: the leader and the arm that comes closest to dominating it.
// If there is no leader, the arm whose status is least certain replaces the leader.
func leaderFirst(s *goodenough.State, dst []explore.Pull) []explore.Pull {
	return against(s, dst, func(b int) int {
		if l := s.Leader(); l >= 0 {
			return l
		}
		return b
	})
}

// against appends a round that consists of two arms. The argument first is a function that chooses
// the first arm, given the arm whose status is least certain. The second arm is the rival of the
// first arm, which [goodenough.State.Duel] chooses. The initial round of a run consists of all
// arms.
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

// feasibilityFirst appends a round of TwoStage, which is MD-APT followed by APE. The round consists
// of the arm whose feasibility is least certain. If the feasibility of all arms is certain, the
// round is one of APE. The confidence intervals are valid for both stages simultaneously.
func feasibilityFirst(s *goodenough.State, dst []explore.Pull) []explore.Pull {
	if s.Pulls > 0 {
		if i := s.Uncertain(); i >= 0 {
			return append(dst, explore.Pull{Arm: i, N: 1})
		}
	}
	return leaderFirst(s, dst)
}

// uncertainArms appends a round of a race: all undecided arms and the arms with which they are
// compared.
func uncertainArms(s *goodenough.State, dst []explore.Pull) []explore.Pull {
	if s.Check() < 0 {
		return dst
	}
	if race := s.Race(dst); len(race) > len(dst) {
		return race
	}
	return s.Sweep(dst)
}

// allArms appends a round of uniform sampling, one pull of each arm.
func allArms(s *goodenough.State, dst []explore.Pull) []explore.Pull {
	if s.Check() < 0 {
		return dst
	}
	return s.Sweep(dst)
}
