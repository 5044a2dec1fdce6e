package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/internal/strictjson"
	"github.com/purexp/purexp/pkg/tidy"
)

// A result is a line of the file of results.
type result struct {
	Fault   string   `json:"fault"`
	Package string   `json:"package"`
	File    string   `json:"file"`
	Outcome outcome  `json:"outcome"`
	Tests   []string `json:"tests,omitempty"` // the first that failed
	Seconds float64  `json:"seconds"`         // of processor time
	Key     string   `json:"key"`             // hash of the fault, its package and its tests
}

// key hashes what the outcome of f is most likely to depend on: what it replaces, and all files of
// its package and of the packages whose tests are to find it.
func key(root string, f *fault) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, f.file, f.old, f.new, f.tests)
	dirs := []string{f.pkg()}
	for _, s := range f.tests {
		for _, dir := range s.packages() {
			dirs = append(dirs, strings.TrimPrefix(dir, "./"))
		}
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(h, "%s %d\n", filepath.Base(file), len(b))
			h.Write(b)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// load reads a file of results, by key; without a file there are none.
func load(name string) (map[string]result, error) {
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all := map[string]result{}
	n := 0
	for line := range bytes.Lines(b) {
		n++
		var r result
		if err := strictjson.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s:%d: %w; remove the file to start anew", name, n, err)
		}
		all[r.Key] = r
	}
	return all, nil
}

// save writes the results so far, in one go.
func save(name string, rs []result) error {
	var b bytes.Buffer
	for _, r := range rs {
		if r.Outcome == "" {
			continue
		}
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		b.Write(append(line, '\n'))
	}
	if err := os.WriteFile(name+".new", b.Bytes(), 0o666); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// count returns how many results have an outcome.
func count(rs []result, o outcome) (n int) {
	for _, r := range rs {
		if r.Outcome == o {
			n++
		}
	}
	return n
}

// report prints how many faults of each package died, and names those that did not.
func report(w io.Writer, rs []result) {
	columns := []tidy.Column{{Name: "package"}, {Name: "faults"}}
	for _, o := range outcomes {
		columns = append(columns, tidy.Column{Name: string(o)})
	}
	columns = append(columns, tidy.Column{Name: "processor time (s)"})
	t := &tidy.Table{Title: "Planted faults", Columns: columns}
	row := func(name string, rs []result) {
		cells, all := []any{name, 0}, 0
		for _, o := range outcomes {
			n := count(rs, o)
			cells, all = append(cells, n), all+n
		}
		seconds := 0.
		for _, r := range rs {
			seconds += r.Seconds
		}
		cells[1] = all
		t.Rows = append(t.Rows, append(cells, math.Round(seconds)))
	}
	packages := map[string][]result{}
	for _, r := range rs {
		packages[r.Package] = append(packages[r.Package], r)
	}
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		row(name, packages[name])
	}
	row("all", rs)
	fmt.Fprintln(w, t.Markdown())
	for _, r := range rs {
		if r.Outcome == survived || r.Outcome == timedOut {
			fmt.Fprintf(w, "%s: %s (%s)\n", r.Outcome, r.Fault, r.File)
		}
	}
}
