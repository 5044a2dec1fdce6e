package filelock

import (
	"errors"
	"os"
	"syscall"
)

// errSharingViolation is ERROR_SHARING_VIOLATION of the Windows API.
const errSharingViolation = syscall.Errno(32)

// acquire opens the file called name so that nobody else can write it.
func acquire(name string) (release func(), err error) {
	p, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(p, syscall.GENERIC_READ|syscall.GENERIC_WRITE,
		syscall.FILE_SHARE_READ,
		nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, errSharingViolation) {
		return nil, ErrHeld
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	f := os.NewFile(uintptr(h), name)
	// For messages only.
	_ = f.Truncate(0)
	_, _ = f.WriteAt([]byte(owner()), 0)
	return func() {
		f.Close()
		os.Remove(name)
	}, nil
}
