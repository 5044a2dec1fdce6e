package study

import (
	"fmt"
	"time"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// Tries are what runs of a policy on an instance took, beside those of an experiment.
type Tries struct {
	Wrong        int       // answers
	Rounds       int       // the most
	Pulls        []float64 // of each run
	Milliseconds []float64 // of each run, rewards included
}

// WrongPercent is the share of wrong answers, in percent.
func (t Tries) WrongPercent() float64 { return 100 * float64(t.Wrong) / float64(len(t.Pulls)) }

// Try runs a policy several times, one run at a time. Noise names the random rewards of a run; nil
// stands for those of the replicates of a study at seed 1.
func Try(
	inst *bandit.Instance, p explore.Policy, runs int, noise func(run int) seed.Seed,
) (t Tries, err error) {
	if noise == nil {
		noise = func(run int) seed.Seed { return seed.New(1).Child(inst.Name, run).Child("noise") }
	}
	for i := range runs {
		rewards := inst.Sampler(noise(i))
		start := time.Now()
		r, err := explore.Run(p, inst.Problem, rewards, nil)
		if err != nil {
			return t, fmt.Errorf("study: %s on %s: %w", explore.Name(p), inst.Name, err)
		}
		t.Milliseconds = append(t.Milliseconds, time.Since(start).Seconds()*1e3)
		t.Pulls, t.Rounds = append(t.Pulls, float64(r.Pulls)), max(t.Rounds, r.Rounds)
		if !inst.Problem.Question.Correct(inst.Truth(), r.Answer) {
			t.Wrong++
		}
	}
	return t, nil
}
