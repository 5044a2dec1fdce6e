// Package filelock prevents two processes from writing the same file.
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
	"runtime"
	"strings"
	"sync"

	"github.com/gofrs/flock"
)

// ErrHeld reports that another process or call holds the lock of a file.
var ErrHeld = errors.New("another process is writing this file")

// Lock prevents other processes, and other calls in this process, from writing the file at path.
// The lock is on the file path.lock; the operating system releases the lock however the process
// ends. While the lock is held, the file path.lock exists and contains the process ID for messages.
// If another process or call holds the lock, Lock returns an error that wraps ErrHeld and names the
// holder. If the system or the file system has no locks, Lock succeeds without a lock.
func Lock(path string) (unlock func(), err error) {
	// Different names of the same file would have different locks, so resolve symbolic links first.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	name := path + ".lock"
	unlock, err = acquire(name)
	switch {
	case errors.Is(err, ErrHeld):
		who := "another process"
		if text := owner(name); text != "" {
			who = "process " + text
		}
		return nil, fmt.Errorf("%s: %w: %s (%s); wait until that process ends, or write to another path",
			path, ErrHeld, who, name)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: the folder %s does not exist; create it, or write to another path: %w",
			path, filepath.Dir(path), fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(unlock), nil // a second call must not release the lock of another process
}

func acquire(name string) (release func(), err error) {
	for {
		l := flock.New(name, flock.SetFlag(os.O_RDWR|os.O_CREATE), flock.SetPermissions(0o666))
		ok, err := l.TryLock()
		var unopened *fs.PathError
		switch {
		case errors.As(err, &unopened) && !errors.Is(err, errors.ErrUnsupported):
			return nil, err
		case err != nil: // the system or file system has no locks: continue without a lock
			return func() { os.Remove(name) }, nil
		case !ok:
			return nil, ErrHeld
		}
		// The previous owner may have removed the lock file after Lock opened it and before Lock
		// locked it. If the last owner removed the file, another process may hold the lock of a new
		// file with the same name.
		mine, err1 := l.Stat()
		there, err2 := os.Stat(name)
		if err1 != nil || err2 != nil || !os.SameFile(mine, there) {
			l.Close()
			if err1 != nil {
				return nil, err1
			}
			continue
		}
		sign(name)
		return func() {
			if runtime.GOOS == "windows" { // Windows cannot remove an open file
				l.Close()
				os.Remove(name)
				return
			}
			os.Remove(name) // after Close, the file of this name may belong to the next owner
			l.Close()
		}, nil
	}
}

// textAt is the position of the owner's text in the lock file. On Windows, the first byte of the
// file is locked and cannot be read.
const textAt = 1

// sign writes the owner of the lock to the lock file, for error messages.
func sign(name string) {
	text := fmt.Sprintln(os.Getpid())
	if host, err := os.Hostname(); err == nil {
		text = fmt.Sprintf("%d on %s\n", os.Getpid(), host)
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.WriteAt([]byte(text), textAt)
	_ = f.Truncate(textAt + int64(len(text)))
}

// owner returns the text that sign wrote, or "" if it cannot be read.
func owner(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	b := make([]byte, 300)
	n, _ := f.ReadAt(b, textAt)
	return strings.TrimSpace(string(b[:n]))
}
