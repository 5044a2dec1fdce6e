package nb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// kept is where the rows of a grid are on disk.
type kept struct {
	title string
	grid  *mc.Grid
	path  string
}

// keep finds the place of the rows of a study, PUREXP_REPS replicates of it if that is set: a file
// in the folder that PUREXP_CACHE names, or else in build/cache of the project, or else in the
// user's cache folder. Its name depends on the study's settings and on the code.
func keep(s study.Study) *kept {
	g := Must(s.Grid(study.Options{Reps: Reps(s.Reps)}))
	return &kept{s.Title, g, Must(cacheFile(s.FileName(), g))}
}

// complete reports whether the rows were all simulated, as far as a note beside them says.
func (k *kept) complete() bool {
	b, err := os.ReadFile(k.path + ".rows")
	if err != nil {
		return false
	}
	n, err := strconv.Atoi(string(b))
	return err == nil && n >= k.total()
}

// total is the number of rows of the grid.
func (k *kept) total() (n int) {
	for _, reps := range Must(k.grid.Replicates()) {
		n += reps
	}
	return n
}

// simulate runs what is missing, with a progress bar.
func (k *kept) simulate() {
	bar := newProgress(k.title)
	k.grid.Progress = bar.update
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	start, before := time.Now(), k.elapsed()
	err := k.grid.Stream(ctx, k.path)
	Fail(os.WriteFile(k.path+".time", []byte((before + time.Since(start)).String()), 0o666))
	bar.done(err)
	Fail(err)
	Fail(os.WriteFile(k.path+".rows", []byte(strconv.Itoa(k.total())), 0o666))
}

// rows reads the rows, and simulates what is missing.
func (k *kept) rows() []mc.Row {
	if rows, _, err := mc.Read(k.path); err == nil {
		own, all, err := wanted(rows, k.grid)
		Fail(err)
		if all {
			return own
		}
	}
	k.simulate()
	rows, _, err := mc.Read(k.path)
	Fail(err)
	rows, _, err = wanted(rows, k.grid)
	Fail(err)
	return rows
}

// elapsed is how long it took to simulate the rows, over all the times that it was interrupted.
func (k *kept) elapsed() time.Duration {
	b, err := os.ReadFile(k.path + ".time")
	if err != nil {
		return 0
	}
	d, _ := time.ParseDuration(string(b)) // a damaged note counts as none
	return d
}

// wanted returns the rows of the replicates that g has: the file may hold more, from a run with
// more of them. It reports whether all are there.
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
	dir, err := cacheFolder()
	return filepath.Join(dir, cacheName(name, &h)), err
}

// cacheFolder returns the folder of files that can be thrown away.
func cacheFolder() (dir string, err error) {
	dir = os.Getenv("PUREXP_CACHE")
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
	return dir, nil
}

// cacheName returns the name of the file for the rows of a grid and of a version of the code.
func cacheName(name string, h *mc.Header) string {
	key := sha256.Sum256([]byte(h.Digest + " " + h.Code))
	return name + "-" + hex.EncodeToString(key[:6]) + ".jsonl"
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

// Version identifies the code that this program was built from, as files of rows do.
func Version() string { return "source " + mc.Code() }
