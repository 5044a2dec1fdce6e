package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
)

// What export wrote becomes the same campaign again: the same status, hash and results. What was
// changed on the way is refused, with the line.
func TestCampaignImport(t *testing.T) {
	dir := platesAt(t)
	finishPlates(t, dir)
	var was, is campaign.Status
	says(t, dir, &was, "status")
	record := works(t, dir, "export")
	put(t, dir, "record.jsonl", record)
	out := works(t, dir, "import", "record.jsonl", "--file", "again.campaign")
	if !strings.Contains(out, "wrote again.campaign: Finished") {
		t.Errorf("import: %s", out)
	}
	says(t, dir, &is, "status", "--file", "again.campaign")
	if a, b := fmt.Sprintf("%+v", was), fmt.Sprintf("%+v", is); a != b {
		t.Errorf("imported:\n%s\nexported\n%s", b, a)
	}
	works(t, dir, "verify", "--file", "again.campaign")
	again := works(t, dir, "export", "--file", "again.campaign")
	if again != record {
		t.Error("the record of the imported campaign is another")
	}
	results := works(t, dir, "export", "--format", "csv", "--file", "again.campaign")
	works(t, dir, "export", "--format", "csv", "--output", "results.csv", "--file",
		"plates.campaign")
	if file, err := os.ReadFile("results.csv"); err != nil || string(file) != results ||
		strings.Count(results, "\n") != was.Used+1 {
		t.Errorf("results: %v\n%s", err, results)
	}

	lines := strings.SplitAfter(record, "\n")
	change := func(line int, old, new string) string {
		c := slices.Clone(lines)
		if c[line-1] = strings.Replace(c[line-1], old, new, 1); c[line-1] == lines[line-1] {
			t.Fatalf("line %d has no %s: %s", line, old, c[line-1])
		}
		return strings.Join(c, "")
	}
	for _, x := range []struct{ what, text, says, kind string }{
		{"a value", change(4, `"values":[`, `"values":[1`), "line 4: event 3 does not fit its hash",
			"damaged"},
		{"who", change(3, `"who":"`, `"who":"x`), "line 3: event 2 does not fit its hash",
			"damaged"},
		{"a row taken out", strings.Join(slices.Delete(slices.Clone(lines), 2, 3), ""),
			"line 3: event 3 follows event 1", "damaged"},
		{"a field", change(2, `"seq"`, `"number"`), "line 2: number: unknown field",
			"damaged"},
		{"the end", strings.Join(lines[:len(lines)-2], ""), "the end is missing", "damaged"},
		{"half a row", record[:len(record)-30], fmt.Sprintf("line %d: ", len(lines)-1), "damaged"},
		{"a later version", change(1, `"version":1`, `"version":2`), "version 2; this program",
			"newer"},
		{"a table", "candidate,yield\nA07,60\n", "not what 'purexp campaign export' writes",
			"no campaign"},
		{"nothing", "", "not what 'purexp campaign export' writes", "no campaign"},
	} {
		put(t, dir, "bad.jsonl", x.text)
		out, errs, code := purexp(t, dir, "campaign", "import", "bad.jsonl", "--file",
			"bad.campaign", "--json")
		var said struct{ Error, Kind string }
		if err := json.Unmarshal([]byte(out), &said); err != nil || code != exitFile ||
			said.Kind != x.kind || !strings.Contains(said.Error, "bad.jsonl") ||
			!strings.Contains(said.Error, x.says) || !strings.Contains(errs, x.says) {
			t.Errorf("%s: exit code %d, %v\n%s%s", x.what, code, err, out, errs)
		}
		if _, err := os.Stat("bad.campaign"); err == nil {
			t.Errorf("%s: there is a file", x.what)
		}
	}
	if _, errs, code := purexp(t, dir, "campaign", "import", "record.jsonl", "--file",
		"again.campaign"); code != exitFailure || !strings.Contains(errs,
		"again.campaign: there is a file already") {
		t.Errorf("import over a file: %d %s", code, errs)
	}
}

// change changes a file with the program of somebody who knows SQLite.
func change(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range statements {
		if _, err := db.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

// Files that were edited, or that another version wrote, have exit code 5 and words of their own;
// what is left of a damaged one can be saved.
func TestCampaignDamaged(t *testing.T) {
	dir := platesAt(t)
	works(t, dir, "tell", put(t, dir, "plate.csv", filled(t, works(t, dir, "ask"))))
	good, err := os.ReadFile("plates.campaign")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		command, says, kind string
		edit                []string
	}{
		{"verify", "missing or changed: CREATE VIEW answer", "unverified",
			[]string{"DROP VIEW answer"}},
		{"verify", "event 3 does not fit its hash", "unverified", []string{
			"DROP TRIGGER event_update", "UPDATE event SET who = 'Eve' WHERE seq = 3"}},
		{"status", "events 1 to 2 are intact: 'purexp campaign export --intact'", "damaged",
			[]string{"DROP TRIGGER event_update", "UPDATE event SET who = 'Eve' WHERE seq = 3"}},
		{"ask", "its tables are of version 9, and this program knows up to 1", "newer",
			[]string{"PRAGMA user_version = 9"}},
		{"history", "another SQLite database", "no campaign",
			[]string{"PRAGMA application_id = 9"}},
	} {
		path := put(t, dir, "bad", string(good))
		change(t, path, x.edit...)
		out, errs, code := purexp(t, dir, "campaign", x.command, "--file", "bad", "--json")
		var said struct {
			Error, Kind  string
			Verification *campaign.Verification
		}
		if err := json.Unmarshal([]byte(out), &said); err != nil || code != exitFile ||
			said.Kind != x.kind || !strings.Contains(said.Error, x.says) ||
			!strings.Contains(errs, x.says) {
			t.Errorf("%s after %q: exit code %d, %v\n%s%s", x.command, x.edit, code, err, out, errs)
		}
		if x.command == "verify" && (said.Verification == nil || said.Verification.OK()) {
			t.Errorf("verify after %q: %+v", x.edit, said.Verification)
		}
		if x.kind != "damaged" {
			continue
		}
		_, errs, code = purexp(t, dir, "campaign", "export", "--intact", "--file", "bad", "-o",
			"rescued.jsonl")
		if code != exitOK || !strings.Contains(errs, "2 events are intact. bad: ") {
			t.Errorf("export --intact: %d %s", code, errs)
		}
		works(t, dir, "import", "rescued.jsonl", "--file", "rescued.campaign")
		var s campaign.Status
		says(t, dir, &s, "status", "--file", "rescued.campaign")
		if s.Event != 2 || s.Pending != 3 {
			t.Errorf("rescued: %+v", s)
		}
	}
}
