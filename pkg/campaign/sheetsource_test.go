package campaign

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// filled returns the worksheet of tickets with the same value in each row.
func filled(t *testing.T, c *Campaign, tickets []Ticket, value string) []byte {
	t.Helper()
	var sheet strings.Builder
	must(t, c.WriteSheet(&sheet, tickets))
	lines := strings.Split(strings.TrimSpace(sheet.String()), "\n")
	at := slices.Index(strings.Split(lines[0], ","), "yield")
	for i := range lines[1:] {
		cells := strings.Split(lines[i+1], ",")
		cells[at] = value
		lines[i+1] = strings.Join(cells, ",")
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// A worksheet or an export of one campaign never reports tickets of another campaign: TellSheet rejects the table, and
// TellBatch accepts its rows as unsolicited results. Worksheets without the column campaign are still accepted.
func TestForeignSheets(t *testing.T) {
	p := yieldsOf(t)
	old, c := beginWith(t, p), beginWith(t, p)
	sheet := filled(t, old, ask(t, old, 4), "51")
	if _, err := old.TellSheet("x.csv", sheet, "Ada"); err != nil {
		t.Fatal(err)
	}
	if _, err := old.Tell([]Result{{ID: "slip", Arm: "a", Values: []float64{5}}}, "Ada"); err != nil {
		t.Fatal(err)
	}
	must(t, old.Undo(status(t, old).Event, "a slip", "Ada"))
	var export strings.Builder
	must(t, old.ExportCSV(&export))
	tickets := ask(t, c, 4)
	for name, text := range map[string][]byte{"x.csv": sheet, "export.csv": []byte(export.String())} {
		_, err := c.TellSheet(name, text, "Ada")
		var wrong InputErrors
		if !errors.Is(err, ErrConflict) || !errors.As(err, &wrong) || wrong[0].Field != columnCampaign || wrong[0].Where != name+":2" {
			t.Errorf("%s of another campaign: %v", name, err)
		}
	}
	for _, batch := range []string{"old", "again"} { // report the export twice under each of two batch names
		for n := range 2 {
			r, err := c.TellBatch(batch, "export.csv", []byte(export.String()), "Ada")
			if err != nil || r.Used != 4*(1-n) || r.Repeated != 4*n || len(r.Notes) != 2 || !strings.Contains(r.Notes[1], "1 row (line 6) skipped: undone") {
				t.Errorf("%s, time %d: %+v, %v", batch, n, r, err)
			}
		}
	}
	if s := status(t, c); s.Pending != 4 || s.Used != 8 {
		t.Errorf("%d pending, %d used; want 4 and 8", s.Pending, s.Used)
	}
	own := filled(t, c, tickets, "52")
	if r, err := c.TellSheet("own.csv", own, "Ada"); err != nil || r.Used != 4 {
		t.Errorf("its own worksheet: %+v, %v", r, err)
	}
	if _, err := c.TellBatch("own", "own.csv", own, "Ada"); !errors.Is(err, ErrConflict) {
		t.Errorf("its own worksheet as a batch, which would count twice: %v", err)
	}
	before := "plate,ticket,candidate,yield,note\n1,1,a,52,\n"
	if r, err := c.TellSheet("before.csv", []byte(before), "Ada"); err != nil || r.Repeated != 1 {
		t.Errorf("a worksheet without the column: %+v, %v", r, err)
	}
	verified(t, c)
}

// If a problem has its own column "campaign", its worksheets do not name their campaign, but are accepted.
func TestColumnCampaign(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`question = { find = "best", delta = 0.05 }
candidates = { file = "c.csv", column = "kind", categories = ["campaign"], join = true }
[[objective]]
name = "yield"
noise = { sd = 1 }
`), func(string) ([]byte, error) { return []byte("kind,campaign\nA,spring\nB,autumn\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	c := beginWith(t, p)
	sheet := filled(t, c, ask(t, c, 2), "7")
	if r, err := c.TellSheet("x.csv", sheet, "Ada"); err != nil || r.Used != 2 || !strings.Contains(string(sheet), ",spring,") {
		t.Errorf("%+v, %v\n%s", r, err, sheet)
	}
	// In tables, the candidates are in the column that the problem names.
	if r, err := c.TellBatch("b", "b.csv", []byte("kind,campaign,yield\nA,spring,8\n"), "Ada"); err != nil || r.Used != 1 || r.Notes != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// Notes count skipped rows and name ignored columns. A row with both values and a note that the measurement failed is
// an error, as is a row that is not a measurement. Each error names the line.
func TestSheetsAreReadWhole(t *testing.T) {
	for text, want := range map[string]string{
		"candidate,yield,sem,n\na,50,1,4\nb,51,1,4\n":   `ignored: "sem", "n"; each row counts as one measurement`,
		"candidate,yield,yield_sd,kind\na,50,1,x\n":     `ignored: "yield_sd"`,
		"candidate,yield,amount,Yield\na,50,1,2\n":      `b.csv: ignored: "amount", "Yield"`,
		"candidate,yield,status\na,50,failed\n":         "!b.csv:2: status: ",
		"candidate,yield\na,50\nb,\n\nmean,NA\n":        "2 rows (lines 3 and 5) skipped: no value",
		"candidate,yield,note\na,,failed: dry\na,50,\n": "1 row (line 2) counted as failed",
		"ticket,candidate,yield\n1,a,50\n":              `ignored: "ticket"`,
		"candidate,yield,note\na,50,failed: dry\n":      "!b.csv:2: note: ",
		"candidate,yield,note\na,50,failed to notice\n": "",
		"candidate,yield\na,50\nmean,50\n":              "!b.csv:3: arm: ",
		"candidate,yield\n,%\na,50\n":                   "!b.csv:2: ",
		"candidate;yield\na;12,5\nb;8,0\nc;1.250,00\n":  "!b.csv:4: yield: ",
		"yield\n50\n":                           "!b.csv: no column",
		"candidate,rep1,rep2\na,50,51\nb,52,\n": "1 row (line 3) skipped: no value",
		"candidate,yield\ra,50\rb,\r":           "1 row (line 3) skipped: no value",
		"candidate,yield\n" + strings.Repeat("a,50\r", MostRows) + "\n": "!b.csv: ",
	} {
		r, err := beginWith(t, yieldsOf(t)).TellBatch("b", "b.csv", []byte(text), "Ada")
		place, wrong := strings.CutPrefix(want, "!")
		switch got := strings.Join(r.Notes, "\n"); {
		case wrong && (err == nil || !strings.HasPrefix(err.Error(), place) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%.60q: %.200v; want an error %s", text, err, place)
		case !wrong && (err != nil || !strings.Contains(got, want) || want == "" && got != ""):
			t.Errorf("%.60q: %q, %v; want %q", text, got, err, want)
		}
	}
}

// Thousands separators are rejected in all columns of whole
// numbers. A count above the declared number is an error.
func TestThousands(t *testing.T) {
	c := beginWith(t, trial(t, someEvaluable))
	ask(t, c, 3)
	for row, field := range map[string]string{
		`1,1,low,0,0,"1,000"`: "evaluable", `1,1,low,0,0,1.000`: "evaluable", `"1,000",1,low,0,0,`: "plate", `1,"1,000",low,0,0,`: "ticket",
		`1,1,low,"1,000",0,`: "responses", `1,1,low,1.000,0,`: "responses", `1,1,low,0,0,1000`: "evaluable",
	} {
		_, err := c.TellSheet("t.csv", []byte("plate,ticket,candidate,responses,toxicity,evaluable\n"+row+"\n"), "Ada")
		if !errors.Is(err, ErrInput) || !strings.HasPrefix(fmt.Sprint(err), "t.csv:2: "+field+": ") {
			t.Errorf("%s: %v; want an error of %s", row, err, field)
		}
	}
	r := Result{Ticket: 1}
	if err := r.Fill(trial(t, someEvaluable), map[string]string{"responses": "1.000", "toxicity": "0"}); err == nil {
		t.Errorf("a point between groups in one result: %+v", r)
	}
}

// The monitors treat a batch as a plate, even if the batch has columns of replicates: they detect and name a shifted
// batch.
func TestBatchesArePlates(t *testing.T) {
	c := beginWith(t, yieldsOf(t))
	for day, shift := range []float64{0, 0, 15, 0} {
		table, row := "candidate,yield\n", "%[1]c,%[2]g\n%[1]c,%[3]g\n"
		if day%2 == 0 {
			table, row = "candidate,rep1,rep2\n", "%c,%g,%g\n"
		}
		for i := range 6 {
			y := 40 + 2*float64(i%4) + shift
			table += fmt.Sprintf(row, 'a'+i%4, y+float64((i*7+day*3)%5-2)/2, y+float64((i*7+day*3+2)%5-2)/2)
		}
		if _, err := c.TellBatch(fmt.Sprint("day: ", day), "day.csv", []byte(table), "Ada"); err != nil {
			t.Fatal(err)
		}
	}
	if s := status(t, c); !s.Evidence.Withdrawn() || !strings.Contains(s.Evidence.Text, `batch "day: 2"`) {
		t.Errorf("%+v", s.Evidence)
	}
	for id, want := range map[string]string{"a:12": "a", "a:b:3": "a:b", "a:3.2": "a", "a:3.x": "", "a": "", "a:b": "", "12": "", "": "", ":3": ""} {
		if got := batchOf(id); got != want {
			t.Errorf("the batch of %q is %q; want %q", id, got, want)
		}
	}
}
