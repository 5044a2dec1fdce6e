package events

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// A step brings tables of one version to the next.
type step func(*Tx) error

// steps has the step from version v at v-1. Events themselves never change; a step changes what
// is computed from them, or how it is shown.
var steps = []step{}

// migrate brings older tables up to date, after a copy was made: path.v1, for version 1.
func (s *Store) migrate() error { return s.migrateTo(version, steps) }

func (s *Store) migrateTo(version int, steps []step) error {
	var user int
	if err := s.row("PRAGMA user_version", &user); err != nil || user >= version {
		return err
	}
	backup := fmt.Sprintf("%s.v%d", s.path, user)
	if _, err := os.Lstat(backup); err == nil {
		// Of an attempt that was interrupted, or of another process: it is as good as a new one
		// if it can be read, but nobody should guess.
		return fmt.Errorf("%s: to bring the campaign up to date it is copied to %s, and there is "+
			"a file of that name; move it away: %w", s.path, backup, fs.ErrExist)
	}
	// VACUUM INTO copies what is committed, also what is in the WAL.
	if _, err := s.conn.ExecContext(context.Background(), "VACUUM INTO ?", backup); err != nil {
		return errors.Join(fmt.Errorf("%s: no copy could be made, nothing was changed: %w", s.path,
			explain(backup, err)), remove(backup))
	}
	return s.Write(func(tx *Tx) error {
		// Another process may have been faster.
		if err := s.row("PRAGMA user_version", &user); err != nil {
			return err
		}
		for v := user; v < version; v++ {
			if err := steps[v-1](tx); err != nil {
				return fmt.Errorf("%s: from version %d to %d: %w", s.path, v, v+1, err)
			}
		}
		return tx.exec(fmt.Sprintf("PRAGMA user_version = %d", max(user, version)))
	})
}

func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
