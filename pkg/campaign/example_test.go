package campaign_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

func Example() {
	dir, err := os.MkdirTemp("", "campaign")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "coupling.campaign")

	question := &problem.Problem{
		Question:   problem.Question{Find: problem.FindBest, Delta: 0.05},
		Candidates: problem.Candidates{Names: []string{"A07", "B02", "C11"}},
		Objectives: []problem.Objective{{
			Name: "yield", Unit: "%", Goal: problem.Maximise,
			Noise: problem.Noise{Range: []float64{0, 100}},
		}},
	}
	c, err := campaign.Create(file, question, "Ada")
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()

	plate, err := c.Ask(3, "robot-1")
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range plate {
		fmt.Println("ticket", t.Ticket, "is for", t.Arm)
	}

	receipt, err := c.Tell([]campaign.Result{
		{Ticket: 1, Values: []float64{71.2}},
		{Ticket: 2, Failed: true, Note: "empty well"},
	}, "robot-1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(receipt.Used, "used,", receipt.Failed, "failed; the campaign is", receipt.Status)

	_, err = c.Tell([]campaign.Result{{Ticket: 3, Values: []float64{712}}}, "robot-1")
	fmt.Println(err)

	// Output:
	// ticket 1 is for A07
	// ticket 2 is for B02
	// ticket 3 is for C11
	// 1 used, 1 failed; the campaign is running
	// result 1: yield: 712 % is outside 0 to 100; correct the value, or widen the limits of the problem
}
