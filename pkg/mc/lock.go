package mc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ErrLocked says that another process is writing a file of rows.
var ErrLocked = errors.New("another process is writing this file")

// lock keeps other processes, and other calls in this one, from writing the
// file at path, by a lock on path.lock which ends with the process, however it
// ends. The file path.lock exists while the lock is held and holds the number
// of the process, for messages.
func lock(path string) (unlock func(), err error) {
	// Two names of one file need one lock.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	name := path + ".lock"
	unlock, err = acquire(name)
	if errors.Is(err, ErrLocked) {
		who := "another process"
		if text, e := os.ReadFile(name); e == nil && len(text) > 0 {
			who = "process " + strings.TrimSpace(string(text))
		}
		return nil, fmt.Errorf("mc: %s: %w: %s (%s); wait for it to end, or write to another path", path, ErrLocked, who, name)
	}
	if err != nil {
		return nil, fmt.Errorf("mc: %w", err)
	}
	return unlock, nil
}

// owner is what a lock file holds.
func owner() string {
	host, err := os.Hostname()
	if err != nil {
		return fmt.Sprintln(os.Getpid())
	}
	return fmt.Sprintf("%d on %s\n", os.Getpid(), host)
}
