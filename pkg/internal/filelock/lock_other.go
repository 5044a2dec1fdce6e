//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package filelock

import (
	"errors"
	"io/fs"
	"os"
)

// acquire creates the file called name. Unlike on other systems, it stays if
// the process is killed, and has to be removed by hand.
func acquire(name string) (release func(), err error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, ErrHeld
	}
	if err != nil {
		return nil, err
	}
	_, _ = f.WriteString(owner())
	f.Close()
	return func() { os.Remove(name) }, nil
}
