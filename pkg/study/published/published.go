// Package published reads the published rows of every experiment. Published rows are in the folder
// results, in one compressed file per experiment, with the paper's number of replicates and seed 1.
//
//	rows, header, err := published.Read(rage.Benchmark.Study())
//
// Rows do not depend on the machine, so figures, tables and verdicts can be made from published
// rows without simulation. [Of] finds the published rows of a grid. [Verify] simulates a sample of
// the published rows again, and compares the results.
package published

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/purexp/purexp/pkg/internal/checkout"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// FolderVariable is the environment variable that names the folder of published rows; for the
// default, see [Folder].
const FolderVariable = "PUREXP_RESULTS"

// ErrNone reports a study without published rows.
var ErrNone = errors.New("no published rows")

// Folder returns the folder of published rows: the value of PUREXP_RESULTS or, if it is not set,
// the folder results in the sources of the project. Folder looks for the sources in the working
// directory and its parents, and then uses the sources from which the program was built. The
// published rows are a Go module of their own, so if the sources are a downloaded module, Folder
// returns the folder of the downloaded rows of the same version. If these rows have not been
// downloaded, the error is a [NotDownloaded].
func Folder() (string, error) {
	if dir := os.Getenv(FolderVariable); dir != "" {
		return dir, nil
	}
	root, ok := checkout.Root()
	if !ok {
		return "", fmt.Errorf("published: %w: the folder \"results\" of the source code of purexp was not found; "+
			"clone https://github.com/purexp/purexp with git and run the command in the clone, or set %s to the "+
			"folder", ErrNone, FolderVariable)
	}
	dir := filepath.Join(root, "results")
	_, version, downloaded := strings.Cut(filepath.Base(root), "@")
	if _, err := os.Stat(dir); err == nil || !downloaded { // a checkout may also have an @ in its name
		return dir, nil
	}
	dir = filepath.Join(filepath.Dir(root), "purexp", "results@"+version)
	if _, err := os.Stat(dir); err != nil {
		return "", NotDownloaded{"github.com/purexp/purexp/results@" + version}
	}
	return dir, nil
}

// NotDownloaded reports that the module with the published rows must be downloaded. NotDownloaded
// wraps [ErrNone].
type NotDownloaded struct{ Module string } // path@version

func (e NotDownloaded) Error() string {
	return fmt.Sprintf("published: %v: the rows are in a separate module; run 'go mod download %s' (23 MB)",
		ErrNone, e.Module)
}

func (NotDownloaded) Unwrap() error { return ErrNone }

// Path returns the path of the published rows of an experiment.
func Path(s study.Study) (string, error) {
	dir, err := Folder()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, s.FileName()+".jsonl"+mc.Packed), nil
}

// Read returns the published rows of an experiment, and the header of their file. If the experiment
// has no published rows, the error wraps ErrNone.
func Read(s study.Study) ([]mc.Row, mc.Header, error) {
	path, err := Path(s)
	if err != nil {
		return nil, mc.Header{}, err
	}
	rows, h, err := mc.Read(path)
	return rows, h, none(err, path)
}

// none converts the error about a missing file to an error that wraps ErrNone.
func none(err error, path string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("published: %w: %s does not exist; simulate the rows with 'purexp run'", ErrNone, path)
	}
	return err
}

// Same reports whether the file of rows at path has the same rows as the published file, whichever
// version of the code wrote them.
func Same(s study.Study, path string) (bool, error) {
	old, was, err := Read(s)
	if err != nil {
		return false, err
	}
	rows, now, err := mc.Read(path)
	if err != nil {
		return false, err
	}
	return was.Differ(&now) == "" && reflect.DeepEqual(old, rows), nil
}
