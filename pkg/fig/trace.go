package fig

import (
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
)

// A Trace records the course of a run, for [Trajectory]. The zero value is
// ready to be the Recorder of explore.Settings:
//
//	var trace fig.Trace
//	res, err := explore.Run(policy, problem, sampler, &explore.Settings{Recorder: &trace})
//	trace.End(res)
//
// It asks the policy for its answer only at samples, whose total numbers of
// pulls are evenly spaced on a logarithmic scale; between them it adds up the
// pulls of each arm, which costs O(1) a batch and allocates nothing. A change of
// class is therefore seen at the next sample. A new run starts a new trace.
type Trace struct {
	// PerDecade is the number of samples for each factor of ten in the number
	// of pulls. Zero means 60.
	PerDecade int
	// Samples are in the order of the run.
	Samples []Sample

	round    int
	pulls    int
	armPulls []int
	next     float64 // total pulls of the next sample
}

// A Sample is the state of a run after a round.
type Sample struct {
	Round    int
	Pulls    int   // in total
	ArmPulls []int // of each arm; arms beyond the end have not been pulled yet
	// Items and Reasons are those of the policy's answer.
	Items   []int
	Reasons []explore.Reason
}

var _ explore.Recorder = (*Trace)(nil)

// Record implements explore.Recorder.
func (t *Trace) Record(e explore.Event) error {
	if e.Round <= t.round {
		*t = Trace{PerDecade: t.PerDecade}
	}
	t.round, t.pulls = e.Round, e.Pulls
	for _, b := range e.Obs {
		for b.Arm >= len(t.armPulls) {
			t.armPulls = append(t.armPulls, 0)
		}
		t.armPulls[b.Arm] += b.N
	}
	if float64(e.Pulls) < t.next {
		return nil
	}
	per := 60.
	if t.PerDecade > 0 {
		per = float64(t.PerDecade)
	}
	t.next = float64(e.Pulls) * math.Pow(10, 1/per)
	t.sample(e.Policy.Answer())
	return nil
}

// End adds the final state of the run, which need not be at a sample. It does
// nothing for a run without rounds, or if res is nil.
func (t *Trace) End(res *explore.Result) {
	if res == nil || t.round == 0 {
		return
	}
	if n := len(t.Samples); n > 0 && t.Samples[n-1].Round == t.round {
		t.Samples = t.Samples[:n-1]
	}
	t.round, t.pulls = res.Rounds, res.Pulls
	t.armPulls = append(t.armPulls[:0], res.ArmPulls...)
	t.sample(res.Answer)
}

func (t *Trace) sample(a explore.Answer) {
	t.Samples = append(t.Samples, Sample{
		Round: t.round, Pulls: t.pulls, ArmPulls: slices.Clone(t.armPulls),
		Items: slices.Clone(a.Items), Reasons: slices.Clone(a.Reasons),
	})
}

// class returns the class of item i. A policy without reasons certifies
// nothing before its end.
func (s *Sample) class(i int) explore.Class {
	if i < len(s.Reasons) {
		return s.Reasons[i].Class
	}
	return explore.Undecided
}

// of returns the pulls of arm i.
func (s *Sample) of(i int) int {
	if i < len(s.ArmPulls) {
		return s.ArmPulls[i]
	}
	return 0
}
