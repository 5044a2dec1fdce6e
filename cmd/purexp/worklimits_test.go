package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign"
)

// --pending lists the pending tickets of one person or of all people, and creates no tickets. If the worksheet's file
// exists, ask fails before it creates tickets.
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

// A file that could not be written in full is removed, and an existing file is not touched.
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

// Without --file, all commands, including new, use the campaign file named by the variable PUREXP_CAMPAIGN. The
// recorded author of an action is the value of --as, or the user's name.
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
		!strings.Contains(errs, "taken.csv already exists; remove it, or choose another name") {
		t.Errorf("%d, %s", code, errs)
	}
	if _, err := os.Stat("third.campaign"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a campaign without its worksheet was begun: %v", err)
	}
}

// Output to "-" goes to standard output, like output without a file; no file named "-" is created.
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
	// 'report --json -o' writes the page and prints JSON.
	out = works(t, dir, "report", "--file", "plates.campaign", "--json", "-o", "r.html")
	page, err := os.ReadFile("r.html")
	if err != nil || !strings.HasPrefix(out, "{") || !strings.Contains(string(page), "<html") || strings.Contains(out, "<html") {
		t.Errorf("%v: %.100s\n%.100s", err, out, page)
	}
	if _, err := os.Stat("-"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file is called -: %v", err)
	}
}
