package campaign_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// The status names the candidates whose measurements failed, and suggests dropping a candidate
// after five failures in a row.
func TestFailing(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte("question = { find = \"best\", delta = 0.1 }\ncandidates = { names = [\"A\", \"B\"] }\n"+
		"[[objective]]\nname = \"x\"\nnoise = { sd = 1 }\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "f.campaign"), p, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fail := func(n int, arm string, failed bool) string {
		for i := range n {
			r := campaign.Result{ID: strings.Repeat("i", i+1) + arm, Arm: arm, Failed: failed}
			if !failed {
				r.ID, r.Values = "value", []float64{1}
			}
			if _, err := c.Tell([]campaign.Result{r}, "Ada"); err != nil {
				t.Fatal(err)
			}
		}
		s, err := c.Status()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(s.Guarantee, "\n"), "of B") {
			t.Errorf("the guarantee does not mention the failures of B: %q", s.Guarantee)
		}
		return strings.Join(s.Warnings, "\n")
	}
	if text := fail(4, "B", true); strings.Contains(text, "drop") {
		t.Errorf("after four: %s", text)
	}
	if text := fail(5, "B", true); !strings.Contains(text, `drop "B"`) {
		t.Errorf("after five: %s", text)
	}
	if text := fail(1, "B", false); strings.Contains(text, "drop") {
		t.Errorf("after a value: %s", text)
	}
}
