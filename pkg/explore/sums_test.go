package explore_test

import (
	"fmt"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// What was measured of three arms, the last of which was not.
func ExampleSums() {
	var s explore.Sums
	s.Record(explore.Event{Pulls: 3, Obs: []explore.Batch{
		{Pull: explore.Pull{Arm: 1, N: 2}, Sum: []float64{6, 10}}, {Pull: explore.Pull{Arm: 0, N: 1}, Sum: []float64{1, 2}}}})
	s.Record(explore.Event{Pulls: 4, Obs: []explore.Batch{{Pull: explore.Pull{Arm: 1, N: 1}, Sum: []float64{3, 2}}}})
	m := s.Means(&explore.Problem{Arms: 3, Objectives: 2})
	fmt.Println(m.RawRowView(0), m.RawRowView(1), m.RawRowView(2))
	// Output: [1 2] [3 4] [NaN NaN]
}

func TestSumsCount(t *testing.T) {
	var s explore.Sums
	s.Record(explore.Event{Pulls: 7, Obs: []explore.Batch{{Pull: explore.Pull{Arm: 2, N: 7}, Sum: []float64{7}}}})
	if s.Pulls != 7 || len(s.N) != 3 || s.N[0] != 0 || s.N[2] != 7 || s.Total[2][0] != 7 {
		t.Errorf("%+v", s)
	}
}
