package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/internal/checkout"
)

// FolderVariable is the environment variable that names the folder with the tables that are not
// embedded.
const FolderVariable = "PUREXP_DATA"

// Folder returns the folder with the tables that are not embedded. These tables are not embedded
// because their sources are under the GPL. In a checkout of the project, this is the folder data.
// Folder looks in the following places, in order:
//
//   - the value of PUREXP_DATA, and nothing else if the variable is set;
//   - the sources around the working directory;
//   - the sources from which the program was built, a checkout or a downloaded module.
//
// If no such folder exists, Folder returns an error that explains what to do.
func Folder() (string, error) {
	if dir := os.Getenv(FolderVariable); dir != "" {
		switch info, err := os.Stat(dir); {
		case errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("dataset: %s=%s: the folder does not exist; set the variable to the folder "+
				"\"data\" of a clone of purexp", FolderVariable, dir)
		case err != nil:
			return "", fmt.Errorf("dataset: %s: %w", FolderVariable, err)
		case !info.IsDir():
			return "", fmt.Errorf("dataset: %s=%s is not a folder; set the variable to the folder \"data\" of a "+
				"clone of purexp", FolderVariable, dir)
		}
		return dir, nil
	}
	if root, ok := checkout.Root(); ok {
		return filepath.Join(root, "data"), nil
	}
	return "", fmt.Errorf("dataset: the folder \"data\" of the source code of purexp was not found, and this table "+
		"is not compiled in, because it is under the GPL; clone https://github.com/purexp/purexp with git and run "+
		"the program in the clone, or set %s to the folder", FolderVariable)
}

func stored(path string, columns ...string) (dataframe.DataFrame, error) {
	dir, err := Folder()
	if err != nil {
		return dataframe.DataFrame{Err: err}, fmt.Errorf("%w (wanted: %s)", err, path)
	}
	df, err := frame.ReadCSV(filepath.Join(dir, filepath.FromSlash(path)), columns...)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("dataset: %s is not in %s; if %s names this folder, set the variable to the folder \"data\" "+
			"of a clone of purexp", path, dir, FolderVariable)
	}
	return df, err
}
