package explore

import (
	"errors"
	"strconv"
)

// A Status says why a run ended, or that it has not.
type Status int

// The ways in which a run can end.
const (
	Running    Status = iota // not ended
	Stopped                  // the policy stopped by itself: its guarantee holds
	PullLimit                // the next pulls would exceed Settings.MaxPulls
	RoundLimit               // Settings.MaxRounds rounds were made
	Failure                  // the policy, the sampler or the recorder returned an error
)

var statuses = [...]struct {
	name  string
	early bool
	err   error
}{
	Running: {"running", true, nil},
	Stopped: {"stopped", false, nil},
	PullLimit: {"pull limit", true, errors.New("explore: the limit on pulls was reached before " +
		"the policy stopped; undecided items are named in the answer's reasons")},
	RoundLimit: {"round limit", true, errors.New("explore: the limit on rounds was reached " +
		"before the policy stopped; undecided items are named in the answer's reasons")},
	Failure: {"failure", true, errors.New("explore: the run failed")},
}

// String returns the status' name.
func (s Status) String() string {
	if s < 0 || int(s) >= len(statuses) {
		return "status " + strconv.Itoa(int(s))
	}
	return statuses[s].name
}

// Early reports whether the policy's guarantee does not hold because the run
// has not ended by its own rule.
func (s Status) Early() bool { return statuses[s].early }

// Err returns nil for Running and Stopped, and an error that says what
// happened otherwise.
func (s Status) Err() error { return statuses[s].err }

// ParseStatus is the inverse of String.
func ParseStatus(name string) (Status, error) {
	for i, s := range statuses {
		if s.name == name {
			return Status(i), nil
		}
	}
	return 0, errors.New("explore: unknown status " + strconv.Quote(name))
}
