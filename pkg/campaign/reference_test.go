package campaign

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// referenced is the problem of coupling with plates of eight wells, two of which hold a reference.
func referenced(t *testing.T, name string) *problem.Problem {
	t.Helper()
	p := coupling(t)
	p.Laboratory = problem.Laboratory{Plate: 8, Reference: name, ReferenceWells: 2}
	must(t, p.Validate())
	return p
}

// The last tickets of each plate are for its reference wells. The policy chooses as if the plate were smaller, and
// receives no reference results, even if the reference is a candidate.
func TestReference(t *testing.T) {
	for _, name := range []string{"DMSO", "B02"} {
		c, bare := beginWith(t, referenced(t, name)), begin(t)
		rnd := rand.New(rand.NewPCG(1, 2))
		plates := 0
		for {
			tickets, own := ask(t, c, 8), ask(t, bare, 6)
			if len(tickets) == 0 {
				break
			}
			plates++
			if len(tickets) != len(own)+2 {
				t.Fatalf("%d tickets; want %d and two", len(tickets), len(own))
			}
			for i, x := range tickets {
				if i >= len(own) {
					if !x.Reference || x.Arm != name {
						t.Fatalf("%+v; want the reference", x)
					}
					tell(t, c, Result{Ticket: x.Ticket, Values: []float64{50 + rnd.Float64(), 1}})
					continue
				}
				if x.Reference || x.Arm != own[i].Arm {
					t.Fatalf("%+v; without the reference the ticket is for %s", x, own[i].Arm)
				}
				r := measure(rnd, x)
				tell(t, c, r)
				r.Ticket = own[i].Ticket
				tell(t, bare, r)
			}
		}
		s, want := status(t, c), status(t, bare)
		if s.Headline != want.Headline || fmt.Sprint(s.Arms) != fmt.Sprint(want.Arms) {
			t.Errorf("%s: %s\n%v; without it %s\n%v", name, s.Headline, s.Arms, want.Headline, want.Arms)
		}
		if f := s.Reference; f.Name != name || f.Told != 2*plates || f.Failed+f.Pending > 0 || f.Missing != nil {
			t.Errorf("%+v after %d plates", f, plates)
		}
		if s.Evidence.Results != want.Evidence.Results || s.Evidence.E == want.Evidence.E {
			t.Errorf("the monitors saw %+v; without it %+v", s.Evidence, want.Evidence)
		}
		verified(t, c)
		imports(t, c)
	}
}

// imports checks that a record restores the same campaign, and that the table marks results of the reference.
func imports(t *testing.T, c *Campaign) {
	t.Helper()
	var record, table bytes.Buffer
	must(t, c.Export(&record))
	again, err := Import(t.TempDir()+"/again.campaign", &record)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if a, b := fmt.Sprintf("%+v", *status(t, c).Reference), fmt.Sprintf("%+v", *status(t, again).Reference); a != b {
		t.Errorf("imported: %s; want %s", b, a)
	}
	must(t, c.ExportCSV(&table))
	if n := strings.Count(table.String(), ",reference,"); n != status(t, c).Reference.Told {
		t.Errorf("the table has %d results of the reference", n)
	}
}

// If the results of the reference depend on the plate, the certificate is withdrawn, even if no candidate has a
// result.
func TestReferencePlates(t *testing.T) {
	c := beginWith(t, referenced(t, "DMSO"))
	for i := range 8 {
		offset := 10 * float64(i%2)
		for _, x := range ask(t, c, 8) {
			if x.Reference {
				tell(t, c, Result{Ticket: x.Ticket, Values: []float64{20 + offset, 1}})
			} else {
				tell(t, c, Result{Ticket: x.Ticket, Failed: true})
			}
		}
	}
	s := status(t, c)
	if s.Used != 0 || !s.Evidence.Withdrawn() ||
		!strings.Contains(s.Evidence.Text, "yield of the reference depend on the plate") {
		t.Errorf("%+v", s.Evidence)
	}
}

// A worksheet lists reference wells and accepts their results; a warning names plates without reference results.
func TestReferenceSheet(t *testing.T) {
	p := referenced(t, "DMSO")
	c := beginWith(t, p)
	var sheet bytes.Buffer
	tickets := ask(t, c, 8)
	must(t, WriteSheet(&sheet, p, tickets))
	lines := strings.Split(strings.TrimSpace(sheet.String()), "\n")
	if len(lines) != 9 || lines[7] != "1,7,DMSO,,,reference" || lines[8] != "1,8,DMSO,,,reference" {
		t.Fatalf("the worksheet:\n%s", &sheet)
	}
	filled := slices.Clone(lines)
	for i := range filled[1:] {
		filled[i+1] = strings.Replace(filled[i+1], ",,", ",70,2", 1)
	}
	filled[8] = lines[8] // not measured yet
	r, err := c.TellSheet("plate-1.csv", []byte(strings.Join(filled, "\n")), "Ada")
	if err != nil || r.Used != 6 || r.Reference != 1 || r.Failed != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	s := status(t, c)
	const want = "Results of the reference, DMSO, are missing on plates that have other results: 1."
	if s.Pending != 1 || s.Reference.Pending != 1 || !slices.Equal(s.Reference.Missing, []int{1}) ||
		!strings.HasPrefix(strings.Join(s.Warnings, " "), want) {
		t.Errorf("%+v, %q", s.Reference, s.Warnings)
	}
	filled[8] = "1,8,DMSO,failed,,"
	if r, err = c.TellSheet("plate-1.csv", []byte(strings.Join(filled, "\n")), "Ada"); err != nil || r.Failed != 1 ||
		r.Repeated != 7 {
		t.Errorf("%+v, %v", r, err)
	}
	if s := status(t, c); s.Reference.Failed != 1 || s.Reference.Pending != 0 || !slices.Equal(s.Reference.Missing, []int{1}) {
		t.Errorf("a reference well failed: %+v", s.Reference)
	}
	var table bytes.Buffer // a batch skips reference wells, even failed ones
	must(t, c.ExportCSV(&table))
	if r, err := beginWith(t, p).TellBatch("old", "old.csv", table.Bytes(), "Ada"); err != nil || r.Used+r.Unused != 6 || r.Failed != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	list, err := c.Events(0)
	if err != nil || list[1].Text != "plate 1, tickets 1 to 8, 2 for the reference DMSO" ||
		list[2].Text != "7 results, 1 of reference wells" {
		t.Errorf("%v, %v", list, err)
	}
	// After an undo, the wells are pending again.
	must(t, c.Undo(3, "another plate", "Ada"))
	if s := status(t, c); s.Reference.Told != 0 || s.Reference.Pending != 1 || s.Used != 0 {
		t.Errorf("%+v", s.Reference)
	}
	// A request of one measurement has no reference wells.
	if one := ask(t, c, 1); len(one) != 1 || one[0].Reference {
		t.Errorf("%+v", one)
	}
}

// The certificate checker does not count results of the reference, even if the reference is a candidate.
func TestReferenceCertificate(t *testing.T) {
	needPython(t)
	p := referenced(t, "B02")
	p.Method.Name = "e-cAPE"
	c := beginWith(t, p)
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		tickets := ask(t, c, 8)
		if len(tickets) == 0 {
			break
		}
		for _, x := range tickets {
			tell(t, c, measure(rnd, x))
		}
	}
	if s := status(t, c); !s.Done() {
		t.Fatal(s.Headline)
	}
	if says, code := checked(t, certificate(t, c)); code != 0 {
		t.Error(says)
	}
}
