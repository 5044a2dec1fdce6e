// Package regular opens files that a person names: pipes and devices, on which a program may wait for ever, are an
// error.
package regular

import (
	"fmt"
	"os"
)

// Open opens a file to read it. What is neither a file nor a folder, of which the system says itself that it cannot be
// read, is an error.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		kind := "a device"
		if info.Mode()&os.ModeNamedPipe != 0 {
			kind = "a pipe"
		}
		return nil, fmt.Errorf("%s: it is %s, and not a file; write its contents to a file, and name that", path, kind)
	}
	return os.Open(path)
}
