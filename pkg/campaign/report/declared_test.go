package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/report"
)

// html returns the report of a campaign as a page.
func html(t *testing.T, c *campaign.Campaign) (*report.Report, string) {
	t.Helper()
	r, err := report.NewViewer(c).Report()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.HTML(&b); err != nil {
		t.Fatal(err)
	}
	return r, b.String()
}

// Browsers print the report on numbered pages of A4, with the record open.
func TestPrint(t *testing.T) {
	_, page := html(t, begin(t, one))
	for _, want := range []string{"@page { size: A4;", `counter(page) " / " counter(pages)`, "<details open>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
