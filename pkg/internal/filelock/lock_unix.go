//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// acquire locks the file called name.
func acquire(name string) (release func(), err error) {
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			f.Close()
			return nil, ErrHeld
		}
		// Other errors mean a file system without locks. It is better to simulate
		// there without one than not at all.

		// The last owner may have removed the file between our opening and
		// locking it. Then somebody else may hold a new one by that name.
		mine, err1 := f.Stat()
		there, err2 := os.Stat(name)
		if err1 != nil || err2 != nil || !os.SameFile(mine, there) {
			f.Close()
			if err1 != nil {
				return nil, err1
			}
			continue
		}
		// For messages only.
		_ = f.Truncate(0)
		_, _ = f.WriteAt([]byte(owner()), 0)
		return func() {
			os.Remove(name)
			f.Close()
		}, nil
	}
}
