package nb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// Rows returns the rows of a study, PUREXP_REPS replicates of it if that is
// set. They are simulated at the first call, with a progress bar, and kept on disk:
// later cells, and later runs of the notebook, read them. A run that was
// interrupted goes on where it was.
//
// The rows are kept in the folder that PUREXP_CACHE names, or else in
// build/cache of the project, or else in the user's cache folder, in a file
// whose name depends on the study's settings and on the code: a change of
// either simulates the rows anew.
func Rows(s study.Study) []mc.Row {
	o := study.Options{Reps: Reps(s.Reps)}
	g := Must(s.Grid(o))
	path := Must(cacheFile(s.FileName(), g))
	if rows, _, err := mc.Read(path); err == nil {
		own, all, err := wanted(rows, g)
		Fail(err)
		if all {
			elapsed = played(path)
			return own
		}
	}
	bar := newProgress(s.Title)
	g.Progress = bar.update
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	start := time.Now()
	err := g.Stream(ctx, path)
	elapsed = played(path) + time.Since(start)
	Fail(os.WriteFile(path+".time", []byte(elapsed.String()), 0o666))
	bar.done(err)
	Fail(err)
	rows, _, err := mc.Read(path)
	Fail(err)
	rows, _, err = wanted(rows, g)
	Fail(err)
	return rows
}

// elapsed is how long it took to simulate the rows that Rows returned last, over all
// the times that it was interrupted.
var elapsed time.Duration

// played returns how long it has taken so far to simulate the rows at path.
func played(path string) time.Duration {
	b, err := os.ReadFile(path + ".time")
	if err != nil {
		return 0
	}
	d, _ := time.ParseDuration(string(b)) // a damaged note counts as none
	return d
}

// wanted returns the rows of the replicates that g has: the file may hold more, from a run with more
// of them. It reports whether all are there.
func wanted(rows []mc.Row, g *mc.Grid) (own []mc.Row, all bool, err error) {
	reps, err := g.Replicates()
	if err != nil {
		return nil, false, err
	}
	total := 0
	for _, n := range reps {
		total += n
	}
	own = slices.DeleteFunc(rows, func(r mc.Row) bool { return r.Rep >= reps[r.Key()] })
	return own, len(own) == total, nil
}

// cacheFile returns the path at which the rows of g are kept.
func cacheFile(name string, g *mc.Grid) (string, error) {
	h, err := g.Header()
	if err != nil {
		return "", err
	}
	dir := os.Getenv("PUREXP_CACHE")
	if dir == "" {
		if root, ok := Root(); ok {
			dir = filepath.Join(root, "build", "cache")
		} else if dir, err = os.UserCacheDir(); err != nil {
			return "", fmt.Errorf("nb: there is no place to keep rows; set PUREXP_CACHE: %w", err)
		} else {
			dir = filepath.Join(dir, "purexp")
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("nb: %w", err)
	}
	key := sha256.Sum256([]byte(h.Digest + " " + Version()))
	return filepath.Join(dir, name+"-"+hex.EncodeToString(key[:6])+".jsonl"), nil
}

// Root returns the folder of the project's sources, if this program was built
// from a checkout that is still there.
func Root() (string, bool) {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return "", false
	}
	root := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	_, err := os.Stat(filepath.Join(root, "go.mod"))
	return root, err == nil
}

// Version identifies the code that this program was built from: the module's
// version, or a hash of the sources in the checkout.
func Version() string {
	if root, ok := Root(); ok {
		if h, err := sourceHash(root); err == nil {
			return "source " + h
		}
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == "github.com/purexp/purexp" {
				return m.Version
			}
		}
	}
	return "unknown"
}

// presentation lists the packages whose code has no influence on rows.
var presentation = map[string]bool{"fig": true, "nb": true, "tidy": true, "policytest": true, "testdata": true}

// sourceHash hashes what decides about rows: go.mod, tables and the Go files,
// without tests and presentation.
func sourceHash(root string) (string, error) {
	h := sha256.New()
	add := func(path string) error {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		fmt.Fprintf(h, "%s %d\n", filepath.ToSlash(rel), len(b))
		h.Write(b)
		return nil
	}
	err := add(filepath.Join(root, "go.mod"))
	for _, dir := range []string{"data", "pkg"} {
		err = errors.Join(err, filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			switch name := filepath.Base(path); {
			case err != nil:
				return err
			case d.IsDir() && presentation[name]:
				return filepath.SkipDir
			case d.IsDir(), strings.HasSuffix(name, "_test.go"):
				return nil
			case strings.HasSuffix(name, ".go"), strings.HasSuffix(name, ".csv"):
				return add(path)
			}
			return nil
		}))
	}
	return hex.EncodeToString(h.Sum(nil)[:4]), err
}
