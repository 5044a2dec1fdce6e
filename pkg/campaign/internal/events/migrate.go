package events

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	if err := s.backUp(fmt.Sprintf("%s.v%d", s.path, user), user); err != nil {
		return err
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

// backUp copies all events of a file of version user to the file at path, which is there whole or
// not at all. One that is there already, of an attempt that was interrupted or of another process,
// will do if it has the same events; another one is not touched.
func (s *Store) backUp(path string, user int) error {
	bad := func(err error) error {
		return fmt.Errorf("%s: no copy could be made, nothing was changed: %w", s.path, err)
	}
	if _, err := os.Lstat(path); err == nil {
		return s.isCopied(path, user)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return bad(err)
	}
	temp := f.Name()
	defer os.Remove(temp)
	if err := errors.Join(f.Chmod(0o644), f.Close()); err != nil {
		return bad(err)
	}
	// It copies what is committed, also what is in the WAL, and does not wait for the disk.
	if _, err := s.conn.ExecContext(context.Background(), "VACUUM INTO ?", temp); err != nil {
		return bad(explain(path, err))
	}
	if f, err = os.OpenFile(temp, os.O_RDWR, 0); err == nil {
		err = errors.Join(f.Sync(), f.Close())
	}
	if err != nil {
		return bad(err)
	}
	if err = place(temp, path); errors.Is(err, fs.ErrExist) {
		return s.isCopied(path, user)
	}
	if err != nil {
		return bad(err)
	}
	return nil
}

// isCopied returns nil if the file at path is of version user and has the events of s.
func (s *Store) isCopied(path string, user int) error {
	last := func(s *Store) (c Chain, err error) {
		err = s.Read(func(tx *Tx) error { return tx.After(&c, func(*Event) error { return nil }) })
		return c, err
	}
	old, err := open(path, "")
	if err == nil {
		defer old.Close()
		var version int
		var was, is Chain
		if err = old.check(); err == nil {
			err = old.row("PRAGMA user_version", &version)
		}
		if err == nil {
			was, err = last(old)
		}
		if err == nil {
			is, err = last(s)
		}
		if err == nil && version == user && was == is {
			return nil
		}
	}
	return errors.Join(fmt.Errorf("%s: to bring the campaign up to date it is copied to %s, and "+
		"there is another file of that name; move it away: %w", s.path, path, fs.ErrExist), err)
}
