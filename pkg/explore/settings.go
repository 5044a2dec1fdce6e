package explore

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Settings of a run. The zero value works.
type Settings struct {
	// MaxPulls ends a run before the total number of pulls would exceed it.
	// Zero or less means no limit.
	MaxPulls int
	// MaxRounds ends a run after so many rounds of Ask and Tell, or plates of More. Zero means
	// DefaultMaxRounds, so that a question that nobody can answer (two arms
	// exactly tied, an arm exactly on the boundary) ends; less means no limit.
	MaxRounds int
	// Overlap lets a session by tickets hand out the next round of a policy that is Overlapping while
	// earlier ones are out.
	Overlap bool
	// Src feeds the random choices of the policy. Nil means a fixed stream.
	Src rand.Source
	// Sums keeps what is measured of each arm: Result.Sums has means and intervals then.
	Sums bool
	// Recorder, if not nil, sees every round.
	Recorder Recorder
}

// DefaultMaxRounds is the limit on rounds where Settings states none.
const DefaultMaxRounds = 100_000_000

// A Recorder observes a run. An error from it ends the run.
type Recorder interface {
	Record(e Event) error
}

// An Event is one completed round. Its slices are valid during the call only.
type Event struct {
	Round  int // from 1
	Pulls  int // in total, this round included
	Obs    []Batch
	Policy Policy // Policy.Answer is the answer after this round
	// Contexts are the features of the arms in this round, K x h, if the policy
	// reads them, nil if not. Like slices they are valid during the call only.
	Contexts *mat.Dense
}
