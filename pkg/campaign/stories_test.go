package campaign_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign"
)

// said returns a status as JSON, without the parts that differ from run to run.
func said(t *testing.T, s campaign.Status) string {
	t.Helper()
	s.ID, s.Hash = "", ""
	for i := range s.Signatures {
		s.Signatures[i].At, s.Signatures[i].Hash = "", ""
	}
	for i := range s.Amendments {
		s.Amendments[i].At = ""
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// same reports differences between a campaign and its reopened and imported copies, and errors of Verify.
func same(t *testing.T, c *campaign.Campaign) {
	t.Helper()
	was, err := c.Status()
	if err != nil {
		t.Fatal(err)
	}
	again, err := campaign.Open(c.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	var text bytes.Buffer
	if err := again.Export(&text); err != nil {
		t.Fatal(err)
	}
	other, err := campaign.Import(filepath.Join(t.TempDir(), "other.campaign"), bytes.NewReader(text.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for what, c := range map[string]*campaign.Campaign{"opened again": again, "imported": other} {
		is, err := c.Status()
		if err != nil || said(t, is) != said(t, was) || is.Hash != was.Hash {
			t.Errorf("%s: %v\n%s\nwas\n%s", what, err, said(t, is), said(t, was))
		}
		v, err := campaign.Verify(context.Background(), c.Path())
		if err != nil || !v.OK() || len(v.Notes) > 0 || v.Events != was.Event || v.Hash != was.Hash {
			t.Errorf("%s: verify: %+v, %v", what, v, err)
		}
	}
}

// After any sequence of actions, the status of a campaign agrees with a simple model. The status is the same in a
// second open copy of the campaign, after reopening, and after an import. The texts equal the texts in testdata.
func TestStories(t *testing.T) {
	for _, name := range taleNames {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			s := beginTale(t, name, 1)
			s.log = func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
			beside, err := campaign.Open(s.c.Path())
			if err != nil {
				t.Fatal(err)
			}
			defer beside.Close()
			show := func(what string) {
				st, err := s.c.Status()
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&out, "\t%s: %s %s\n", what, st.Status, st.Headline)
				other, err := beside.Status()
				if err != nil || said(t, other) != said(t, st) {
					t.Errorf("%s: in another file: %v\n%s\nwant\n%s", what, err, said(t, other), said(t, st))
				}
			}
			for i := range 60 {
				s.step()
				show(fmt.Sprint(i))
				if i%20 == 10 {
					same(t, s.c)
				}
				if i%7 == 3 { // continue with the other open copy of the campaign
					s.c, beside = beside, s.c
				}
			}
			s.finish(30)
			show("end")
			same(t, s.c)
			full(t, &out, s.c)
			if name == "frozen" {
				golden.Check(t, name+".txt", golden.Steady(out.String()))
			}
		})
	}
}

// full writes all texts of a campaign.
func full(t *testing.T, out *strings.Builder, c *campaign.Campaign) {
	t.Helper()
	st, err := c.Status()
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range []struct {
		what  string
		lines []string
	}{{"guarantee", st.Guarantee}, {"warnings", st.Warnings}} {
		for _, line := range list.lines {
			fmt.Fprintf(out, "%s: %s\n", list.what, line)
		}
	}
	fmt.Fprintf(out, "excess: %s\ncertifiable: %v\n", st.Excess(), st.Certifiable())
	for _, g := range st.Signatures {
		fmt.Fprintf(out, "signature: %s\n", g.String())
	}
	for _, a := range st.Amendments {
		fmt.Fprintf(out, "amendment: %s\n", a.String())
	}
	arms := st.Arms
	st.Arms, st.Guarantee, st.Warnings, st.Signatures, st.Amendments = nil, nil, nil, nil, nil
	fmt.Fprintf(out, "status: %s\n", said(t, st))
	for _, a := range arms {
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(out, "candidate: %s\n", text)
	}
	sure, ok, err := c.Sure()
	fmt.Fprintf(out, "sure: %v %v %s\n", ok, err, sure)
	answer, final, err := c.Answer()
	fmt.Fprintf(out, "answer: %v %v %v\n", answer, final, err)
	batches, err := c.Rewards()
	fmt.Fprintf(out, "rewards: %+v %v\n", batches, err)
	events, err := c.Events(1)
	if err != nil || events[0].Seq != 2 {
		t.Fatal(err)
	}
	for _, e := range events {
		fmt.Fprintf(out, "event %d by %s, undone by %d: %s: %s\n", e.Seq, e.Who, e.Undone, e.Kind, e.Text)
	}
	// The table contains exactly the reported results and failures.
	var table strings.Builder
	if err := c.ExportCSV(&table); err != nil {
		t.Fatal(err)
	}
	records := slices.Collect(strings.Lines(table.String()))
	fmt.Fprintf(out, "%s%s", records[0], strings.Join(records[max(1, len(records)-30):], ""))
	rows, err := csv.NewReader(strings.NewReader(table.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	counts, summed := map[string]int{}, slices.Index(rows[0], "replicates")
	for _, r := range rows[1:] {
		n := 1
		if summed > 0 && r[7] == "told" {
			n, _ = strconv.Atoi(r[summed])
		}
		counts[r[7]] += n
	}
	if st.Reference != nil && counts["reference"] != st.Reference.Told+st.Reference.Failed {
		t.Errorf("%v in the table; want %+v", counts, st.Reference)
	}
	if counts["told"] != st.Used+st.Unused || counts["failed"] != st.Failed {
		t.Errorf("%v in the table; want %d told and %d failed", counts, st.Used+st.Unused, st.Failed)
	}
	// Write the worksheet of the last five tickets, and the certificate after its events.
	p, err := c.Problem()
	if err != nil {
		t.Fatal(err)
	}
	tickets, err := c.Tickets()
	if err != nil {
		t.Fatal(err)
	}
	var sheet strings.Builder
	if err := campaign.WriteSheet(&sheet, p, tickets[max(0, len(tickets)-5):]); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(out, "%s", sheet.String())
	var certificate strings.Builder
	if err := c.Certificate(&certificate); err != nil {
		fmt.Fprintf(out, "certificate: %v\n", err)
		return
	}
	lines := slices.Collect(strings.Lines(certificate.String()))
	for _, line := range lines[st.Event+1:] {
		out.WriteString(line)
	}
}

// Stories with other random seeds must satisfy the same invariants.
func TestMoreStories(t *testing.T) {
	seeds, steps := 1, 40
	if !testing.Short() {
		seeds, steps = 10, 200
	}
	for _, name := range taleNames {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range seeds {
				s := beginTale(t, name, uint64(100+seed))
				for i := range steps {
					s.step()
					if i%40 == 20 {
						same(t, s.c)
					}
				}
				s.finish(10)
				same(t, s.c)
			}
		})
	}
}
