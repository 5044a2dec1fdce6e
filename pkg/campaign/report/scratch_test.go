package report_test

import "os"

// scratch returns a folder for an example, and a function that removes it.
func scratch() (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "purexp")
	if err != nil {
		panic(err)
	}
	return dir, func() { _ = os.RemoveAll(dir) }
}
