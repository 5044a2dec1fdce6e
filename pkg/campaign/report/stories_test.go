package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	unescape "html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/report"
)

var (
	unread = regexp.MustCompile(`(?s)<style.*?</style>|<script.*?</script>|<!--.*?-->`)
	breaks = regexp.MustCompile(`</(p|h\d|li|tr|td|th|div|text|title|figcaption|caption|summary|dt|dd)>|<br */?>`)
	images = regexp.MustCompile(`<img[^>]* alt="([^"]*)"[^>]*>`)
	tags   = regexp.MustCompile(`(?s)<[^>]*>`)
	spaces = regexp.MustCompile(`[ \t]+`)
)

// read returns the text of a page, with a line for each separate block.
func read(page string) string {
	page = tags.ReplaceAllString(images.ReplaceAllString(breaks.ReplaceAllString(unread.ReplaceAllString(page, ""), "\n"), "[$1]\n"), "")
	var out strings.Builder
	for line := range strings.Lines(spaces.ReplaceAllString(unescape.UnescapeString(page), " ")) {
		if line = strings.TrimSpace(line); line != "" {
			out.WriteString(line + "\n")
		}
	}
	return golden.Steady(out.String())
}

// The texts of the report and the certificate of a campaign with a frozen protocol, in the middle
// and at the end, are in testdata.
func TestStory(t *testing.T) {
	var out strings.Builder
	c := begin(t, `protocol = "frozen"
question = { find = "good", delta = 0.1 }
candidates = { names = ["A", "B", "C"] }
objective = [{ name = "yield", unit = "mg", values = [0, 100], noise = { sd = 4 }, tolerance_percent = 40 }]
`)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	say := func(when string) {
		r, err := report.NewViewer(c).Report()
		must(err)
		var page, certificate bytes.Buffer
		must(r.HTML(&page))
		err = r.Certificate(&certificate)
		view, _ := json.Marshal(struct {
			Columns, Bounds, Plate, Newcomer, Evaluable, Members any
		}{r.Columns, r.Bounds, r.Plate, r.Newcomer, r.View.Evaluable, r.Members})
		fmt.Fprintf(&out, "== %s\n%s\n%s%s== certificate: %v\n%s", when, view, report.Table(&r.Status).Text(), read(page.String()),
			err, read(certificate.String()))
	}
	plates := func(n int) {
		for i := range n {
			_, err := c.Ask(9, "robot")
			must(err)
			tickets, err := c.Tickets(campaign.Pending)
			must(err)
			var results []campaign.Result
			for j, x := range tickets {
				r := campaign.Result{Ticket: x.Ticket, Failed: j == 8 && i%3 == 0}
				if !r.Failed {
					r.Values = []float64{map[string]float64{"A": 40, "B": 80, "C": 10}[x.Arm] + float64((7*i+5*j)%9-4)}
				}
				results = append(results, r)
			}
			if results != nil {
				_, err = c.Tell(results, "Eve")
				must(err)
			}
		}
	}
	plates(1)
	must(c.Sign("Ada", "statistician", "Eve"))
	must(c.UndoWith(3, campaign.Consent{Why: "plates were swapped"}, "Ada"))
	say("in the middle")
	plates(6)
	must(c.SignSeen(0, "Ada", "", "Eve"))
	must(c.DropWith("C", campaign.Consent{Why: "sold out", By: "Bob"}, "Ada"))
	say("at the end")
	golden.Check(t, "frozen.txt", golden.Steady(out.String()))
	out.Reset()
	const counts = `question = { find = "pareto", delta = 0.1 }
candidates = { names = ["A", "B", "C"] }
objective = [{ name = "cells", noise = { counts = 12, of = "wells", evaluable = "read" }, amounts = "rates", at_least = 0.5 },
  { name = "dead", goal = "minimise", noise = { counts = 12, evaluable = "read" } }]
constraint = [{ name = "sum", terms = { cells = 1, dead = -2 }, at_most = 5, slack = 0.5 }]
`
	for _, x := range []struct {
		toml   string
		values []float64
	}{{two, []float64{70, 3}}, {counts, []float64{3, 2}},
		{strings.Replace(one, "{ sd = 1 }", "{ pilot = { rewards = 2, delta = 0.01 } }\nvalues = [0, 90]", 1), []float64{7}}} {
		c = begin(t, x.toml)
		say("without results")
		p, err := c.Problem()
		must(err)
		for i := range 9 {
			values := slices.Clone(x.values)
			values[i%len(values)] += float64(i / p.K())
			told(t, c, p.Candidates.Names[i%p.K()], values...)
		}
		say("with results")
	}
	golden.Check(t, "reports.txt", golden.Steady(out.String()))
}
