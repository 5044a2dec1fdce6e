package campaign_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

const settled = `
[question]
find = "best"
delta = 0.05
[candidates]
file = "table.csv"
features = ["temperature", "ID"]
categories = ["solvent"]
[[objective]]
name = "yield"
noise = { sd = 1 }
`

const settledTable = "candidate,temperature,ID,solvent\na,60,1,water\nb,80.5,2,=oil\nc,70,4,water\nd,90,3,=oil\n"

// Tickets and worksheets say what to set. A worksheet with settings is read as one without, and a
// setting that would be taken for a column that is read is left out of it.
func TestSettings(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(settled), func(string) ([]byte, error) {
		return []byte(settledTable), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.NewcomerColumns(), " "); got != "temperature ID solvent" {
		t.Errorf("a newcomer needs %q", got)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "p.campaign"), p, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	asked, err := c.Ask(4, "robot")
	if err != nil {
		t.Fatal(err)
	}
	pending, err := c.Tickets(campaign.Pending)
	if err != nil {
		t.Fatal(err)
	}
	seen := false
	for i, x := range asked {
		if y := pending[i].Settings; x.Arm == "b" && len(y) == 3 {
			seen = x.Settings["temperature"] == "80.5" && y["solvent"] == "=oil" && y["ID"] == "2"
		}
	}
	if !seen {
		t.Errorf("%+v\n%+v", asked, pending)
	}
	var b strings.Builder
	if err := campaign.WriteSheet(&b, p, asked); err != nil {
		t.Fatal(err)
	}
	// A cell that a spreadsheet would compute has an apostrophe.
	sheet := b.String()
	if !strings.HasPrefix(sheet, "plate,ticket,candidate,temperature,solvent,yield,note\n") ||
		!strings.Contains(sheet, ",b,80.5,'=oil,,\n") {
		t.Error(sheet)
	}
	if r, err := c.TellSheet("s.csv", []byte(strings.ReplaceAll(sheet, ",,\n", ",7,\n")),
		"robot"); err != nil || r.Used != len(asked) {
		t.Error(r, err)
	}
	// Descriptors by the hundred are left out.
	p.Candidates.FeatureColumns = make([]string, 100)
	b.Reset()
	if err := campaign.WriteSheet(&b, p, asked); err != nil ||
		!strings.HasPrefix(b.String(), "plate,ticket,candidate,yield,note\n") {
		t.Error(b.String(), err)
	}
}
