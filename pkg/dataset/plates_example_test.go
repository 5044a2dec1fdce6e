package dataset_test

import (
	"fmt"
	"log"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
)

// The laboratory measures plates of eight. One plate is reported early, and one measurement fails.
func Example_plates() {
	problem := &explore.Problem{Arms: 5, Objectives: 2, Sigma: 0.5, Question: question.Pareto{}}

	s, err := explore.NewSession(&policy.ECAPE{Delta: 0.05}, problem, nil)
	if err != nil {
		log.Fatal(err)
	}
	plate, err := s.More(8) // tickets for at most eight measurements
	if err != nil {
		log.Fatal(err)
	}

	// Results may arrive in any order, even results of later plates before results of earlier plates.
	receipt, err := s.Report([]explore.Report{{
		Ticket: plate[3].Ticket,
		Batch: explore.Batch{
			Pull: explore.Pull{Arm: plate[3].Arm, N: 1}, Sum: []float64{0.7, 0.2},
		},
	}})
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Forget(plate[5].Ticket); err != nil { // the well failed
		log.Fatal(err)
	}
	more, err := s.More(8) // More takes pending measurements into account
	if err != nil {
		log.Fatal(err)
	}

	fmt.Printf("%d tickets, %d more; %+v\n", len(plate), len(more), receipt)
	// Output:
	// 8 tickets, 8 more; {Used:1 Repeated:0 Unused:[]}
}
