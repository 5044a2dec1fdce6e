package web

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/report"
)

// A campaign that is finished and withdrawn has no answer: whoever tells or asks hears so.
func TestWithdrawn(t *testing.T) {
	sd := 2.
	c, err := campaign.Create(filepath.Join(t.TempDir(), "x.campaign"), &problem.Problem{
		Question:   problem.Question{Find: problem.FindBest, Delta: .05},
		Candidates: problem.Candidates{Names: []string{"a", "b"}},
		Objectives: []problem.Objective{{Name: "yield", Goal: problem.Maximise,
			Noise: problem.Noise{SD: &sd}}}}, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	e := &engine{c, report.NewViewer(c)}
	var results []Result
	for i, x := range []string{"90", "90", "90", "90", "9", "0", "0", "0", "0"} {
		arm := "a"
		if x == "0" {
			arm = "b"
		}
		results = append(results, Result{ID: strconv.Itoa(i), Arm: arm,
			Values: map[string]Value{"yield": Value(x)}})
	}
	r, err := e.Tell(results, "Ada", false)
	const want = "The certificate is withdrawn"
	if err != nil || r.Status != campaign.Finished ||
		!strings.Contains(strings.Join(r.Notes, "\n"), want) {
		t.Errorf("told: %v, %s, %q", err, r.Status, r.Notes)
	}
	if tickets, note, err := e.Ask(1, "Ada", ""); tickets != nil || err != nil ||
		!strings.Contains(note, want) {
		t.Errorf("asked: %v, %q, %v", tickets, note, err)
	}
}
