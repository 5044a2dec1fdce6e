package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
)

// plates is a problem with three candidates: yield is measured, price is known.
const plates = `title = "Plates"
[question]
find = "pareto"
delta = 0.1
[candidates]
file = "plates.csv"
join = true
[[objective]]
name = "yield"
unit = "%"
values = [0, 100]
noise = { sd = 3 }
[[objective]]
name = "price"
goal = "minimise"
known = true
[laboratory]
plate = 3
`

const plateTable = "candidate,price\nA07,10\nB02,20\nC11,30\n"

// yields are the yields of the candidates of plates, and of D19, which joins later.
var yields = map[string]string{"A07": "60", "B02": "80", "C11": "70", "D19": "90"}

// put writes a file into a folder and returns its path.
func put(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// platesAt creates the campaign of plates in a new folder.
func platesAt(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, "plates.toml", plates)
	put(t, dir, "plates.csv", plateTable)
	works(t, dir, "new", "plates.toml", "--as", "Ada")
	return dir
}

// works runs a campaign command that must succeed, and returns its standard output.
func works(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, errs, code := purexp(t, dir, append([]string{"campaign"}, args...)...)
	if code != exitOK {
		t.Fatalf("campaign %q: exit code %d\n%s%s", args, code, out, errs)
	}
	return out
}

// says runs a campaign command that prints JSON, and decodes the JSON into v.
func says(t *testing.T, dir string, v any, args ...string) {
	t.Helper()
	out := works(t, dir, append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), v); err != nil {
		t.Fatalf("campaign %q: %v\n%s", args, err, out)
	}
}

// filled returns a worksheet with the yields filled in.
func filled(t *testing.T, sheet string) string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(sheet)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%v:\n%s", err, sheet)
	}
	at := func(name string) int { return slices.Index(rows[0], name) }
	for _, r := range rows[1:] {
		r[at("yield")] = yields[r[at("candidate")]]
	}
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// finishPlates measures plates until the campaign is finished.
func finishPlates(t *testing.T, dir string) {
	t.Helper()
	for range 200 {
		out, errs, code := purexp(t, dir, "campaign", "ask", "--plate", "50")
		if code == exitFinished && strings.Contains(errs, "no more measurements") {
			return
		}
		if code != exitOK {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		works(t, dir, "tell", put(t, dir, "sheet.csv", filled(t, out)))
	}
	t.Fatal("the campaign does not end")
}

// TestCampaignCommands runs each command of a campaign, and checks what it prints as text and as JSON.
func TestCampaignCommands(t *testing.T) {
	dir := platesAt(t)
	if out := works(t, dir, "new", "plates.toml"); !strings.Contains(out,
		"plates.campaign already exists with the same problem. Started: 3 candidates") {
		t.Errorf("new again: %s", out)
	}

	// Request two plates; a repeated key returns the same tickets.
	sheet := works(t, dir, "ask", "--as", "robot-1", "--key", "monday")
	if head := "plate,ticket,candidate,yield,note,campaign\n1,1,"; !strings.HasPrefix(sheet, head) ||
		strings.Count(sheet, "\n") != 4 {
		t.Errorf("worksheet\n%s", sheet)
	}
	if again := works(t, dir, "ask", "--key", "monday", "--plate", "7"); again != sheet {
		t.Errorf("asked again:\n%s\nat first\n%s", again, sheet)
	}
	var plate asked
	says(t, dir, &plate, "ask", "--plate", "2", "--as", "robot-2")
	if len(plate.Tickets) != 2 || plate.Tickets[0].Ticket != 4 || plate.Tickets[0].Plate != 2 ||
		plate.Tickets[0].Who != "robot-2" || plate.Pending != 5 || plate.Status != "running" {
		t.Errorf("plate %+v", plate)
	}
	works(t, dir, "ask", "--pending", "--as", "robot-1", "-o", "mine.csv")
	if mine, err := os.ReadFile("mine.csv"); err != nil || string(mine) != sheet {
		t.Errorf("pending: %v\n%s", err, mine)
	}

	// Report a filled-in file (twice), the result of one ticket, a failure, and an unsolicited result.
	put(t, dir, "plate.csv", filled(t, sheet))
	if out := works(t, dir, "tell", "plate.csv"); out != "results: 3 used (event 4)\n" {
		t.Errorf("tell: %s", out)
	}
	if out := works(t, dir, "tell", "plate.csv"); out != "results: 3 reported before\n" {
		t.Errorf("tell again: %s", out)
	}
	var r campaign.Receipt
	says(t, dir, &r, "tell", "--ticket", "4", "--note", "by hand", "yield="+yields[plate.Tickets[0].Arm])
	if !reflect.DeepEqual(r, campaign.Receipt{Event: 5, Used: 1, Status: "running"}) {
		t.Errorf("one ticket: %+v", r)
	}
	r = campaign.Receipt{}
	says(t, dir, &r, "tell", "--ticket", "5", "--failed", "--note", "empty well")
	if !reflect.DeepEqual(r, campaign.Receipt{Event: 6, Failed: 1, Status: "running"}) {
		t.Errorf("one that failed: %+v", r)
	}
	works(t, dir, "tell", "--candidate", "C11", "--id", "page 12", "yield=70.5 %", "--as", "Eve")

	// Drop a candidate, add a candidate, and undo both.
	if out := works(t, dir, "drop", "C11", "--why", "sold out"); !strings.HasPrefix(out, "C11 is out (event 8). ") {
		t.Errorf("drop: %s", out)
	}
	var s campaign.Status
	says(t, dir, &s, "status")
	if a := s.Arms[2]; a.Arm != "C11" || a.Available || a.Dropped != "sold out" ||
		s.Used+s.Unused != 5 || s.Failed != 1 || s.Pending != 0 {
		t.Errorf("status %+v", s)
	}
	if out := works(t, dir, "undo", "8", "--why", "found some"); !strings.HasPrefix(out, "event 8 is undone (event 9). ") {
		t.Errorf("undo: %s", out)
	}
	says(t, dir, &s, "join", "D19", "price=40", "--as", "Ada")
	if len(s.Arms) != 4 || s.Arms[3].Arm != "D19" || !s.Arms[2].Available {
		t.Errorf("status after D19 joined: %+v", s)
	}
	text := works(t, dir, "status", "--format", "csv")
	for _, want := range []string{"candidate,", "D19,0,0,", "price"} {
		if !strings.Contains(text, want) {
			t.Errorf("status lacks %q:\n%s", want, text)
		}
	}

	// The history says who did what.
	var list []campaign.Event
	says(t, dir, &list, "history")
	kinds := strings.Fields("problem ask ask tell tell tell tell drop undo join")
	for i, e := range list {
		if e.Seq != i+1 || i >= len(kinds) || e.Kind != kinds[i] {
			t.Errorf("event %d: %+v", i+1, e)
		}
	}
	if len(list) != len(kinds) || list[6].Who != "Eve" || list[7].Undone != 9 ||
		list[5].Text != plate.Tickets[1].Arm+": failed" {
		t.Errorf("history %+v", list)
	}
	if out := works(t, dir, "history", "--format", "csv"); !strings.Contains(out, ",drop,C11 is not available: sold out,9\n") {
		t.Errorf("history\n%s", out)
	}

	finishPlates(t, dir)
	says(t, dir, &s, "status")
	if s.Status != campaign.Finished || !strings.Contains(s.Headline, "the answer is A07, B02, D19") {
		t.Errorf("the end: %s", s.Headline)
	}
	if out := works(t, dir, "verify"); !strings.Contains(out, "is intact: ") || !strings.Contains(out, s.Hash) {
		t.Errorf("verify: %s", out)
	}
	if out := works(t, dir, "report"); !strings.Contains(out, s.Hash) || !strings.Contains(out, "the answer is A07, B02, D19") {
		t.Errorf("report: %.500s", out)
	}
	file, page := works(t, dir, "certificate", "plates.campaign"), works(t, dir, "certificate", "--html")
	if !strings.HasPrefix(file, `{"format":"purexp certificate"`) ||
		!strings.Contains(file, `"answer":["A07","B02","D19"]`) ||
		!strings.Contains(page, "<span>signature</span>") || !strings.Contains(page, s.Hash) {
		t.Errorf("certificate: %.500s\n%s", file, page)
	}
	// 'campaign plan' plans the problem of the campaign; without guesses of the means, it fails.
	if _, errs, code := purexp(t, dir, "campaign", "plan", "--quiet"); code != exitFailure ||
		!strings.Contains(errs, "the means of yield are unknown") {
		t.Errorf("plan: %d %s", code, errs)
	}
}
