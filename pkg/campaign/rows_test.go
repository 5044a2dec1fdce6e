package campaign_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// A table of more than MostRows lines, which would block other
// users, is rejected. A table of MostRows lines is accepted.
func TestMostRows(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`candidates = {names = ["A", "B"], join = true}
question = {find = "best", delta = 0.05}
[[objective]]
name = "yield"
goal = "maximize"
noise = {sd = 2}
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "c.campaign"), p, "me")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	rows := func(n int) []byte { return []byte("candidate,yield\n" + strings.Repeat("A,70\n", n)) }
	var wrong campaign.InputErrors
	if _, err = c.TellBatch("b", "b.csv", rows(campaign.MostRows), "me"); !errors.As(err, &wrong) ||
		!strings.Contains(err.Error(), "b.csv: 100001 lines; expected at most 100000; split the table") {
		t.Errorf("too many rows: %v", err)
	}
	if r, err := c.TellBatch("b", "b.csv", rows(campaign.MostRows-1), "me"); err != nil || r.Used != campaign.MostRows-1 {
		t.Errorf("the largest table: %+v, %v", r, err)
	}
}
