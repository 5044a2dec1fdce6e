package policy_test

import (
	"fmt"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
)

// One result of the first round is late, but the next plate does not wait for it. An experimenter may also choose
// measurements and announce the choice beforehand. The policy uses results of announced measurements like results of
// requested measurements.
func ExampleBettingElimination_Imagine() {
	teas := &explore.Problem{Arms: 3, Sigma: 1, Question: question.Best{}}
	s, err := explore.NewSession(&policy.BettingElimination{Delta: 0.05}, teas, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	first, _ := s.More(24) // the whole first round
	for _, o := range first[1:] {
		_, err := s.Report([]explore.Report{{Ticket: o.Ticket, Batch: explore.Batch{
			Pull: explore.Pull{Arm: o.Arm, N: 1}, Sum: []float64{float64(o.Arm) / 2}}}})
		if err != nil {
			fmt.Println(err)
		}
	}
	more, _ := s.More(4)
	chosen, _ := s.Announce(2, 2, 1)
	fmt.Println(len(more), chosen)
	// Output:
	// 4 [{29 2} {30 2} {31 1}]
}
