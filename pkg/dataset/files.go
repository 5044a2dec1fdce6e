package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/tidy"
)

// FolderVariable is the environment variable that names the folder of the
// tables which are not compiled in.
const FolderVariable = "PUREXP_DATA"

// Folder returns the folder with the tables that are not compiled in, because
// their source is under the GPL: the folder data of the project's sources. It is
// looked for
//
//   - where the environment variable PUREXP_DATA says, and nowhere else if it is
//     set;
//   - in the sources that the working directory lies in;
//   - in the sources that the program was built from, be they a checkout or a
//     module that the go command has downloaded.
//
// The error, if there is none, says what to do.
func Folder() (string, error) {
	if dir := os.Getenv(FolderVariable); dir != "" {
		switch info, err := os.Stat(dir); {
		case errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("dataset: %s=%s: there is no such folder; "+
				"set it to the folder data of the sources of purexp", FolderVariable, dir)
		case err != nil:
			return "", fmt.Errorf("dataset: %s: %w", FolderVariable, err)
		case !info.IsDir():
			return "", fmt.Errorf("dataset: %s=%s is no folder; "+
				"set it to the folder data of the sources of purexp", FolderVariable, dir)
		}
		return dir, nil
	}
	var from []string
	if wd, err := os.Getwd(); err == nil {
		from = append(from, wd)
	}
	// With -trimpath the name of a source file is not a path.
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		from = append(from, filepath.Dir(file))
	}
	for _, dir := range from {
		if root, ok := sources(dir); ok {
			return filepath.Join(root, "data"), nil
		}
	}
	return "", fmt.Errorf("dataset: the folder data of the sources of purexp is not there: "+
		"this table is not compiled in, because its source is under the GPL; "+
		"get the sources (git clone https://github.com/purexp/purexp) and run in them, "+
		"or set %s to their folder data", FolderVariable)
}

// sources returns the root of the sources of this module that dir lies in.
func sources(dir string) (root string, ok bool) {
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

// stored reads a table that is not compiled in.
func stored(path string, columns ...string) (dataframe.DataFrame, error) {
	dir, err := Folder()
	if err != nil {
		return dataframe.DataFrame{Err: err}, fmt.Errorf("%w (wanted: %s)", err, path)
	}
	df, err := tidy.ReadCSV(filepath.Join(dir, filepath.FromSlash(path)), columns...)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("dataset: %s is not in %s; if %s names that folder, "+
			"it is not the folder data of the sources of purexp", path, dir, FolderVariable)
	}
	return df, err
}
