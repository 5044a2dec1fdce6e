// Package regular opens files whose names users provide. Pipes and devices are rejected, because a
// program could wait forever for them.
package regular

import (
	"fmt"
	"os"
)

// Open opens a file for reading. Open returns an error for pipes and devices. Open accepts folders;
// reading a folder then fails with an error of the operating system.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		kind := "a device"
		if info.Mode()&os.ModeNamedPipe != 0 {
			kind = "a pipe"
		}
		return nil, fmt.Errorf("%s is %s, not a regular file; write its contents to a file, and use that "+
			"file", path, kind)
	}
	return os.Open(path)
}
