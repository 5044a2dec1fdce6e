// Package cell is what the packages that notebooks call share: how a cell ends, where files that
// can be thrown away are kept, how far a long run is.
package cell

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/purexp/purexp/pkg/internal/checkout"
)

// Exit ends the process; tests replace it.
var Exit = os.Exit

// Fail ends the cell with the message of err, if it is not nil.
func Fail(err error) {
	if err == nil {
		return
	}
	gonbui.Sync()
	fmt.Fprintln(os.Stderr, "error:", err)
	Exit(1)
}

// Folder returns the folder of files that can be thrown away, and makes it: the one that
// PUREXP_CACHE names, or else build/cache of the project, or else the user's cache folder.
func Folder() (dir string, err error) {
	dir = os.Getenv("PUREXP_CACHE")
	if dir == "" {
		if root, ok := checkout.Root(); ok {
			dir = filepath.Join(root, "build", "cache")
		} else if dir, err = os.UserCacheDir(); err != nil {
			return "", fmt.Errorf("nb: there is no folder to store rows in; set PUREXP_CACHE: %w", err)
		} else {
			dir = filepath.Join(dir, "purexp")
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("nb: %w", err)
	}
	return dir, nil
}
