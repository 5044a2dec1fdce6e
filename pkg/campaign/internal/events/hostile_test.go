//go:build !nosqlite

package events

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// Malicious files are rejected before any of their expressions is evaluated.
func TestHostileFiles(t *testing.T) {
	endless := "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n AS seq, " +
		"'' AS at, '' AS who, '' AS what, '' AS body, '' AS hash FROM r"
	for name, queries := range map[string][]string{
		"an endless view":     {"DROP TABLE event", "CREATE VIEW event AS " + endless},
		"a large view":        {"DROP TABLE state", "CREATE VIEW state AS SELECT hex(zeroblob(240000000)) AS body"},
		"in capitals":         {"ALTER TABLE event RENAME TO e", "CREATE VIEW EVENT AS " + endless},
		"a trigger":           {"CREATE TRIGGER x AFTER INSERT ON event BEGIN DELETE FROM state; END"},
		"a trigger, capitals": {"CREATE TRIGGER x AFTER INSERT ON EVENT BEGIN DELETE FROM state; END"},
		"a generated column":  {"ALTER TABLE event ADD COLUMN more AS (hex(zeroblob(240000000)))"},
		"an index":            {"CREATE INDEX x ON event (body)"},
		"a table that is not": {"DROP TABLE undone"},
		"a virtual table":     {"DROP TABLE undone", "CREATE VIRTUAL TABLE undone USING fts5(seq, \"by\")"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "hostile.campaign")
			s, err := Create(path, []string{"y"}, func(tx *Tx) error {
				_, err := tx.Append("Ada", "problem", "x")
				return err
			})
			if err != nil || s.Close() != nil {
				t.Fatal(err)
			}
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range queries {
				if _, err := db.Exec(q); err != nil {
					t.Fatal(err)
				}
			}
			must(t, db.Close())
			done := make(chan error, 1)
			go func() {
				s, err := Open(path)
				if err == nil {
					err = fmt.Errorf("opened: %w", s.Close())
				}
				done <- err
			}()
			select {
			case err := <-done:
				if !errors.Is(err, ErrForeign) {
					t.Errorf("%v; want ErrForeign", err)
				}
			case <-time.After(5 * time.Minute):
				t.Fatal("no end")
			}
		})
	}
}

// Open accepts files with additional views and missing triggers.
func TestOwnViews(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.campaign")
	s, err := Create(path, []string{"y"}, func(tx *Tx) error {
		_, err := tx.Append("Ada", "problem", "x")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"CREATE VIEW mine AS SELECT * FROM event", "DROP TRIGGER event_next"} {
		must(t, s.Write(func(tx *Tx) error { return tx.exec(q) }))
	}
	must(t, s.Close())
	if s, err = Open(path); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// Other readers of the file would see the bytes of a BLOB instead of text, and a line break could give two events the
// same hash. A cell with a BLOB or a line break is therefore reported as damage.
func TestCellsOfEvents(t *testing.T) {
	for name, query := range map[string]string{
		"a body of bytes": "UPDATE event SET body = CAST(body AS BLOB)",
		"a name of bytes": "UPDATE event SET who = CAST(who AS BLOB)",
		"a line break":    "UPDATE event SET at = at || char(10)",
	} {
		path := filepath.Join(t.TempDir(), "x.campaign")
		s, err := Create(path, nil, func(tx *Tx) error {
			_, err := tx.Append("Ada", "problem", "x")
			return err
		})
		if err != nil || s.Close() != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("DROP TRIGGER event_update; " + query); err != nil || db.Close() != nil {
			t.Fatal(err)
		}
		var d *Damage
		if list, err := Intact(path); !errors.As(err, &d) || d.Intact != 0 || len(list) != 0 {
			t.Errorf("%s: %d events, %v", name, len(list), err)
		}
	}
}
