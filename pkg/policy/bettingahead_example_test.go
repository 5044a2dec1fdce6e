package policy_test

import (
	"fmt"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
)

// One result of the first round is late. With rounds that overlap the next plate does not wait for it.
func ExampleBettingElimination_Ahead() {
	teas := &explore.Problem{Arms: 3, Sigma: 1, Question: question.Best{}}
	for _, overlap := range []bool{false, true} {
		s, err := explore.NewSession(&policy.BettingElimination{Delta: 0.05}, teas, &explore.Settings{Overlap: overlap})
		if err != nil {
			fmt.Println(err)
			return
		}
		first, _ := s.More(24) // all of the first round
		for _, o := range first[1:] {
			_, err := s.Report([]explore.Report{{Ticket: o.Ticket, Batch: explore.Batch{
				Pull: explore.Pull{Arm: o.Arm, N: 1}, Sum: []float64{float64(o.Arm) / 2}}}})
			if err != nil {
				fmt.Println(err)
			}
		}
		more, _ := s.More(4)
		fmt.Println(overlap, len(more))
	}
	// Output:
	// false 0
	// true 4
}
