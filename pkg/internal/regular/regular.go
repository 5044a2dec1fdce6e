// Package regular opens files named by users. Package regular rejects pipes and devices, on which a
// program could wait forever.
package regular

import (
	"fmt"
	"os"
)

// Open opens a file for reading. Open returns an error for pipes and devices. Open accepts folders,
// for which the system reports an error when they are read.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		kind := "a device"
		if info.Mode()&os.ModeNamedPipe != 0 {
			kind = "a pipe"
		}
		return nil, fmt.Errorf("%s: it is %s, not a file; write its contents to a file, and name the file", path, kind)
	}
	return os.Open(path)
}
