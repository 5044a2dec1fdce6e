package campaign_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Worksheets have the separator of the table of candidates, and decimal commas come back in it.
func TestWorksheetsInTheSameDialect(t *testing.T) {
	for _, separator := range []string{";", "\t"} {
		t.Run(separator, func(t *testing.T) { dialect(t, separator) })
	}
}

func dialect(t *testing.T, separator string) {
	in := func(text string) string { return strings.ReplaceAll(text, ";", separator) }
	table := in("Versuch;Preis\nA;1,5\nB;2,25\nC;3\n")
	p, err := problem.Parse("p.toml", []byte(`question = { find = "best", delta = 0.05 }
candidates = { file = "v.csv", cost = "Preis" }
[[objective]]
name = "Ausbeute"
unit = "%"
noise = { sd = 2 }
`), func(string) ([]byte, error) { return []byte(table), nil })
	if err != nil {
		t.Fatal(err)
	}
	if p.Candidates.Costs[1] != 2.25 {
		t.Errorf("costs %v", p.Candidates.Costs)
	}
	path := filepath.Join(t.TempDir(), "v.campaign")
	c, err := campaign.Create(path, p, "test")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	tickets, err := c.Ask(3, "test")
	if err != nil {
		t.Fatal(err)
	}
	if p, err = c.Problem(); err != nil {
		t.Fatal(err)
	}
	var sheet bytes.Buffer
	if err := campaign.WriteSheet(&sheet, p, tickets); err != nil {
		t.Fatal(err)
	}
	text := sheet.String()
	if !strings.HasPrefix(text, in("plate;ticket;candidate;Ausbeute;note\n1;1;A;;\n")) {
		t.Error(text)
	}
	for i, v := range []string{"80,5", "71,25", "64"} {
		name := string(rune('A' + i))
		text = strings.Replace(text, in(";"+name+";;"), in(";"+name+";"+v+";"), 1)
	}
	if _, err := c.TellSheet("v.csv", []byte(text), "test"); err != nil {
		t.Fatal(err)
	}
	s, err := c.Status()
	if err != nil || s.Arms[0].Estimate[0] != 80.5 || s.Arms[1].Estimate[0] != 71.25 || s.Spent != 6.75 ||
		s.Paid != "6.75 Preis" {
		t.Errorf("%+v, %v", s, err)
	}
}
