package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	unescape "html"
	"regexp"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign/internal/stories"
	"github.com/purexp/purexp/pkg/campaign/report"
)

var (
	unread = regexp.MustCompile(`(?s)<style.*?</style>|<script.*?</script>|<!--.*?-->`)
	breaks = regexp.MustCompile(`</(p|h\d|li|tr|td|th|div|text|title|figcaption|caption|summary|dt|dd)>|<br */?>`)
	tags   = regexp.MustCompile(`(?s)<[^>]*>`)
	spaces = regexp.MustCompile(`[ \t]+`)
)

// read returns the words of a page, a line for each that stands apart.
func read(page string) string {
	page = tags.ReplaceAllString(breaks.ReplaceAllString(unread.ReplaceAllString(page, ""), "\n"), "")
	var out strings.Builder
	for line := range strings.Lines(spaces.ReplaceAllString(unescape.UnescapeString(page), " ")) {
		if line = strings.TrimSpace(line); line != "" {
			out.WriteString(line + "\n")
		}
	}
	return golden.Steady(out.String())
}

// What the report and the certificate of a campaign with a frozen protocol say, in the middle and at the end, is in testdata.
func TestStory(t *testing.T) {
	var out strings.Builder
	s := stories.Begin(t, "frozen", 3)
	say := func(when string) {
		r, err := report.NewViewer(s.C).Report()
		if err != nil {
			t.Fatal(err)
		}
		var page, certificate bytes.Buffer
		if err := r.HTML(&page); err != nil {
			t.Fatal(err)
		}
		err = r.Certificate(&certificate)
		view, _ := json.Marshal(struct {
			Columns, Bounds, Plate, Newcomer, Evaluable, Members any
		}{r.Columns, r.Bounds, r.Plate, r.Newcomer, r.View.Evaluable, r.Members})
		fmt.Fprintf(&out, "== %s\n%s\n%s%s== certificate: %v\n%s", when, view, report.Table(&r.Status).Text(), read(page.String()),
			err, read(certificate.String()))
	}
	for range 12 {
		s.Step()
	}
	say("after 12 steps")
	s.Finish(12)
	say("at the end")
	golden.Check(t, "frozen.txt", golden.Steady(out.String()))
}
