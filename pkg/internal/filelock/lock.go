// Package filelock keeps two processes from writing one file.
//
//	unlock, err := filelock.Lock("rows.jsonl")
//	defer unlock()
package filelock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// ErrHeld says that another process is writing a file.
var ErrHeld = errors.New("another process is writing this file")

// Lock keeps other processes, and other calls in this one, from writing the
// file at path, by a lock on path.lock which ends with the process, however it
// ends. The file path.lock exists while the lock is held and holds the number
// of the process, for messages. An error that wraps ErrHeld says who holds it.
func Lock(path string) (unlock func(), err error) {
	// Two names of one file need one lock.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	name := path + ".lock"
	unlock, err = acquire(name)
	switch {
	case errors.Is(err, ErrHeld):
		who := "another process"
		if text, e := os.ReadFile(name); e == nil && len(text) > 0 {
			who = "process " + strings.TrimSpace(string(text))
		}
		return nil, fmt.Errorf("%s: %w: %s (%s); wait for it to end, or write to another path",
			path, ErrHeld, who, name)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no folder %s; make it, or write to another path: %w",
			path, filepath.Dir(path), fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(unlock), nil // a second call must not free the lock of others
}

// owner is what a lock file holds.
func owner() string {
	host, err := os.Hostname()
	if err != nil {
		return fmt.Sprintln(os.Getpid())
	}
	return fmt.Sprintf("%d on %s\n", os.Getpid(), host)
}
