package main

import (
	"database/sql"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
)

// change edits a campaign file with SQL statements.
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

// If a file was edited or was written by a newer version, commands fail with exit code 5 and a specific message. The
// intact events of a damaged file can be exported.
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
		{"verify", "missing or changed: CREATE VIEW answer", "unverified", []string{"DROP VIEW answer"}},
		{"verify", "event 3 does not match its hash", "unverified", []string{
			"DROP TRIGGER event_update", "UPDATE event SET who = 'Eve' WHERE seq = 3"}},
		{"status", "events 1 to 2 are intact: save these events with 'purexp campaign export --intact'", "damaged",
			[]string{"DROP TRIGGER event_update", "UPDATE event SET who = 'Eve' WHERE seq = 3"}},
		{"ask", "the tables have version 9; this program reads versions up to 1", "newer",
			[]string{"PRAGMA user_version = 9"}},
		{"history", "another SQLite database", "no campaign", []string{"PRAGMA application_id = 9"}},
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
		_, errs, code = purexp(t, dir, "campaign", "export", "--intact", "--file", "bad", "-o", "rescued.jsonl")
		if code != exitOK || !strings.Contains(errs, "wrote 2 intact events. bad: ") {
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
