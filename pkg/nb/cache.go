package nb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/purexp/purexp/pkg/internal/checkout"
	"github.com/purexp/purexp/pkg/internal/digest"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/nb/internal/cell"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/published"
	"github.com/purexp/purexp/pkg/tidy"
)

// rowCache provides the rows of a study. Published rows are read from files; other rows are
// simulated once and then kept on disk.
type rowCache struct {
	study study.Study
	part  *published.Part
	// path is the path of the file with the rows of part.Rest. The file is in the folder named by
	// PUREXP_CACHE, in build/cache of the project, or in the user's cache folder. The file name
	// depends on the settings of the study and on the code.
	path string
	all  []mc.Row
	from source // origin of all rows
}

// source describes the origin of rows.
type source struct {
	Read    int    // number of published rows
	Path    string // file of published rows
	Code    string // version of the code that wrote the published rows
	Spotted int    // number of rows that were checked by simulating them again, if other code wrote them
	Kept    string // file of the other rows
}

// newRowCache returns the cache for a study; if PUREXP_REPS is set, its value is the number of
// replicates. The cache reads or simulates rows only when they are requested.
func newRowCache(s study.Study) *rowCache { return &rowCache{study: s} }

// find locates the published rows of g, and the cache file for the remaining rows.
func (k *rowCache) find(g *mc.Grid) {
	k.part = Must(published.Of(g))
	if len(k.part.Rows) > 0 && k.part.Header.Code != mc.Code() {
		k.spot()
	}
	switch rest := k.part.Rest; rest {
	case nil:
	case g:
		k.path = Must(cacheFile(k.study.FileName(), &k.part.Own))
	default:
		h := Must(rest.Header())
		k.path = Must(cacheFile(k.study.FileName(), &h))
	}
}

// spot checks whether this code reproduces rows written by other code; the check takes about a
// tenth of a second, once in each notebook cell. If a row is not reproduced, the published rows are
// discarded.
func (k *rowCache) spot() {
	ctx, stop := context.WithTimeout(context.Background(), spotTime)
	defer stop()
	n, err := k.part.Spot(ctx)
	if err == nil {
		k.from.Spotted = n
		return
	}
	if !errors.Is(err, published.ErrStale) {
		Fail(err)
	}
	Markdown("**%s**: the published rows are not used, because this version gives different rows; the study is "+
		"simulated again. %s", k.study.Title, strings.SplitN(err.Error(), "\n", 2)[0])
	k.part.Forget()
}

// spotTime limits the duration of spot.
const spotTime = 100 * time.Millisecond

// rows returns the rows of the study, and simulates those that are missing.
func (k *rowCache) rows() []mc.Row {
	if k.all != nil {
		return k.all
	}
	k.find(Must(k.study.Grid(study.Options{Reps: Reps(k.study.Reps)})))
	var own []mc.Row
	if k.part.Rest != nil {
		own = k.others()
	}
	k.all = k.part.With(own)
	k.from.Read, k.from.Path = len(k.part.Rows), k.part.Path
	k.from.Code, k.from.Kept = k.part.Header.Code, k.path
	return k.all
}

// others returns the rows of part.Rest from disk, or simulates them.
func (k *rowCache) others() []mc.Row {
	if rows, _, err := mc.Read(k.path); err == nil {
		own, all, err := wanted(rows, k.part.Rest)
		Fail(err)
		if all {
			return own
		}
	}
	k.simulate()
	rows, _, err := mc.Read(k.path)
	Fail(err)
	rows, _, err = wanted(rows, k.part.Rest)
	Fail(err)
	return rows
}

// simulate runs the missing simulations and shows a progress bar.
func (k *rowCache) simulate() {
	bar := cell.NewProgress(k.study.Title)
	g := k.part.Rest
	g.Progress = bar.Update
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	start, before := time.Now(), elapsed(k.path)
	err := g.Stream(ctx, k.path)
	Fail(os.WriteFile(k.path+".time", []byte((before + time.Since(start)).String()), 0o666))
	bar.Done(err)
	Fail(err)
}

// elapsed returns the total time that was spent on simulating the rows in the file at path, over
// all interruptions.
func elapsed(path string) time.Duration {
	b, err := os.ReadFile(path + ".time")
	if err != nil {
		return 0
	}
	d, _ := time.ParseDuration(string(b)) // for a damaged file, the time is 0
	return d
}

// origin describes in words the origin of the rows.
func (k *rowCache) origin() string {
	n := len(k.rows())
	from := &k.from
	var parts []string
	if from.Read > 0 {
		text := fmt.Sprintf("%s read from `results/%s`", tidy.Int(from.Read),
			filepath.Base(from.Path))
		switch {
		case from.Spotted > 0:
			text += fmt.Sprintf(" (from code %s; %d of these runs were simulated again with the same "+
				"results)", from.Code, from.Spotted)
		case from.Code != mc.Code():
			text += fmt.Sprintf(" (from code %s)", from.Code) // there was no time to check rows
		}
		parts = append(parts, text)
	}
	if n > from.Read {
		parts = append(parts, fmt.Sprintf("%s simulated in %v", tidy.Int(n-from.Read),
			elapsed(from.Kept).Round(time.Second)))
	}
	return fmt.Sprintf("%s runs: %s", tidy.Int(n), strings.Join(parts, ", "))
}

// first reports whether this kernel sees an experiment with the settings of e for the first time.
// The result is only a guess, because functions in e cannot be compared; rows are checked later,
// when they are used.
func first(e study.Experiment) bool { return once("rows-" + digest.Settings(e)) }

// once reports whether this is the kernel's first call of once with the given text. once is needed
// because each cell evaluates the variables of earlier cells again.
func once(what string) bool {
	dir := os.Getenv(protocol.GONB_TMP_DIR_ENV)
	if dir == "" {
		return true
	}
	f, err := os.OpenFile(filepath.Join(dir, what), os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return !errors.Is(err, fs.ErrExist)
	}
	return f.Close() == nil
}

// wanted returns the rows of the replicates in g, and reports whether all of them exist; the file
// may contain further rows.
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

// cacheFile returns the path of the cache file for the rows of a grid.
func cacheFile(name string, h *mc.Header) (string, error) {
	dir, err := cell.Folder()
	return filepath.Join(dir, cacheName(name, h)), err
}

// cacheName returns the file name for the rows of a grid that a version of the code has simulated.
func cacheName(name string, h *mc.Header) string {
	key := sha256.Sum256([]byte(h.Digest + " " + h.Code))
	return name + "-" + hex.EncodeToString(key[:6]) + ".jsonl"
}

// Root returns the folder of the project's sources, if the notebook is inside it or was built from
// a checkout that still exists.
func Root() (string, bool) { return checkout.Root() }

// Version returns "source " followed by the identifier of the running code (mc.Code), which files
// of rows contain.
func Version() string { return "source " + mc.Code() }

// announce describes the rows that were read; the description replaces the progress bar.
func (k *rowCache) announce() {
	n := k.from.Read
	if n == 0 {
		return
	}
	text := fmt.Sprintf("%s: %s of %s runs read from results/%s", k.study.Title, tidy.Int(n),
		tidy.Int(len(k.rows())), filepath.Base(k.from.Path))
	if !gonbui.IsNotebook {
		fmt.Fprintln(os.Stderr, text)
		return
	}
	gonbui.DisplayHTML(html.EscapeString(text))
	gonbui.Sync()
}
