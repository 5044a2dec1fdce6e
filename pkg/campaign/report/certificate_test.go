package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/report"
)

// signable returns the certificate page of a campaign, which people sign.
func signable(t *testing.T, c *campaign.Campaign) (page string, err error) {
	t.Helper()
	r, err := report.NewViewer(c).Report()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	err = r.Certificate(&b)
	return b.String(), err
}

// The page shows the question, the answer, the assumptions, the monitors and the hash of the record. Before the
// campaign has ended, the page has a different heading.
func TestCertificate(t *testing.T) {
	c := begin(t, two)
	page, err := signable(t, c)
	if err != nil || !strings.Contains(page, "What is certain so far") ||
		!strings.Contains(page, "a best guess without a guarantee") {
		t.Errorf("before the end: %v\n%s", err, page)
	}
	c = begin(t, one)
	for i := range 60 {
		_, err := c.Tell([]campaign.Result{{ID: fmt.Sprint("p", i), Arm: "Pd",
			Values: []float64{8 + float64(i%2)}}, {ID: fmt.Sprint("n", i), Arm: "Ni",
			Values: []float64{4 + float64(i%2)}}}, "ada")
		if err != nil {
			t.Fatal(err)
		}
	}
	if page, err = signable(t, c); err != nil {
		t.Fatal(err)
	}
	s, err := c.Status()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<p class=\"muted\">Certificate</p>", "Of 2 candidates, find the best",
		"the answer is Ni. It is wrong with probability at most 0.05.", "The guarantee holds if a measurement",
		"in the answer; 3 used", "No contradiction found", s.Hash, "UGapE, error probability",
		"<span>signature</span>", "check_certificate.py", "behind Ni by"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if strings.Count(page, s.Evidence.Text) != 1 {
		t.Error("the page does not show the evidence exactly once")
	}
}

// A campaign whose certificate is withdrawn has no page to sign.
func TestNoCertificate(t *testing.T) {
	c := begin(t, one)
	for _, y := range []float64{4, 4.1, 40, 3, 90} {
		told(t, c, "Pd", y)
	}
	if page, err := signable(t, c); !errors.Is(err, campaign.ErrConflict) || page != "" {
		t.Errorf("%v, %q", err, page)
	}
}
