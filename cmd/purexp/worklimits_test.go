package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign"
)

// A table of unsolicited results is told again, with rows added at its end: only those are new. What
// it is called matters, and only a table has a name.
func TestCampaignBatch(t *testing.T) {
	dir := platesAt(t)
	const head = "candidate,yield\n"
	put(t, dir, "old.csv", head+"A07,61\nB02,79\n")
	if out := works(t, dir, "tell", "old.csv", "--batch", "2025"); out != "results: 2 used (event 2)\n" {
		t.Errorf("a batch: %s", out)
	}
	put(t, dir, "old.csv", head+"A07,61\nB02,79\nC11,70\n")
	if out := works(t, dir, "tell", "old.csv", "--batch", "2025"); out !=
		"results: 1 used, 2 told before (event 3)\n" {
		t.Errorf("the batch with another row: %s", out)
	}
	// The third line is that of B02, with another value now.
	if _, errs, code := purexp(t, dir, "campaign", "tell", put(t, dir, "new.csv", head+"A07,61\nB02,78\n"),
		"--batch", "2025"); code != exitConflict || !strings.Contains(errs, "2025:3") {
		t.Errorf("another result with the same id: %d %s", code, errs)
	}
	if out := works(t, dir, "tell", "new.csv", "--batch", "2026"); !strings.HasPrefix(out, "results: 2 used") {
		t.Errorf("another batch: %s", out)
	}
	for _, one := range [][]string{{"--ticket", "1"}, {"--id", "x"}, {"--candidate", "A07"}, {"--failed"}} {
		args := append([]string{"campaign", "tell", "yield=1", "--batch", "2025"}, one...)
		if _, errs, code := purexp(t, dir, args...); code != exitUsage ||
			!strings.Contains(errs, "--batch names a table") {
			t.Errorf("%v: %d %s", args, code, errs)
		}
	}
	if _, _, code := purexp(t, dir, "campaign", "tell", "old.csv"); code == exitOK {
		t.Error("results without tickets and without ids were told")
	}
}

// What is pending is that of one who asked, or of all; asking for it hands nothing out. A worksheet
// that stands in the way is found before tickets are handed out.
func TestCampaignPending(t *testing.T) {
	dir := platesAt(t)
	pending := func(want int, args ...string) {
		t.Helper()
		var a asked
		says(t, dir, &a, append([]string{"ask", "--pending"}, args...)...)
		if len(a.Tickets) != want || a.Pending != 3 {
			t.Errorf("%v: %d tickets of %d pending; want %d of 3", args, len(a.Tickets), a.Pending, want)
		}
		for _, k := range a.Tickets {
			if len(args) == 2 && k.Who != args[1] {
				t.Errorf("%v: a ticket of %s", args, k.Who)
			}
		}
	}
	works(t, dir, "ask", "--plate", "2", "--as", "ann")
	works(t, dir, "ask", "--plate", "1", "--as", "bob")
	pending(3)
	pending(2, "--as", "ann")
	pending(1, "--as", "bob")
	pending(0, "--as", "eve")
	for _, plate := range []string{"0", "-1"} {
		if _, errs, code := purexp(t, dir, "campaign", "ask", "--plate", plate); code != exitUsage ||
			!strings.Contains(errs, "--plate is "+plate) {
			t.Errorf("a plate of %s: %d %s", plate, code, errs)
		}
	}
	put(t, dir, "sheet.csv", "mine")
	if _, errs, code := purexp(t, dir, "campaign", "ask", "--plate", "2", "-o", "sheet.csv"); code == exitOK ||
		!strings.Contains(errs, "sheet.csv") {
		t.Errorf("a file that is there: %d %s", code, errs)
	}
	pending(3)
	if text, err := os.ReadFile(filepath.Join(dir, "sheet.csv")); err != nil || string(text) != "mine" {
		t.Errorf("the file that was there is now %q, %v", text, err)
	}
}

// Arms without a share have no row; shares are of all measurements, and measurements as many as were
// asked for. The ends of a line are measured equally often.
func TestDesignRows(t *testing.T) {
	dir := t.TempDir()
	path := put(t, dir, "line.csv", "name,x\na,1\nb,2\nc,-4\n")
	for _, c := range []struct{ args, want string }{
		{"--for means", "arm,share (%)\nb,50.00\nc,50.00\n"},
		{"--for means --pulls 8", "arm,share (%),measurements\nb,50.00,4\nc,50.00,4\n"},
		{"--for means --pulls 2", "arm,share (%),measurements\nb,50.00,1\nc,50.00,1\n"},
	} {
		out, errs, code := purexp(t, dir, append([]string{"design", path, "--features", "x", "--arm", "name",
			"--format", "csv"}, strings.Fields(c.args)...)...)
		if table, _, _ := strings.Cut(out, "\n\n"); code != exitOK || strings.TrimSpace(table)+"\n" != c.want {
			t.Errorf("%s: %d %s\n%s; want\n%s", c.args, code, errs, out, c.want)
		}
	}
	// Few measurements of the second plane are best with one of an arm that has no share.
	for _, c := range []struct {
		plane string
		pulls int
	}{{"a,1,0\nb,0,1\nc,0.1,0.1\nd,1,1\n", 3}, {"a,1,0\nb,0,1\nc,0.1,0.1\nd,1,1\n", 5},
		{"a,1,0\nb,0,1\nc,0.1,0.1\nd,1,1\n", 96}, {"a,-3,3\nb,3,-2\nc,3,2\nd,-3,0\ne,-1,-1\nf,3,-1\n", 5}} {
		pulls := c.pulls
		path = put(t, dir, "plane.csv", "name,x,y\n"+c.plane)
		out, errs, code := purexp(t, dir, "design", path, "--features", "x,y", "--arm", "name", "--format", "csv",
			"--pulls", strconv.Itoa(pulls))
		if code != exitOK {
			t.Fatal(errs)
		}
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		share, n := 0., 0
		for _, row := range rows[1:] {
			s, _ := strconv.ParseFloat(row[1], 64)
			k, _ := strconv.Atoi(row[2])
			if share, n = share+s, n+k; s == 0 && k == 0 {
				t.Errorf("%d pulls: the row %q says nothing", pulls, row)
			}
		}
		if n != pulls || share < 99.9 || share > 100.1 {
			t.Errorf("%d pulls: %d measurements, shares of %v %%\n%s", pulls, n, share, out)
		}
	}
}

// A file that could not be written to its end is not left, and one that is there is not touched.
func TestOutputIsWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plate.csv")
	full := errors.New("the disk is full")
	err := output(nil, path, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half a")
		return full
	})
	if _, there := os.Stat(path); !errors.Is(err, full) || !errors.Is(there, fs.ErrNotExist) {
		t.Errorf("%v; the file: %v", err, there)
	}
	for i := range 2 {
		err := output(nil, path, func(w io.Writer) error {
			_, err := fmt.Fprint(w, "whole ", i)
			return err
		})
		if text, _ := os.ReadFile(path); (err == nil) != (i == 0) || string(text) != "whole 0" {
			t.Errorf("%v: %q", err, text)
		}
	}
}

// The file of a campaign is the one that is named, or else that of the environment; what is begun goes there, too. Who
// does something is who says so, or the user.
func TestCampaignIsNamed(t *testing.T) {
	dir := platesAt(t)
	t.Setenv("PUREXP_CAMPAIGN", "named.campaign")
	if out := works(t, dir, "new", "plates.toml"); !strings.HasPrefix(out, "wrote named.campaign: ") {
		t.Error(out)
	}
	works(t, dir, "tell", "--candidate", "A07", "--id", "1", "yield=60", "--file", "plates.campaign")
	works(t, dir, "tell", "--candidate", "A07", "--id", "1", "yield=60", "--as", "Eve")
	works(t, dir, "tell", "--candidate", "A07", "--id", "2", "yield=61")
	name := "somebody"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	for file, want := range map[string][]string{"plates.campaign": {"Ada", name}, "named.campaign": {name, "Eve", name}} {
		var list []campaign.Event
		says(t, dir, &list, "history", "--file", file)
		var who []string
		for _, e := range list {
			who = append(who, e.Who)
		}
		if !slices.Equal(who, want) {
			t.Errorf("%s: %q; want %q", file, who, want)
		}
	}
	put(t, dir, "taken.csv", "mine")
	if _, errs, code := purexp(t, dir, "campaign", "new", "plates.toml", "--file", "third.campaign", "--worksheet", "taken.csv"); code != exitUsage ||
		!strings.Contains(errs, "taken.csv exists; move it away, or give another name") {
		t.Errorf("%d, %s", code, errs)
	}
	if _, err := os.Stat("third.campaign"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a campaign without its worksheet was begun: %v", err)
	}
}

// What goes to - is printed, as what goes nowhere is; no file is called so.
func TestOutputToScreen(t *testing.T) {
	dir := platesAt(t)
	put(t, dir, "truth.csv", "candidate,yield\nA07,50\nB02,60\nC11,70\n")
	sheet := works(t, dir, "ask", "--as", "Ada", "--key", "k", "-o", "-")
	put(t, dir, "sheet.csv", sheet)
	if again := works(t, dir, "ask", "--as", "Ada", "--key", "k"); again != sheet || !strings.HasPrefix(sheet, "plate,ticket,") {
		t.Errorf("%s\n%s", sheet, again)
	}
	for _, args := range [][]string{{"campaign", "ask", "--pending"}, {"campaign", "export"}, {"campaign", "export", "--format", "csv"},
		{"campaign", "export", "--intact"}, {"campaign", "certificate"}, {"simulate", "plates.toml", "sheet.csv", "--truth", "truth.csv"}} {
		want, _, _ := purexp(t, dir, args...)
		got, errs, code := purexp(t, dir, append(args, "--output", "-")...)
		if code != exitOK || got != want || want == "" {
			t.Errorf("%q: %d, %s\n%s\nwant\n%s", args, code, errs, got, want)
		}
	}
	put(t, dir, "other.toml", plates)
	out := works(t, dir, "new", "other.toml", "--worksheet", "-")
	if head, rest, _ := strings.Cut(out, "\n"); !strings.HasPrefix(head, "wrote other.campaign: ") || golden.Steady(rest) != golden.Steady(sheet) {
		t.Errorf("%s\nwant\n%s", out, sheet)
	}
	works(t, dir, "join", "<D>&", "price=40", "--file", "other.campaign")
	if out := works(t, dir, "status", "--json", "--file", "other.campaign"); !strings.Contains(out, `"<D>&"`) {
		t.Errorf("a name is written otherwise: %s", out)
	}
	// A report as JSON is printed, and as a page it is written, or both.
	out = works(t, dir, "report", "--file", "plates.campaign", "--json", "-o", "r.html")
	page, err := os.ReadFile("r.html")
	if err != nil || !strings.HasPrefix(out, "{") || !strings.Contains(string(page), "<html") || strings.Contains(out, "<html") {
		t.Errorf("%v: %.100s\n%.100s", err, out, page)
	}
	if _, err := os.Stat("-"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file is called -: %v", err)
	}
}

// A note that says that a measurement failed is taken at its word, which is said with the row; of a campaign that is sure of its
// answer the status says how sure, first of all notes after what was measured.
func TestNotesAndSureness(t *testing.T) {
	dir := platesAt(t)
	rows := strings.Split(works(t, dir, "ask"), "\n")
	for i, cells := range []string{",,failed,", ",80,,", ",failed,,"} { // the last one is no note
		rows[i+1] = strings.Replace(rows[i+1], ",,,", cells, 1)
	}
	put(t, dir, "sheet.csv", strings.Join(rows[:4], "\n")+"\n")
	out, errs, code := purexp(t, dir, "campaign", "tell", "sheet.csv")
	if want := "note: sheet.csv: 1 row (line 2) taken as failed, as the note says\n"; code != exitOK || errs != want || out != "results: 1 used, 2 failed (event 3)\n" {
		t.Errorf("%d, %q, %q; want %q", code, out, errs, want)
	}
	finishPlates(t, dir)
	var s standing
	says(t, dir, &s, "status")
	text := works(t, dir, "status")
	if _, below, _ := strings.Cut(text, fmt.Sprintf("; event %d.\n", s.Event)); s.Sure == nil || !strings.HasPrefix(strings.TrimSpace(below), s.Sure.String()) {
		t.Errorf("%+v\n%s", s.Sure, text)
	}
}
