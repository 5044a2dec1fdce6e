package events

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// made returns a new store with n events, whose bodies are {"n":1}, {"n":2} and so on.
func made(t *testing.T, n int) *Store {
	t.Helper()
	s, err := Create(filepath.Join(t.TempDir(), "a b#c?%41.campaign"), []string{"yield", "arm"},
		func(tx *Tx) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for i := range n {
		add(t, s, i+1)
	}
	return s
}

func add(t *testing.T, s *Store, n int) {
	t.Helper()
	if err := s.Write(func(tx *Tx) error {
		_, err := tx.Append("Ada", "tell", map[string]int{"n": n})
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// all returns the bodies of the events of s.
func all(t *testing.T, s *Store) []string {
	t.Helper()
	var bodies []string
	if err := s.Read(func(tx *Tx) error {
		return tx.After(new(Chain), func(e *Event) error {
			bodies = append(bodies, string(e.Body))
			return nil
		})
	}); err != nil {
		t.Fatal(err)
	}
	return bodies
}

// behind changes a file through another connection, as another SQLite program would.
func behind(t *testing.T, path string, statements ...string) {
	t.Helper()
	s, err := connect(path, path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, q := range statements {
		if _, err := s.conn.ExecContext(context.Background(), q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

// Events are read back, even after the file was closed. Hashes are computed as the package documentation says.
func TestAppend(t *testing.T) {
	s := made(t, 3)
	path := s.Path()
	s.Now = func() time.Time { return time.Date(1999, 1, 2, 3, 4, 5, 6789, time.UTC) }
	add(t, s, 4) // the clock was set back
	must(t, s.Close())
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := []string{`{"n":1}`, `{"n":2}`, `{"n":3}`, `{"n":4}`}
	if got := all(t, s); !slices.Equal(got, want) {
		t.Errorf("events %v; want %v", got, want)
	}
	if err := s.Read(func(tx *Tx) error {
		if c, err := tx.Last(); err != nil || c.Seq != 4 {
			t.Errorf("the last event is %+v, %v", c, err)
		}
		c := Chain{Seq: 4} // no event follows the last one
		if err := tx.After(&c, func(e *Event) error { return fmt.Errorf("after the last one is %v", e) }); err != nil {
			return err
		}
		c = Chain{}
		return tx.After(&c, func(e *Event) error {
			if late := e.Seq == 4; late != (e.At == "1999-01-02T03:04:05.000006Z") || e.Who != "Ada" || e.What != "tell" || e.Hash != c.Hash {
				t.Errorf("%+v, a chain to %+v", e, c)
			}
			return nil
		})
	}); err != nil {
		t.Error(err)
	}
	// The hash is the SHA-256 sum of the text that the package documentation describes.
	e := Event{Seq: 1, At: "2026-01-02T03:04:05.000006Z", Who: "Ada", What: "tell",
		Body: json.RawMessage(`{"n":1}`)}
	const sum = "ae525b150a5415c6b8e45827b2fe07d0f733357442275fd0e5b92d698ffc94a4"
	if got := e.digest(origin); got != sum {
		t.Errorf("hash %s; want %s", got, sum)
	}
	if e.Time().Nanosecond() != 6000 || Stamp(e.Time()) != e.At {
		t.Errorf("the time of %s is %v", e.At, e.Time())
	}
}

// If a transaction fails or panics, it is rolled back as a whole.
func TestWriteIsWhole(t *testing.T) {
	s := made(t, 1)
	stop := errors.New("stop")
	if err := s.Write(func(tx *Tx) error {
		if _, err := tx.Append("Ada", "tell", 2); err != nil {
			return err
		}
		return stop
	}); !errors.Is(err, stop) {
		t.Error(err)
	}
	func() {
		defer func() { recover() }()
		_ = s.Write(func(tx *Tx) error {
			_, _ = tx.Append("Ada", "tell", 2)
			panic("stop")
		})
	}()
	add(t, s, 2)
	if got := all(t, s); !slices.Equal(got, []string{`{"n":1}`, `{"n":2}`}) {
		t.Errorf("events %v", got)
	}
}

// A name is one line of text with a limited number of bytes; surrounding spaces are removed. The error for any
// other name states the reason.
func TestWho(t *testing.T) {
	most := strings.Repeat("x", MostWho)
	for who, want := range map[string]string{" Ada Lovelace ": "Ada Lovelace", "robot-1": "robot-1", "\tA\u00e4 \n": "A\u00e4", "x": "x",
		most: most, " " + most + " ": most, strings.Repeat("\u00e4", MostWho/2): strings.Repeat("\u00e4", MostWho/2)} {
		if got, err := Name(who); got != want || err != nil {
			t.Errorf("%q: %q, %v; want %q", who, got, err, want)
		}
	}
	const line, nobody = "is not a line of text", "the name of the author is missing; give the name with --as NAME or in the field who"
	for who, want := range map[string]string{"": nobody, " \t ": nobody, "\n": nobody, "a\nb": `"a\nb" ` + line, "a\rb": line, "a\tb": line, "a\x1b[31mb": line,
		"a\x7fb": line, "a\u0085b": line, "a\x00b": line, "\xff": line, "a\xc3": line,
		most + "y":                            `the name "xxxxxxxxxxxxxxxxxxxx"... has 201 bytes; expected at most 200`,
		strings.Repeat("\u00e4", MostWho/2+1): "has 202 bytes; expected at most 200"} {
		if got, err := Name(who); got != "" || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want %q", who, got, err, want)
		}
	}
}

// Times are written in UTC with microseconds, so sorting them as text sorts them by time. An invalid time is read as
// the zero time.
func TestStamp(t *testing.T) {
	at := time.Date(2026, 1, 2, 0, 30, 5, 6999, time.FixedZone("", 3600))
	if got, want := Stamp(at), "2026-01-01T23:30:05.000006Z"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	for text, want := range map[string]time.Time{"2026-01-01T23:30:05.000006Z": at.Truncate(time.Microsecond), "2026-01-02T00:30:05+01:00": at.Truncate(time.Second),
		"": {}, "2026-01-02": {}, "yesterday": {}} {
		if got := (&Event{At: text}).Time(); !got.Equal(want) {
			t.Errorf("%q: %v; want %v", text, got, want)
		}
	}
}

// SQL statements cannot change, remove, replace or insert events.
func TestTriggers(t *testing.T) {
	s := made(t, 2)
	for _, q := range []string{
		"UPDATE event SET who = 'Eve'",
		"DELETE FROM event WHERE seq = 2",
		"INSERT OR REPLACE INTO event VALUES (2, '', '', '', '', '')",
		"INSERT INTO event VALUES (4, '', '', '', '', '')",
		"INSERT INTO event VALUES (0, '', '', '', '', '')",
		"REPLACE INTO event VALUES (1, '', '', '', '', '')",
	} {
		if _, err := s.conn.ExecContext(context.Background(), q); err == nil {
			t.Errorf("%s: no error", q)
		}
	}
	if got := all(t, s); !slices.Equal(got, []string{`{"n":1}`, `{"n":2}`}) {
		t.Errorf("events %v", got)
	}
}

// Problems detects missing triggers, changed views, additional tables, and views for different objectives or another
// order of objectives.
func TestProblems(t *testing.T) {
	s := made(t, 2)
	if p, err := s.Problems([]string{"yield", "arm"}); err != nil || p != nil {
		t.Errorf("of a good file: %q, %v", p, err)
	}
	measurements, arms := "CREATE VIEW measurements AS", "CREATE VIEW arms AS"
	for _, objectives := range [][]string{nil, {"yield"}, {"arm", "yield"}, {"yield", "arms"}} {
		want := []string{"not part of a campaign: " + measurements, "not part of a campaign: " + arms, "missing or changed: " + measurements, "missing or changed: " + arms}
		if p, err := s.Problems(objectives); err != nil || !slices.Equal(p, want) {
			t.Errorf("of %q: %q, %v; want %q", objectives, p, err, want)
		}
	}
	behind(t, s.Path(), "DROP TRIGGER event_update", "CREATE TABLE mine (x)", "CREATE TABLE more (\n  x)", "DROP VIEW answer",
		"CREATE VIEW answer AS SELECT 'all is well'")
	want := []string{"not part of a campaign: CREATE TABLE mine (x)", "not part of a campaign: CREATE TABLE more",
		"not part of a campaign: CREATE VIEW answer AS SELECT 'all is well'",
		"missing or changed: CREATE TRIGGER event_update BEFORE UPDATE ON event", "missing or changed: CREATE VIEW answer AS"}
	if p, err := s.Problems([]string{"yield", "arm"}); err != nil || !slices.Equal(p, want) {
		t.Errorf("%q, %v; want %q", p, err, want)
	}
}

// Files that are not campaigns are rejected with an error of the right kind, and remain unchanged.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "other.db")
	o, err := connect(write(t, other, ""), other, "")
	if err != nil {
		t.Fatal(err)
	}
	o.conn.ExecContext(context.Background(), "CREATE TABLE x (y)")
	o.Close()
	newer, older, named := made(t, 1), made(t, 1), made(t, 1)
	behind(t, newer.Path(), fmt.Sprintf("PRAGMA user_version = %d", version+1))
	behind(t, older.Path(), "PRAGMA user_version = 0") // no version of the program wrote this number
	behind(t, named.Path(), fmt.Sprintf("PRAGMA application_id = %d", application+1))
	for _, c := range []struct {
		path string
		kind error
		says string
	}{
		{other, ErrForeign, "another SQLite database"},
		{write(t, filepath.Join(dir, "t.csv"), "arm,yield\nA,1\n"), ErrForeign, "t.csv"},
		{write(t, filepath.Join(dir, "empty"), ""), ErrForeign, "/empty: this is not a campaign file: the file is empty; remove it, and start the campaign with"},
		{dir, ErrForeign, dir + ": this is not a campaign file, but a folder or a device; give another file"},
		{filepath.Join(dir, "none"), fs.ErrNotExist, "/none: the file does not exist; start a campaign with " +
			"'purexp campaign new', or name another file"},
		{newer.Path(), ErrNewer, fmt.Sprintf("version %d; this program reads versions up to %d", version+1, version)},
		{older.Path(), ErrForeign, ""},
		{named.Path(), ErrForeign, "another SQLite database"},
	} {
		before, _ := os.ReadFile(c.path)
		_, err := Open(c.path)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want %v", c.path, err, c.kind)
		}
		if after, _ := os.ReadFile(c.path); string(before) != string(after) {
			t.Errorf("%s was changed", c.path)
		}
	}
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

// Create writes a complete file or none, and never replaces a file.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	stop := errors.New("stop")
	if _, err := Create(path, nil, func(*Tx) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
	write(t, path, "mine")
	if _, err := Create(path, nil, func(*Tx) error { return nil }); !errors.Is(err, fs.ErrExist) ||
		!strings.HasPrefix(err.Error(), path+": the file already exists; use another path, or open the "+
			"existing campaign") {
		t.Error(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "mine" {
		t.Error("the file was replaced")
	}
	if _, err := Create(filepath.Join(dir, "no", "x"), nil, nil); !errors.Is(err, fs.ErrNotExist) ||
		!strings.Contains(err.Error(), "/no/x: the folder "+filepath.Join(dir, "no")+" does not exist; create it, or "+
			"use another path") {
		t.Error(err)
	}
	// Of four simultaneous calls, one creates the file.
	both := filepath.Join(dir, "both")
	var group sync.WaitGroup
	made := make([]bool, 4)
	for i := range made {
		group.Go(func() {
			s, err := Create(both, nil, func(tx *Tx) error {
				_, err := tx.Append("Ada", "tell", i)
				return err
			})
			if err == nil {
				made[i] = true
				s.Close()
			} else if !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	n := 0
	for _, m := range made {
		if m {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d of 4 goroutines created the file; want 1", n)
	}
}

// On a full disk, nothing is written, and the error says so. Once there is space, writing continues.
func TestFull(t *testing.T) {
	s := made(t, 2)
	ctx := context.Background()
	var pages int
	s.row("PRAGMA page_count", &pages)
	s.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", pages))
	err := s.Write(func(tx *Tx) error {
		_, err := tx.Append("Ada", "tell", strings.Repeat("x", 1<<16))
		return err
	})
	if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "free disk space") {
		t.Errorf("error %v", err)
	}
	s.conn.ExecContext(ctx, "PRAGMA max_page_count = 1000000")
	add(t, s, 3)
	if got := all(t, s); !slices.Equal(got, []string{`{"n":1}`, `{"n":2}`, `{"n":3}`}) {
		t.Errorf("events %.100v", got)
	}
}

// If a commit fails, Write returns the error, and nothing is written. A violated foreign key simulates a disk that
// is full at the commit.
func TestCommitFails(t *testing.T) {
	s := made(t, 2)
	for _, query := range []string{"PRAGMA foreign_keys = ON", "CREATE TABLE temp.a (x INTEGER PRIMARY KEY)",
		"CREATE TABLE temp.b (x REFERENCES a DEFERRABLE INITIALLY DEFERRED)"} {
		if _, err := s.conn.ExecContext(context.Background(), query); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Write(func(tx *Tx) error {
		_, err := tx.Append("Ada", "tell", "lost")
		return errors.Join(err, tx.exec("INSERT INTO temp.b VALUES (1)"))
	}); err == nil {
		t.Error("no error")
	}
	add(t, s, 3)
	if got := all(t, s); !slices.Equal(got, []string{`{"n":1}`, `{"n":2}`, `{"n":3}`}) {
		t.Errorf("events %.100v", got)
	}
}

// A replaced file is neither written nor read.
func TestMoved(t *testing.T) {
	s := made(t, 2)
	must(t, os.Rename(s.Path(), s.Path()+".old"))
	for range 2 {
		err := s.Write(func(tx *Tx) error { _, err := tx.Append("Ada", "tell", 1); return err })
		_, changes := s.Changes()
		for _, err := range []error{err, s.Read(func(*Tx) error { return nil }), changes} {
			if !errors.Is(err, ErrMoved) {
				t.Errorf("error %v", err)
			}
		}
		write(t, s.Path(), "another")
	}
}

// State returns the state last stored by SetState, and the last event that the state includes, unless somebody changed
// the table of states.
func TestState(t *testing.T) {
	s := made(t, 2)
	state := func() (text string, c Chain, at int) {
		if err := s.Read(func(tx *Tx) error {
			raw, seen, err := tx.State()
			if err == nil {
				at, err = tx.StateAt()
			}
			if text, c = string(raw), seen; raw == nil {
				text = "none"
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return text, c, at
	}
	if text, c, at := state(); text != "none" || c != (Chain{}) || at != 0 {
		t.Errorf("before: %s, %v, %d", text, c, at)
	}
	for i, change := range []string{"UPDATE state SET body = '[0]'", "UPDATE state SET seq = 1", "UPDATE state SET hash = (SELECT hash FROM event WHERE seq = 1)",
		"UPDATE state SET seq = 1, hash = (SELECT hash FROM event WHERE seq = 1)", "UPDATE state SET seal = hash", "UPDATE state SET seq = 99", "DELETE FROM state"} {
		n := i + 2
		must(t, s.Write(func(tx *Tx) error { return tx.SetState([]int{n}) }))
		add(t, s, n+1)
		if text, c, at := state(); text != fmt.Sprintf("[%d]", n) || c.Seq != n || at != n || c.Hash == "" {
			t.Errorf("%s after event %d, %d", text, c.Seq, at)
		}
		behind(t, s.Path(), change)
		if text, c, _ := state(); text != "none" || c != (Chain{}) {
			t.Errorf("%s: %s, %v", change, text, c)
		}
	}
}

// Acknowledged events survive a power failure: each commit waits for the disk.
func TestCommitsWaitForTheDisk(t *testing.T) {
	s := made(t, 1)
	var level int
	if err := s.row("PRAGMA synchronous", &level); err != nil || level < 2 { // 2 means FULL
		t.Errorf("synchronous is %d, %v; want 2", level, err)
	}
	var wait int // time in ms that a statement waits for the locks of other processes
	if err := s.row("PRAGMA busy_timeout", &wait); err != nil || wait != 30_000 {
		t.Errorf("a commit waits for %d ms, %v; want half a minute", wait, err)
	}
}
