package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/report"
)

// A report draws each pair of four objectives; of five it draws six, and says that there are more.
func TestPlanesOfAReport(t *testing.T) {
	for d, want := range map[int]int{1: 1, 2: 1, 3: 3, 4: 6, 5: 6} {
		find := "pareto"
		if d == 1 {
			find = "best"
		}
		text := fmt.Sprintf("question = {find = %q, delta = 0.05}\ncandidates = {names = [\"A\", \"B\"]}\n", find)
		for i := range d {
			text += fmt.Sprintf("[[objective]]\nname = \"y%d\"\nnoise = {sd = 1}\n", i)
		}
		r, err := report.NewViewer(begin(t, text)).Report()
		if err != nil {
			t.Fatal(err)
		}
		var page bytes.Buffer
		if err := r.HTML(&page); err != nil {
			t.Fatal(err)
		}
		more := strings.Contains(page.String(), "Further pairs of objectives are not drawn")
		// The figure of the effort is one, too.
		if n := strings.Count(page.String(), "<figure>") - 1; n != want || more != (d > 4) {
			t.Errorf("%d objectives: %d planes; want %d. It says that there are more: %v", d, n, want, more)
		}
	}
}

// A report has all events, also when the one before it was made just before the last of them.
func TestRecordOfAReport(t *testing.T) {
	c := begin(t, two)
	v := report.NewViewer(c)
	for n := 1; n < 4; n++ {
		r, err := v.Report()
		if err != nil || len(r.Record) != n || r.Record[n-1].Seq != r.Event {
			t.Fatalf("%d events, %v; want %d", len(r.Record), err, n)
		}
		if _, err := c.Ask(1, "ada"); err != nil {
			t.Fatal(err)
		}
	}
}
