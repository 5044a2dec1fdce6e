package report_test

import (
	"bytes"
	"fmt"
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

// The report lists what is declared: question, delta, method, protocol, noise, values, tolerances, slacks.
func TestDeclared(t *testing.T) {
	toml := "protocol = \"frozen\"\n" + strings.Replace(two, "at_least", "tolerance = 3\nslack = 1\nat_least", 1)
	c := begin(t, toml)
	r, page := html(t, c)
	is := map[string]string{}
	for _, d := range r.Declared {
		is[d.What] += d.Is + "|"
		if !strings.Contains(page, "<td>"+d.What+"</td>") {
			t.Errorf("the page lacks %q", d.What)
		}
	}
	for what, want := range map[string]string{
		"error probability (delta)": "0.05|",
		"method":                    "e-cAPE, seed 0|",
		"confirming measurements":   "yes|",
		"protocol":                  "frozen; the first result seals it|",
		"candidates":                "Pd, Ni and <i>Cu</i>|",
		"goal of waste":             "minimise|",
		"noise of yield":            "Gaussian, standard deviation 2 %|",
		"values of yield":           "from 0 to 100 %; others are refused|",
		"tolerance in yield":        "3 %|",
		"tolerance in waste":        "none|",
		"bound":                     "yield >= 50 %; slack: 1|",
		"unsolicited results":       "accepted|",
	} {
		if is[what] != want {
			t.Errorf("%s is %q; want %q", what, is[what], want)
		}
	}
	if is["settings of the method"] == "" || is["question"] == "" || is["of it for the method"] == "" {
		t.Errorf("%v", is)
	}
	told(t, c, "Ni", 70, 3)
	r, _ = html(t, c)
	if text := fmt.Sprint(r.Declared); !strings.Contains(text, "frozen, sealed by event 3; changes after") {
		t.Error(text)
	}
	r, _ = html(t, begin(t, one))
	if text := fmt.Sprint(r.Declared); !strings.Contains(text, "{protocol not frozen}") {
		t.Error(text)
	}
}

// Amendments, signatures and what the monitors found have a section each, also where there are none.
func TestAmendments(t *testing.T) {
	c := begin(t, two)
	if _, page := html(t, c); !strings.Contains(page, "None: no candidate came or went") ||
		!strings.Contains(page, "Nobody has signed.") || !strings.Contains(page, "<h2>Monitors</h2>") {
		t.Error("a section is missing where there is nothing to say")
	}
	told(t, c, "Ni", 70, 3)
	if err := c.Sign("Grace", "statistician", "ada"); err != nil {
		t.Fatal(err)
	}
	if err := c.DropWith("Pd", campaign.Consent{Why: "sold out", By: "Grace"}, "ada"); err != nil {
		t.Fatal(err)
	}
	r, page := html(t, c)
	if a := r.Amendments(); len(a) != 1 || a[0].Text != "Pd is not available: sold out (agreed by Grace)" {
		t.Errorf("%+v", a)
	}
	for _, want := range []string{"sold out (agreed by Grace)", "<td>Grace</td><td>statistician</td>",
		"This signature is stale", "1 result was looked at", "after event 2"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
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
