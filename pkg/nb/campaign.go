package nb

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/plan/planview"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/report"
	"github.com/purexp/purexp/pkg/tidy"
)

// Tables are the tables that a problem names, by the names that it has for them.
type Tables map[string]Frame

// Problem reads a problem in the form of problem files, see package campaign/problem. Tables that
// it names are frames:
//
//	var task = nb.Problem(text, nb.Tables{"catalysts.csv": catalysts})
func Problem(text string, tables Tables) *problem.Problem {
	return Must(problem.Parse("problem", []byte(text), func(name string) ([]byte, error) {
		df, ok := tables[name]
		if !ok {
			return nil, fmt.Errorf("nb: the problem names the table %q; give it in nb.Tables", name)
		}
		return sheet(df)
	}))
}

// sheet writes df as CSV, numbers with all their digits and what is missing as an empty cell.
func sheet(df Frame) ([]byte, error) {
	t, err := FrameTable("", df)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	row := df.Names()
	if err := out.Write(row); err != nil {
		return nil, err
	}
	for _, cells := range t.Rows {
		for j, v := range cells {
			switch v := v.(type) {
			case nil:
				row[j] = ""
			case float64:
				row[j] = ""
				if !math.IsNaN(v) {
					row[j] = strconv.FormatFloat(v, 'g', -1, 64)
				}
			default:
				row[j] = fmt.Sprint(v)
			}
		}
		if err := out.Write(row); err != nil {
			return nil, err
		}
	}
	out.Flush()
	return text.Bytes(), out.Error()
}

// frame reads what write writes as CSV.
func frame(write func(text *bytes.Buffer) error) Frame {
	var text bytes.Buffer
	Fail(write(&text))
	return Must(tidy.ParseCSV(&text, "campaign"))
}

// Plan simulates the campaign of p before it begins, with the guessed means of its table, and shows
// how many measurements it will take, where they go, and what would change it. Changes are written
// as "delta=0.1", "plate=96" or "yield.tolerance=2"; without any, the usual ones are looked at. The
// number of simulated campaigns is 200, or what PUREXP_REPS says.
func Plan(p *problem.Problem, changes ...string) *plan.Plan {
	o := &plan.Options{Runs: Reps(200), Seed: 1}
	for _, text := range changes {
		o.Changes = append(o.Changes, Must(plan.ParseChange(text)))
	}
	bar, start := newProgress("plan"), time.Now()
	o.Progress = func(done, total int) { bar.update(done, total, time.Since(start)) }
	r, err := plan.Simulate(context.Background(), p, o)
	bar.done(err)
	Fail(err)
	Show(planview.Table(r))
	Draw(planview.Figure(r))
	return r
}

// PlanFrame returns the table of a plan as a frame.
func PlanFrame(p *plan.Plan) Frame { return Must(planview.Table(p).Frame()) }

// A Bench is a campaign in a notebook: what is asked for and told are frames. Other notebooks, the
// command purexp campaign and its page can work with the same file at the same time.
type Bench struct {
	// Who is who asks and tells, for the record.
	Who string

	c *campaign.Campaign
}

// Campaign goes on with the campaign of p in the file at path, or begins it if there is no file:
//
//	var bench = nb.Campaign("catalysts.campaign", task)
//
//	%%
//	nb.ShowFrame("Measure", bench.Ask(8))
//
// A file with the campaign of another problem is refused.
func Campaign(path string, p *problem.Problem) *Bench {
	b := &Bench{Who: "notebook"}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		Fail(os.MkdirAll(filepath.Dir(path), 0o755))
		b.c = Must(campaign.Create(path, p, b.Who))
		return b
	}
	b.c = Must(campaign.Open(path))
	Fail(b.c.Check(p))
	return b
}

// Practice returns the path of a file for a campaign that is an exercise: with a simulated
// laboratory, to be thrown away. It lies where rows of simulations do, see [Simulate].
func Practice(name string) string {
	return filepath.Join(Must(cacheFolder()), "practice", name+".campaign")
}

// StartOver throws the campaign of an exercise away, see Practice. Files elsewhere are refused:
// records of real campaigns are kept.
func StartOver(path string) {
	if filepath.Dir(path) != filepath.Dir(Practice("x")) {
		Fail(fmt.Errorf("nb: StartOver: %s is not an exercise (nb.Practice); remove the file "+
			"yourself if its record is not needed", path))
	}
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			Fail(err)
		}
	}
}

// Close ends the use of the file. The end of a cell does so, too.
func (b *Bench) Close() { Fail(b.c.Close()) }

// Engine returns the campaign itself, for what a Bench has no method for.
func (b *Bench) Engine() *campaign.Campaign { return b.c }

// Ask hands out a plate of at most n measurements, as a worksheet: a row each, with empty cells for
// the results. No rows mean that nothing is worth measuring before what is pending is told, or
// that the campaign has ended: see Status.
func (b *Bench) Ask(n int) Frame { return b.worksheet(Must(b.c.Ask(n, b.Who))) }

// Pending returns the worksheet of all that was asked for and has no result yet.
func (b *Bench) Pending() Frame { return b.worksheet(Must(b.c.Tickets(campaign.Pending))) }

func (b *Bench) worksheet(tickets []campaign.Ticket) Frame {
	p := Must(b.c.Problem())
	return frame(func(text *bytes.Buffer) error { return campaign.WriteSheet(text, p, tickets) })
}

// Tell takes the results of a worksheet: one a row, with numbers in the units of the problem, or
// "failed". Rows with empty cells are not measured yet, and left for later. Rows without a ticket
// are results that nobody asked for: they have a candidate and an id that no other one has, such as
// the page of a laboratory book. If anything is wrong, nothing is taken.
func (b *Bench) Tell(results Frame) {
	text := Must(sheet(results))
	r := Must(b.c.TellSheet("results", text, b.Who))
	words := []string{fmt.Sprintf("%d used", r.Used)}
	for _, x := range []struct {
		n    int
		what string
	}{{r.Failed, "failed"}, {r.Unused, "on record, but not used"}, {r.Repeated, "told before"}} {
		if x.n > 0 {
			words = append(words, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	Markdown("Results: %s. The campaign is %s.", strings.Join(words, ", "), r.Status)
}

// Run lets lab measure plates of n until the campaign has ended, or until most measurements were
// asked for.
func (b *Bench) Run(lab Laboratory, n, most int) {
	for asked := 0; asked < most; {
		tickets := Must(b.c.Ask(min(n, most-asked), b.Who))
		asked += len(tickets)
		results := lab.results(b)
		if len(results) == 0 {
			return
		}
		Must(b.c.Tell(results, lab.name()))
	}
}

// Undo takes an event of the record back, see History.
func (b *Bench) Undo(event int, why string) { Fail(b.c.Undo(event, why, b.Who)) }

// Drop takes a candidate out that became unavailable.
func (b *Bench) Drop(candidate, why string) { Fail(b.c.Drop(candidate, why, b.Who)) }

// Status shows where the campaign stands: a sentence, each candidate with its estimates, their
// intervals and a verdict, and what the guarantee covers. [Bench.Why] has the reasons.
func (b *Bench) Status() {
	s := Must(b.c.Status())
	Markdown("**%s**", s.Headline)
	t := statusTable(&s)
	t.Notes = append(t.Notes, s.Guarantee...)
	t.Notes = append(t.Notes, s.Warnings...)
	Show(t)
}

// statusTable has a row a candidate.
func statusTable(s *campaign.Status) *tidy.Table {
	t := &tidy.Table{Title: s.Title, Columns: []tidy.Column{{Name: "candidate"},
		{Name: "verdict"}, {Name: "used"}}}
	for _, o := range s.Objectives {
		t.Columns = append(t.Columns, tidy.Column{Name: o})
	}
	for _, a := range s.Arms {
		row := []any{a.Arm, a.Verdict, a.Used}
		for c := range s.Objectives {
			row = append(row, interval(a.Low[c], a.Estimate[c], a.High[c]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Why shows the reasons of the verdicts.
func (b *Bench) Why() {
	t := &tidy.Table{Title: "Why", Columns: []tidy.Column{{Name: "candidate"}, {Name: "verdict"},
		{Name: "why"}}}
	for _, a := range Must(b.c.Status()).Arms {
		t.Rows = append(t.Rows, []any{a.Arm, a.Verdict, a.Why})
	}
	Show(t)
}

// interval writes an estimate with its interval.
func interval(low, x, high float64) string {
	switch {
	case math.IsNaN(x):
		return ""
	case low == high:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case math.IsNaN(low) || math.IsNaN(high) || math.IsInf(high-low, 0):
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	decimals := min(max(2-int(math.Floor(math.Log10(high-low))), 0), 6)
	return fmt.Sprintf("%.*f (%.*f to %.*f)", decimals, x, decimals, low, decimals, high)
}

// Frame returns where the candidates stand, one a row: verdict, measurements, and for each
// objective the estimate with the ends of its interval.
func (b *Bench) Frame() Frame { return b.arms(func(campaign.ArmStatus) bool { return true }) }

// Answer returns the candidates of the answer, or of the best guess until the campaign is finished,
// in the form of Frame.
func (b *Bench) Answer() Frame {
	return b.arms(func(a campaign.ArmStatus) bool { return a.Chosen })
}

func (b *Bench) arms(which func(campaign.ArmStatus) bool) Frame {
	s := Must(b.c.Status())
	t := &tidy.Table{Columns: []tidy.Column{{Name: "candidate"}, {Name: "verdict"},
		{Name: "used"}, {Name: "pending"}, {Name: "failed"}}}
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
	return Must(t.Frame())
}

// Finished reports whether the answer holds with the probability that was asked for.
func (b *Bench) Finished() bool { return Must(b.c.Status()).Status == campaign.Finished }

// Results returns all results as they were told, one a row.
func (b *Bench) Results() Frame {
	return frame(func(text *bytes.Buffer) error { return b.c.ExportCSV(text) })
}

// History returns the record: what happened, who did it, and what was undone.
func (b *Bench) History() Frame {
	t := &tidy.Table{Columns: []tidy.Column{{Name: "event"}, {Name: "who"}, {Name: "what"},
		{Name: "undone by"}}}
	for _, e := range Must(b.c.Events(0)) {
		undone := any("")
		if e.Undone > 0 {
			undone = strconv.Itoa(e.Undone)
		}
		t.Rows = append(t.Rows, []any{e.Seq, e.Who, e.Text, undone})
	}
	return Must(t.Frame())
}

// Plot shows the estimates of the candidates with their intervals and verdicts, and what is within
// the bounds, in the plane of two objectives: the first two, or those that are named. With one
// objective it shows the candidates in order.
func (b *Bench) Plot(objectives ...string) {
	v := Must(report.NewLooker(b.c).View())
	x, y := 0, min(1, len(v.Objectives)-1)
	if len(objectives) > 0 {
		if len(objectives) != 2 {
			Fail(fmt.Errorf("nb: Plot: %d objectives %q; a plane has two", len(objectives),
				objectives))
		}
		x, y = objective(v, objectives[0]), objective(v, objectives[1])
	}
	Draw(v.PlaneFigure(x, y, report.Wide))
}

// objective returns the number of an objective.
func objective(v *report.View, name string) int {
	var names []string
	for i, o := range v.Objectives {
		if o.Name == name {
			return i
		}
		names = append(names, o.Name)
	}
	Fail(fmt.Errorf("nb: Plot: no objective %q; there are %q", name, names))
	return 0
}

// PlotEffort shows how many measurements each candidate got, and what became of them.
func (b *Bench) PlotEffort() {
	Draw(Must(report.NewLooker(b.c).View()).EffortFigure(report.Wide))
}
