//go:build !nosqlite

package events

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"
)

// A file that another program has locked is reported as busy, not as damaged. The file can be used again after the
// lock is released.
func TestBusy(t *testing.T) {
	path, ctx := filepath.Join(t.TempDir(), "x.campaign"), context.Background()
	s, err := Create(path, nil, func(tx *Tx) error { _, err := tx.Append("Ada", "tell", 1); return err })
	if err != nil || s.Close() != nil {
		t.Fatal(err)
	}
	other, err := connect(path, path, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE"} {
		if _, err := other.conn.ExecContext(ctx, q); err != nil {
			t.Fatal(err)
		}
	}
	db, err := sql.Open("sqlite", path+"?_pragma=busy_timeout(0)") // this connection never waits for locks
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	s = &Store{path: path, db: db, conn: conn, Now: time.Now}
	defer s.Close()
	uses := map[string]func() error{
		"reading": func() error {
			return s.Read(func(tx *Tx) error { return tx.After(new(Chain), func(*Event) error { return nil }) })
		},
		"writing": func() error {
			return s.Write(func(tx *Tx) error { _, err := tx.Append("Ada", "tell", 2); return err })
		},
	}
	for name, use := range uses {
		if err := use(); !errors.Is(err, ErrBusy) || errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v; want ErrBusy", name, err)
		}
	}
	must(t, other.Close())
	for name, use := range uses {
		if err := use(); err != nil {
			t.Errorf("%s afterwards: %v", name, err)
		}
	}
}
