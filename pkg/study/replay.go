package study

import (
	"fmt"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// Replay runs a replicate of a method on an instance of the experiment once more, as it is at seed
// 1, for what rows do not say: its answer, its course, its time. Limits and a recorder are those of
// set, which may be nil; without a limit on pulls there, that of the method holds.
func (e Experiment) Replay(
	m Method, inst *bandit.Instance, size, rep int, set *explore.Settings,
) (*explore.Result, error) {
	var own explore.Settings
	if set != nil {
		own = *set
	}
	if own.MaxPulls == 0 {
		own.MaxPulls = m.MaxPulls
	}
	s := seed.New(1).Child(inst.Name, rep)
	own.Src = s.Child("policy", m.Name).Source()
	noise := inst.Sampler(s.Child("noise"))
	r, err := explore.Run(m.New(e.Task(inst, size)), inst.Problem, noise, &own)
	if err != nil {
		return r, fmt.Errorf("%s: %s on %s: %w", e.Name, m.Name, inst.Name, err)
	}
	return r, nil
}
