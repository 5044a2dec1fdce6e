// Package checkout finds the sources of this project on disk, including the files that are not
// embedded.
//
//	root, ok := checkout.Root() // the folder of go.mod
package checkout

import (
	"bufio"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Root returns the root folder of the project's sources. Root first searches the working directory
// and its parents. Root then tries the sources from which the program was built (a checkout or a
// downloaded module), if they still exist.
func Root() (root string, ok bool) {
	var from []string
	if wd, err := os.Getwd(); err == nil {
		from = append(from, wd)
	}
	// If the program was built with -trimpath, the name of a source file is not a path.
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		from = append(from, filepath.Dir(file))
	}
	for _, dir := range from {
		if root, ok := above(dir); ok {
			return root, true
		}
	}
	return "", false
}

// above returns the root of the project's sources that contain dir.
func above(dir string) (root string, ok bool) {
	for {
		if isModule(filepath.Join(dir, "go.mod")) {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// isModule reports whether a file is the go.mod of this module.
func isModule(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if fields := strings.Fields(s.Text()); len(fields) == 2 && fields[0] == "module" {
			return strings.Trim(fields[1], `"`) == "github.com/purexp/purexp"
		}
	}
	return false
}
