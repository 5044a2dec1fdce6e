package report_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/report"
)

// Whoever keeps a viewer sees what one that is new sees, whatever happened in the meantime: candidates that come and go, too.
func TestViewerKeepsUp(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(settings), func(string) ([]byte, error) { return []byte("candidate,solvent\na,water\nb,oil\nc,oil\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "p.campaign"), p, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	kept := report.NewViewer(c)
	join := func(name, solvent string) func() error {
		return func() error {
			return c.Join(problem.Candidate{Name: name, Columns: map[string]string{"solvent": solvent}}, "Ada")
		}
	}
	for i, x := range []struct {
		step       func() error
		candidates int
		verify     int // how many lines say how to verify it
	}{
		{func() error { return nil }, 3, 3},
		{func() error { _, err := c.Ask(2, "Ada"); return err }, 3, 3},
		{func() error { told(t, c, "b", 7); return nil }, 3, 3},
		{join("d", "oil"), 4, 3},
		{func() error { told(t, c, "d", 9); return nil }, 4, 3},
		{func() error { return c.Drop("a", "sold out", "Ada") }, 3, 3},
		{func() error { return c.Undo(6, "it came again", "Ada") }, 4, 3},
	} {
		if err := x.step(); err != nil {
			t.Fatal(i, err)
		}
		var texts [2]string
		for j, v := range []*report.Viewer{kept, report.NewViewer(c)} {
			r, err := v.Report()
			if err != nil {
				t.Fatal(i, err)
			}
			text, err := json.Marshal(r)
			if texts[j] = string(text); err != nil || len(r.Replicates) != x.candidates || len(r.Verify) != x.verify ||
				!strings.Contains(r.Question, fmt.Sprintf("of %d candidates", x.candidates)) || len(r.Record) != i+1 || !r.At.Equal(r.Record[i].Time()) || i > 0 && r.At.Equal(r.Record[0].Time()) {
				t.Errorf("step %d: %v, %d replicates, %q, %q, %d events", i, err, len(r.Replicates), r.Question, r.Verify, len(r.Record))
			}
		}
		if texts[0] != texts[1] {
			t.Errorf("step %d: the viewer that is kept has\n%s\nand a new one\n%s", i, texts[0], texts[1])
		}
	}
}

const settings = `
[question]
find = "best"
delta = 0.05
[candidates]
file = "t.csv"
categories = ["solvent"]
[[objective]]
name = "yield"
noise = { sd = 2 }
`
