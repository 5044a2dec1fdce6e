package workbench

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/report"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/nb"
	"github.com/purexp/purexp/pkg/nb/internal/cell"
	"github.com/purexp/purexp/pkg/tidy"
)

// Campaign is an open campaign in a notebook, with frames for requests and results. Other notebooks
// and the command purexp can use the same file at the same time.
type Campaign struct {
	// Who is the author's name in the record.
	Who string

	c *campaign.Campaign
}

// Open opens the campaign of q in the file at path; if the file does not exist, Open starts a
// campaign:
//
//	var search = workbench.Open("catalysts.campaign", nb.On(table, "catalyst").Max("yield", nb.SD(2)).Best())
//
//	%%
//	nb.ShowFrame("Measure", search.Ask(8))
//
// If the file contains a campaign of a different problem, Open ends the cell with an error.
func Open[Q Question](path string, q Q) *Campaign {
	p := problemOf(q)
	return open(path, p, p)
}

// OpenWith works like Open, but includes measurements from before the campaign: the frame results
// has one measurement in each row. The argument batch, such as "last year", names the table, so
// that the rows are not recorded again if the cell runs again. Unless the problem names a method,
// OpenWith starts the campaign with a method whose guarantee also covers measurements that the
// method did not request. Afterwards, Status shows the answer or the undecided candidates, and Ask
// requests further measurements for the undecided candidates:
//
//	var q = nb.On(nb.Means(raw, "compound"), "compound").Max("activity", nb.SD(0.4)).Best()
//	var search = workbench.OpenWith("assay.campaign", q, "last year", raw)
//
// The query must state the noise, because noise estimated from the same rows would weaken the
// guarantee.
func OpenWith[Q Question](path string, q Q, batch string, results nb.Frame) *Campaign {
	p := problemOf(q)
	for _, o := range p.Objectives {
		if _, query := any(q).(nb.Query); query && o.Noise.Pilot != nil {
			nb.Fail(fmt.Errorf("workbench: OpenWith: the noise of %s is estimated from the rows of the table, so the "+
				"rows cannot also be evidence; state the noise, for example Max(%[1]q, nb.SD(2))", o.Name))
		}
	}
	with := p.Clone()
	if with.Method.Name == "" {
		with.Method.Name = with.AnySampling()
	}
	b := open(path, p, with)
	if r := b.tell(batch, results); r.Used+r.Failed+r.Unused > 0 {
		received(r)
	}
	return b
}

// open opens the campaign of p at path, or, if the file does not exist, starts a campaign of the
// problem in the argument begun.
func open(path string, p, begun *problem.Problem) *Campaign {
	b := &Campaign{Who: "notebook"}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		nb.Fail(os.MkdirAll(filepath.Dir(path), 0o755))
		b.c = nb.Must(campaign.Create(path, begun, b.Who))
		return b
	}
	b.c = nb.Must(campaign.Open(path))
	nb.Fail(b.c.Check(p))
	return b
}

// Practice returns the path of a campaign file for an exercise with a simulated laboratory; the
// file is in the folder of cached rows (see [nb.Simulate]).
func Practice(name string) string {
	return filepath.Join(nb.Must(cell.Folder()), "practice", name+".campaign")
}

// StartOver deletes the campaign of an exercise (see Practice); for other files, it ends the cell
// with an error.
func StartOver(path string) {
	if filepath.Dir(path) != filepath.Dir(Practice("x")) {
		nb.Fail(fmt.Errorf("workbench: StartOver: %s is not the file of an exercise "+
			"(workbench.Practice); if you do not need its record, remove the file yourself", path))
	}
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			nb.Fail(err)
		}
	}
}

// Close closes the campaign file; the file is also closed when a cell ends.
func (b *Campaign) Close() { nb.Fail(b.c.Close()) }

// Ask requests a plate of at most n measurements as a worksheet, with one measurement in each row
// and empty cells for the results. If Ask returns no rows, either no measurement is useful until
// pending results arrive, or the campaign has ended; Status shows which is the case. If results of
// earlier plates are missing, for example because a cell ran twice, Ask prints a hint on how to
// withdraw the new plate.
func (b *Campaign) Ask(n int) nb.Frame {
	tickets, missing := nb.Must(b.c.Ask(n, b.Who)), 0
	var plates []string
	for _, t := range nb.Must(b.c.Tickets(campaign.Pending)) {
		if len(tickets) > 0 && t.Event == tickets[0].Event {
			continue
		}
		missing++
		if plate := fmt.Sprint("plate ", t.Plate); !slices.Contains(plates, plate) {
			plates = append(plates, plate)
		}
	}
	if missing > 0 {
		text := fmt.Sprintf("%d results of %s are missing; `Pending()` lists them.", missing, problem.Listed(plates))
		if len(tickets) > 0 {
			text += fmt.Sprintf(" If you ran this cell twice by mistake, `Undo(%d, \"asked twice\")` withdraws the new plate.",
				tickets[0].Event)
		}
		nb.Markdown("%s", text)
	}
	return b.worksheet(tickets)
}

// Pending returns the worksheet of all pending measurements.
func (b *Campaign) Pending() nb.Frame { return b.worksheet(nb.Must(b.c.Tickets(campaign.Pending))) }

func (b *Campaign) worksheet(tickets []campaign.Ticket) nb.Frame {
	p := nb.Must(b.c.Problem())
	p = p.Clone()
	p.Candidates.Separator = "" // frames use commas
	return readFrame(func(text *bytes.Buffer) error { return campaign.WriteSheet(text, p, tickets) })
}

// Tell reports the results in a worksheet, one per row: numbers in the units of the problem, or
// "failed". Rows with empty cells are skipped, and can be reported later. A row without a ticket is
// a result that was not requested; it needs a candidate and a unique id, such as a page of the
// laboratory book. If one row is invalid, Tell records no results and ends the cell with an error.
func (b *Campaign) Tell(results nb.Frame) {
	received(b.tell("", results))
}

// tell reports the results in a table: as a batch or, if the argument batch is empty, as a
// worksheet.
func (b *Campaign) tell(batch string, results nb.Frame) campaign.Receipt {
	r, err := b.c.TellBatch(batch, "the table", nb.Must(frame.CSV(results)), b.Who)
	return nb.Must(r, cell.Rows(err, "the table"))
}

// received shows how reported results were used.
func received(r campaign.Receipt) {
	words := []string{fmt.Sprintf("%d used", r.Used)}
	for _, x := range []struct {
		n    int
		what string
	}{{r.Failed, "failed"}, {r.Unused, "recorded, but not used"}, {r.Repeated, "reported before"}} {
		if x.n > 0 {
			words = append(words, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	nb.Markdown("Results: %s. The campaign is %s.", strings.Join(words, ", "), r.Status)
	for _, note := range r.Notes {
		nb.Markdown("Note: %s.", note)
	}
}

// Run lets the laboratory lab measure plates of n measurements, until the campaign has ended, or
// the number of requested measurements reaches the limit most.
func (b *Campaign) Run(lab Laboratory, n, most int) {
	for asked := 0; asked < most; {
		tickets := nb.Must(b.c.Ask(min(n, most-asked), b.Who))
		asked += len(tickets)
		results := lab.results(b)
		if len(results) == 0 {
			return
		}
		nb.Must(b.c.Tell(results, lab.name()))
	}
}

// Undo undoes an event of the record; to see the events, use History.
func (b *Campaign) Undo(event int, why string) { nb.Fail(b.c.Undo(event, why, b.Who)) }

// Drop removes a candidate from the question of the campaign.
func (b *Campaign) Drop(candidate, why string) { nb.Fail(b.c.Drop(candidate, why, b.Who)) }

// Status shows the state of the campaign: a summary, a table of candidates with estimates,
// intervals, verdicts and reasons, and the scope of the guarantee.
func (b *Campaign) Status() {
	s := nb.Must(b.c.Status())
	nb.Show(report.Table(&s))
}

// Frame returns the state of each candidate as a row: verdict, measurements, and for each objective
// the estimate with the ends of its interval.
func (b *Campaign) Frame() nb.Frame { return b.arms(func(campaign.ArmStatus) bool { return true }) }

// Answer returns, in the form of Frame, the candidates in the answer or, until the campaign has
// finished, in the best guess.
func (b *Campaign) Answer() nb.Frame {
	return b.arms(func(a campaign.ArmStatus) bool { return a.Chosen })
}

func (b *Campaign) arms(which func(campaign.ArmStatus) bool) nb.Frame {
	s := nb.Must(b.c.Status())
	t := &tidy.Table{Columns: tidy.Columns("candidate", "verdict", "used", "pending", "failed")}
	for _, o := range s.Objectives {
		for _, end := range []string{"", " low", " high"} {
			t.Columns = append(t.Columns, tidy.Column{Name: o + end})
		}
	}
	t.Columns = append(t.Columns, tidy.Column{Name: "why"})
	for _, a := range s.Arms {
		if !which(a) {
			continue
		}
		row := []any{a.Arm, a.Verdict, a.Used, a.Pending, a.Failed}
		for c := range s.Objectives {
			row = append(row, a.Estimate[c], a.Low[c], a.High[c])
		}
		t.Rows = append(t.Rows, append(row, a.Why))
	}
	return nb.Must(frame.OfTable(t))
}

// Finished reports whether no more measurements are needed, because the guarantee holds or a fixed
// budget is spent.
func (b *Campaign) Finished() bool {
	s := nb.Must(b.c.Status())
	return s.Over()
}

// Results returns all results in the form in which they were reported, one per row.
func (b *Campaign) Results() nb.Frame {
	return readFrame(func(text *bytes.Buffer) error { return b.c.ExportCSV(text) })
}

// History returns the record as a frame: what happened, who did it, and what was undone.
func (b *Campaign) History() nb.Frame {
	t := &tidy.Table{Columns: tidy.Columns("event", "who", "what", "undone by")}
	for _, e := range nb.Must(b.c.Events(0)) {
		var undone any
		if e.Undone > 0 {
			undone = e.Undone
		}
		t.Rows = append(t.Rows, []any{e.Seq, e.Who, e.Text, undone})
	}
	return nb.Must(frame.OfTable(t))
}

// Plot shows the estimates of the candidates with intervals and verdicts, and the feasible region,
// in the plane of two objectives. The two objectives are those named or, without names, the first
// two. If there is only one objective, Plot shows the candidates in order.
func (b *Campaign) Plot(objectives ...string) {
	v := nb.Must(report.NewViewer(b.c).View())
	at := [2]int{0, min(1, len(v.Columns)-1)}
	if n := len(objectives); n != 0 && n != 2 {
		nb.Fail(fmt.Errorf("workbench: Plot: %d objectives, %q; expected two", n, objectives))
	}
	for i, name := range objectives {
		at[i] = slices.IndexFunc(v.Columns, func(o report.Column) bool { return o.Name == name })
		if at[i] < 0 {
			nb.Fail(fmt.Errorf("workbench: Plot: no objective %q; the objectives are %q", name, v.Objectives))
		}
	}
	nb.Draw(v.PlaneFigure(at[0], at[1], report.Wide))
}

// PlotEffort shows, for each candidate, how many measurements were used, are pending, or were lost
// (failed or not used).
func (b *Campaign) PlotEffort() {
	nb.Draw(nb.Must(report.NewViewer(b.c).View()).EffortFigure(report.Wide))
}
