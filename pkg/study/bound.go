package study

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
)

// Bound is a number of pulls that follows from theory: a lower bound for all methods, or the length
// of a schedule. In files of rows, a bound has one row for each instance, so that tables and
// figures can show it next to the methods. In a row of a bound, the name of the method is the name
// of the bound, and the constants are "bound".
type Bound struct {
	// Name is the name of the bound in rows, tables and figures.
	Name string
	// Plan returns the planned pulls for a task. If Plan returns an error, such as ErrNoBound, the
	// row has the status failure.
	Plan func(Task) (Plan, error)
}

// A Plan contains the pulls of each round and the right answer. Both are known in advance.
type Plan struct {
	Rounds [][]explore.Pull
	Answer explore.Answer
}

// ErrNoBound reports that an instance has no finite bound.
var ErrNoBound = errors.New("no finite bound")

// bound is the value of Constants in the rows of bounds.
const bound = "bound"

// IsBound reports whether r is a row of a bound.
func IsBound(r mc.Row) bool { return r.Constants == bound }

// method converts b to a method for task t.
func (b Bound) method(t Task) mc.Method {
	return mc.Method{
		Name: b.Name, Constants: bound, Delta: t.Delta, Reps: 1, MaxPulls: -1,
		New: func() explore.Policy { return &script{bound: b, task: t} },
	}
}

// Allocate divides n pulls among the arms in proportion to weights, which must sum to 1. Allocate
// rounds the cumulative shares, so that the pulls sum to n rounded to the nearest integer.
func Allocate(n float64, weights []float64) []explore.Pull {
	var pulls []explore.Pull
	share, before := 0., 0
	for i, w := range weights {
		share += w
		if upto := int(math.Round(n * share)); upto > before {
			pulls, before = append(pulls, explore.Pull{Arm: i, N: upto - before}), upto
		}
	}
	return pulls
}

// Divided returns the plan of an oracle: one round with n pulls, divided among the arms in
// proportion to weights. If n is infinite or below 1, Divided returns ErrNoBound.
func Divided(n float64, weights []float64, right explore.Answer) (Plan, error) {
	if math.IsInf(n, 1) || n < 1 {
		return Plan{}, ErrNoBound
	}
	return Plan{Rounds: [][]explore.Pull{Allocate(n, weights)}, Answer: right}, nil
}

// script is the policy for the runs of a bound; it requests the planned pulls.
type script struct {
	bound Bound
	task  Task
	plan  Plan
}

// String returns the name of the policy for the header of a file of rows.
func (s *script) String() string { return "bound: " + s.bound.Name }

// Init implements explore.Policy.
func (s *script) Init(*explore.Problem, rand.Source) (err error) {
	s.plan, err = s.bound.Plan(s.task)
	return err
}

// Ask implements explore.Policy.
func (s *script) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if len(s.plan.Rounds) == 0 {
		return dst, nil
	}
	return append(dst, s.plan.Rounds[0]...), nil
}

// Tell implements explore.Policy.
func (s *script) Tell([]explore.Batch) error {
	s.plan.Rounds = s.plan.Rounds[1:]
	return nil
}

// Answer implements explore.Policy.
func (s *script) Answer() explore.Answer { return s.plan.Answer }
