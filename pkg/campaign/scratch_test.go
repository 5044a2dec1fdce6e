package campaign_test

import (
	"log"
	"os"
	"path/filepath"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// yields is a problem about the yields of three catalysts.
func yields() *problem.Problem {
	sd := 2.
	return &problem.Problem{
		Question:   problem.Question{Find: problem.FindBest, Delta: 0.05},
		Candidates: problem.Candidates{Names: []string{"A07", "B02", "C11"}},
		Objectives: []problem.Objective{{Name: "yield", Unit: "%", Goal: problem.Maximise,
			Values: []float64{0, 100}, Noise: problem.Noise{SD: &sd}}},
	}
}

// begun creates a campaign for an example, and returns a function that closes and removes the campaign.
func begun() (c *campaign.Campaign, end func()) {
	dir, err := os.MkdirTemp("", "campaign")
	if err != nil {
		log.Fatal(err)
	}
	c, err = campaign.Create(filepath.Join(dir, "yields.campaign"), yields(), "Ada")
	if err != nil {
		log.Fatal(err)
	}
	return c, func() {
		c.Close()
		os.RemoveAll(dir)
	}
}
