package problem

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/purexp/purexp/pkg/internal/csvtable"
	"github.com/purexp/purexp/pkg/internal/regular"
)

// Read reads the problem file at path. Tables are looked for beside it.
func Read(path string) (*Problem, error) {
	if ext := strings.ToLower(filepath.Ext(path)); ext == ".csv" || ext == ".tsv" {
		return nil, Errors{{File: path, Text: fmt.Sprintf("a table, and no problem file; 'purexp problem "+
			"new %s' writes one for it", path)}}
	}
	text, err := contents(path, LargestFile)
	if err != nil {
		return nil, err
	}
	return Parse(path, text, func(name string) ([]byte, error) {
		if strings.TrimSpace(name) != name || name == "" {
			return nil, fmt.Errorf("%q is no name of a file", name)
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		return contents(name, csvtable.Largest)
	})
}

// OpenFile opens a file that a person names, to read it. Pipes and devices, on which a program may wait for ever, are an error.
func OpenFile(path string) (*os.File, error) { return regular.Open(path) }

// ReadFile returns what is in a file that a person names, and one byte more than a table may have if it is larger, see
// OpenFile.
func ReadFile(path string) ([]byte, error) { return contents(path, csvtable.Largest) }

// contents returns what is in a file, and one byte more than the most if it is larger.
func contents(path string, most int64) ([]byte, error) {
	f, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was read only
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}
