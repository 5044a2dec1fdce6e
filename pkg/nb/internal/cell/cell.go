// Package cell contains functions that the notebook packages share. The functions end a cell with
// an error, find the folder for temporary files, and show the progress of long runs.
package cell

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/purexp/purexp/pkg/internal/checkout"
)

// Exit ends the process; tests replace Exit.
var Exit = os.Exit

// Fail ends the cell with the message of err, unless err is nil.
func Fail(err error) {
	if err == nil {
		return
	}
	gonbui.Sync()
	fmt.Fprintln(os.Stderr, "error:", err)
	Exit(1)
}

// Rows returns err with line numbers, such as "name:3", replaced by row numbers of the frame, such
// as "row 2 of the table". The argument name is the file name in the message of err.
func Rows(err error, name string) error {
	if err == nil {
		return nil
	}
	lines := regexp.MustCompile(regexp.QuoteMeta(name) + `:(\d+)`)
	text := lines.ReplaceAllStringFunc(err.Error(), func(where string) string {
		line, _ := strconv.Atoi(lines.FindStringSubmatch(where)[1])
		return fmt.Sprintf("row %d of the table", line-1)
	})
	return errors.New(strings.ReplaceAll(text, name, "the table"))
}

// Folder returns the folder for files that may be deleted at any time, and creates it if necessary.
// If $PUREXP_CACHE is set, it names the folder for temporary files. If $PUREXP_CACHE is not set,
// the folder is build/cache in a checkout of the project, and purexp in the user's cache folder
// elsewhere.
func Folder() (dir string, err error) {
	dir = os.Getenv("PUREXP_CACHE")
	if dir == "" {
		if root, ok := checkout.Root(); ok {
			dir = filepath.Join(root, "build", "cache")
		} else if dir, err = os.UserCacheDir(); err != nil {
			return "", fmt.Errorf("nb: no folder for cached rows was found; set PUREXP_CACHE to a folder: %w", err)
		} else {
			dir = filepath.Join(dir, "purexp")
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("nb: %w", err)
	}
	return dir, nil
}
