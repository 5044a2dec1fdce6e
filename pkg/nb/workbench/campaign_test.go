package workbench

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/nb"
	"github.com/purexp/purexp/pkg/nb/internal/cell/celltest"
)

const task = `title = "Catalysts"
[question]
find = "pareto"
delta = 0.05
[candidates]
file = "catalysts.csv"
[[objective]]
name = "yield"
unit = "%"
noise = { sd = 2.0 }
tolerance = 2
guess = "guess"
[[objective]]
name = "purity"
unit = "%"
noise = { sd = 0.8 }
tolerance = 1
at_least = 95
slack = 1
guess = "purity guess"
[[objective]]
name = "price"
goal = "minimise"
known = true
`

// catalysts are the candidates, and truths are their true means.
func catalysts() nb.Frame {
	return dataframe.ReadCSV(strings.NewReader("catalyst,price,guess,purity guess\nA07,41,84,97\nB02,18,80,97\nC11,30,90,92\n"))
}

func truths() nb.Frame {
	return dataframe.ReadCSV(strings.NewReader("catalyst,yield,purity\nA07,84.1,97.2\nB02,79.6,96.8\nC11,91.3,92.6\n"))
}

func practice(t *testing.T) (*Campaign, *problem.Problem, string) {
	t.Helper()
	p := nb.Problem(task, nb.Tables{"catalysts.csv": catalysts()})
	path := filepath.Join(t.TempDir(), "own", "catalysts.campaign")
	b := Open(path, p)
	t.Cleanup(b.Close)
	return b, p, path
}

// The campaign uses frames for requests, measurements with failures and delays, reports, and the answer.
func TestCampaign(t *testing.T) {
	b, p, path := practice(t)
	lab := Laboratory{Truth: truths(), Failures: .1, Late: .2, Seed: 3}
	plate := b.Ask(8)
	if plate.Nrow() != 8 || !slices.Equal(plate.Names(), []string{"plate", "ticket", "candidate", "yield", "purity", "note"}) {
		t.Fatalf("plate %v", plate)
	}
	results := lab.Measure(b)
	late := plate.Nrow() - results.Nrow()
	if late == 0 || late == 8 {
		t.Fatalf("%d late results; want a seed with some late and some on time", late)
	}
	said := celltest.Printed(t, func() { b.Tell(results) })
	if want := fmt.Sprintf("Results: %d used. The campaign is running.", results.Nrow()); !strings.Contains(said, want) {
		t.Errorf("of %v the cell says %q; want %q", results, said, want)
	}
	if left := b.Pending(); left.Nrow() != late {
		t.Errorf("%d pending after %d came late", left.Nrow(), late)
	}
	// Open the same file in another cell. Late results arrive with the next plate.
	again := Open(path, p)
	defer again.Close()
	said = celltest.Printed(t, func() { again.Ask(4) })
	if want := fmt.Sprintf("%d results of plate 1 are missing; `Pending()` lists them. If you ran this cell twice by mistake, `Undo(4, ", late); !strings.Contains(said, want) {
		t.Errorf("a second plate says %q; want %q", said, want)
	}
	next := lab.Measure(again).Col("ticket").Records()
	for _, ticket := range b.Pending().Col("ticket").Records()[:late] {
		if !slices.Contains(next, ticket) {
			t.Errorf("ticket %s is late again", ticket)
		}
	}
	again.Run(lab, 8, 3000)
	if !b.Finished() {
		t.Fatal("not finished after 3000 measurements")
	}
	if left := again.Ask(4); left.Nrow() != 0 || left.Ncol() != plate.Ncol() {
		t.Errorf("after the end, Ask returns %v", left)
	}
	answer := b.Answer()
	if got := answer.Col("candidate").Records(); !slices.Equal(got, []string{"A07", "B02"}) {
		t.Errorf("answer %v", got)
	}
	lo, hi := answer.Col("yield [%] low").Float()[0], answer.Col("yield [%] high").Float()[0]
	if !(lo < 84.1 && 84.1 < hi) {
		t.Errorf("the yield of A07 is from %v to %v", lo, hi)
	}
	all := b.Frame()
	used := 0.
	for _, n := range all.Col("used").Float() {
		used += n
	}
	if all.Nrow() != 3 || b.Results().Nrow() < int(used) {
		t.Errorf("%d candidates, %v used, %d results", all.Nrow(), used, b.Results().Nrow())
	}
	if h := b.History(); h.Nrow() < 5 || !strings.Contains(h.Col("who").Records()[2], "notebook") {
		t.Errorf("history %v", h)
	}
	for want, f := range map[string]func(){
		"A07": b.Status, "in yield [%] and purity [%]": func() { b.Plot() }, "in yield [%] and price": func() { b.Plot("yield", "price") },
		"in purity [%] and yield [%]": func() { b.Plot("purity", "yield") }, fmt.Sprintf("Measurements of 3 arms: %.0f used", used): b.PlotEffort,
	} {
		if said := celltest.Printed(t, f); !strings.Contains(said, want) {
			t.Errorf("the cell shows %q; want %q", said, want)
		}
	}
}

// A person fills in a frame with numbers, an empty cell for later, and a failure.
func TestTellFrame(t *testing.T) {
	b, _, _ := practice(t)
	b.Who = "N. Ohm"
	plate := b.Ask(3)
	filled := plate.Drop([]string{"yield", "purity"}).
		Mutate(series.New([]string{"84.2", "failed", ""}, series.String, "yield")).
		Mutate(series.New([]string{"97", "", ""}, series.String, "purity"))
	for _, want := range []string{"Results: 1 used, 1 failed. The campaign is running.", "Results: 0 used, 2 reported before. The campaign is running."} {
		if said := celltest.Printed(t, func() { b.Tell(filled) }); !strings.Contains(said, want) {
			t.Errorf("the cell says %q; want %q", said, want)
		}
	}
	now := b.Frame()
	if want := []string{"candidate", "verdict", "used", "pending", "failed", "yield [%]", "yield [%] low", "yield [%] high", "purity [%]", "purity [%] low", "purity [%] high",
		"price", "price low", "price high", "why"}; !slices.Equal(now.Names(), want) {
		t.Errorf("columns %q", now.Names())
	}
	if got := fmt.Sprint(now.Col("candidate").Records(), now.Col("used").Records(), now.Col("pending").Records(), now.Col("failed").Records()); got !=
		"[A07 B02 C11] [1 0 0] [0 0 1] [0 1 0]" {
		t.Errorf("counts of the candidates: %s", got)
	}
	if left := b.Pending(); left.Nrow() != 1 || left.Col("ticket").Records()[0] != "3" {
		t.Errorf("pending %v", left)
	}
	undone := b.History()
	b.Undo(nb.Must(undone.Elem(undone.Nrow()-1, 0).Int()), "the balance was not calibrated")
	if left := b.Pending(); left.Nrow() != 3 {
		t.Errorf("%d pending after the results were undone", left.Nrow())
	}
	after := b.History()
	last, was := after.Nrow()-1, undone.Nrow()-1
	if who, what := after.Col("who").Records()[last], after.Col("what").Records()[last]; who != b.Who ||
		!strings.Contains(what, "the balance was not calibrated") {
		t.Errorf("%q by %q; want the reason, by %q", what, who, b.Who)
	}
	if by := after.Col("undone by").Float(); by[was] != after.Col("event").Float()[last] || !math.IsNaN(by[last]) {
		t.Errorf("undone by %v", by)
	}
	b.Drop("C11", "sold out")
	left := b.Frame()
	if got := fmt.Sprint(left.Col("candidate").Records(), left.Col("verdict").Records()); !strings.HasSuffix(got, "not available]") ||
		!strings.Contains(got, "C11]") || left.Nrow() != 3 {
		t.Errorf("after C11 was dropped: %v", got)
	}
	all := b.History()
	last = all.Nrow() - 1
	for event, who := range all.Col("who").Records()[1:] {
		if who != b.Who {
			t.Errorf("event %d is by %q; want by %q", event+2, who, b.Who)
		}
	}
	if who, what := all.Col("who").Records()[last], all.Col("what").Records()[last]; who != b.Who || !strings.Contains(what, "sold out") {
		t.Errorf("the last event is %q, by %q", what, who)
	}
	late := filled.Drop([]string{"yield", "purity"}).Mutate(series.New([]string{"", "", "91.5"}, series.String, "yield")).
		Mutate(series.New([]string{"", "", "92"}, series.String, "purity"))
	if said := celltest.Printed(t, func() { b.Tell(late) }); !strings.Contains(said, "Results: 0 used, 1 recorded, but not used. The campaign is running.") {
		t.Errorf("of a candidate that was dropped the cell says %q", said)
	}
}

// Results of all kinds of noise have the intended mean and spread.
func TestLaboratoryNoise(t *testing.T) {
	const text = `[question]
find = "feasible"
delta = 0.1
[candidates]
names = ["A"]
join = true
[[objective]]
name = "score"
noise = { range = [0, 100] }
at_least = 10
[[objective]]
name = "alive"
noise = { counts = 20 }
at_least = 3
[[objective]]
name = "yield"
noise = { sd = 2.0 }
at_least = 40
`
	b := Open(filepath.Join(t.TempDir(), "noise.campaign"), nb.Problem(text, nil))
	defer b.Close()
	truth := dataframe.ReadCSV(strings.NewReader("name,score,alive,yield\nA,20,12,62\n"))
	lab := Laboratory{Truth: truth, Seed: 4}
	b.Ask(400)
	r := lab.Measure(b)
	for name, want := range map[string][2]float64{"score": {20, 10}, "alive": {12, 2.19}, "yield": {62, 2}} {
		mean, sd := r.Col(name).Mean(), r.Col(name).StdDev()
		if off := mean - want[0]; off > want[1]/4 || off < -want[1]/4 || sd < .85*want[1] || sd > 1.15*want[1] {
			t.Errorf("%s: mean %v, standard deviation %v; want %v", name, mean, sd, want)
		}
	}
	// The noise of the laboratory may differ from the declared noise.
	lab.SD = map[string]float64{"yield": 8}
	if sd := lab.Measure(b).Col("yield").StdDev(); sd < .85*8 || sd > 1.15*8 {
		t.Errorf("standard deviation %v; want 8", sd)
	}
}

// Errors say what is wrong and what to do.
func TestCampaignExplainsItself(t *testing.T) {
	t.Setenv("PUREXP_CACHE", t.TempDir())
	b, p, path := practice(t)
	other := p.Clone()
	other.Question.Delta = .2
	b.Ask(2)
	truth, raw := truths(), nb.Table("compound,activity [nM]\nA,9\nA,9.5\nB,5\nB,4.6\nA,9.2\nB,5.1\n")
	for name, c := range map[string]struct {
		f    func()
		want []string
	}{
		"no table": {func() { nb.Problem(task, nil) }, []string{"catalysts.csv", "nb.Tables"}},
		"another problem": {func() { Open(path, other).Close() },
			[]string{"started with a different problem"}},
		"a real campaign": {func() { StartOver(path) }, []string{"not the file of an exercise"}},
		"nothing to draw": {func() { b.Plot() }, []string{"no results to draw"}},
		"one axis":        {func() { b.Plot("yield") }, []string{"expected two"}},
		"noise of the same rows": {func() {
			OpenWith("x.campaign", nb.On(nb.Means(raw, "compound"), "compound").Max("activity").Best(), "old", raw)
		}, []string{"nb.SD(2)", "cannot also be evidence"}},
		"no such axis": {func() { b.Plot("yield", "pH") }, []string{"pH", "purity"}},
		"no truth":     {func() { Laboratory{}.Measure(b) }, []string{"Laboratory.Truth"}},
		"no column": {func() { Laboratory{Truth: truth.Drop("purity")}.Measure(b) },
			[]string{"no column", "purity"}},
		"no row": {func() { Laboratory{Truth: truth.Subset([]int{1})}.Measure(b) },
			[]string{"no row", "A07"}},
		"no number": {func() {
			b.Tell(dataframe.ReadCSV(strings.NewReader("ticket,yield,purity\n1,high,97\n")))
		}, []string{"row 1 of the table", "yield"}},
	} {
		m, failed := celltest.Fails(t, c.f)
		if !failed {
			t.Errorf("%s: the cell does not fail", name)
		}
		for _, w := range c.want {
			if !strings.Contains(m, w) {
				t.Errorf("%s: %q does not say %q", name, m, w)
			}
		}
	}
}

// Measurements from before the campaign are evidence, once.
func TestOpenWith(t *testing.T) {
	raw := nb.Table("compound,activity [nM]\nA,9\nA,9.5\nB,5\nB,4.6\nA,9.2\nB,5.1\n")
	q := nb.On(nb.Means(raw, "compound"), "compound").Max("activity", nb.SD(.4)).Best()
	path := filepath.Join(t.TempDir(), "a.campaign")
	for _, want := range []string{"Results: 6 used. The campaign is finished.", "A: "} {
		said := celltest.Printed(t, func() {
			b := OpenWith(path, q, "old", raw)
			nb.Markdown("%s: %v", b.Answer().Elem(0, 0), b.Finished())
			b.Close()
		})
		if !strings.HasPrefix(said, want) || !strings.HasSuffix(strings.TrimSpace(said), "A: true") {
			t.Errorf("%q; want %q", said, want)
		}
	}
}

// An exercise can be restarted, repeatedly.
func TestStartOver(t *testing.T) {
	t.Setenv("PUREXP_CACHE", t.TempDir())
	path := Practice("catalysts")
	p := nb.Problem(task, nb.Tables{"catalysts.csv": catalysts()})
	for range 2 {
		StartOver(path)
		b := Open(path, p)
		if n := b.History().Nrow(); n != 1 {
			t.Errorf("%d events at the start", n)
		}
		b.Ask(2)
		b.Close()
		for _, end := range []string{"-wal", "-shm"} { // what a database leaves behind when it is not closed
			if err := os.WriteFile(path+end, []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	StartOver(path)
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
		t.Errorf("%v, %v are left", left, err)
	}
}
