package mc

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/jsonl"
)

// full is a file on a disk with room for a given number of rows.
type full struct {
	*jsonl.File
	room int
}

func (f *full) Append(v any) error {
	if f.room--; f.room < 0 {
		return fmt.Errorf("%w; earlier records are intact: %w", jsonl.ErrWrite, syscall.ENOSPC)
	}
	return f.File.Append(v)
}

// still is a policy, a question and a law that do nothing.
type still struct{}

func (still) Init(*explore.Problem, rand.Source) error       { return nil }
func (still) Ask(dst []explore.Pull) ([]explore.Pull, error) { return dst, nil }
func (still) Tell([]explore.Batch) error                     { return nil }
func (still) Answer() explore.Answer                         { return explore.Answer{} }
func (still) Correct(*mat.Dense, explore.Answer) bool        { return true }
func (still) Dims() (k, d int)                               { return 1, 1 }
func (still) Mean([]float64, int)                            {}
func (still) Sum([]float64, int, int, *rand.Rand)            {}

func stillGrid() *Grid {
	return &Grid{
		Study: "still", Reps: 10,
		Instances: []*bandit.Instance{{
			Name:    "one arm",
			Problem: &explore.Problem{Arms: 1, Sigma: 1, Question: still{}},
			Law:     still{},
		}},
		Methods: []Method{{Name: "still", New: func() explore.Policy { return still{} }}},
	}
}

func TestFullDisk(t *testing.T) {
	g := stillGrid()
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := g.Stream(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for room := range 11 {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		err := g.stream(context.Background(), path, func(f *jsonl.File) appender { return &full{f, room} })
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("room for %d lines: error %v", room, err)
		}
		if want := fmt.Sprintf(
			"(%d rows are in the file; free some disk space, and run the same study again",
			room-1); room > 0 && !strings.Contains(err.Error(), want) {
			t.Errorf("error %q; want %q", err, want)
		}
		part, _ := os.ReadFile(path)
		if n := strings.Count(string(part), "\n"); n != room {
			t.Errorf("room for %d lines: %d lines", room, n)
		}
		// Two rows later, the disk is full again; the file also contains the rows of the first attempt.
		err = g.stream(context.Background(), path, func(f *jsonl.File) appender { return &full{f, 2} })
		if want := fmt.Sprintf("(%d rows are in the file;", room+1); room > 0 && room < 9 && (!errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), want)) {
			t.Errorf("room for %d lines, and two more: error %v; want %q", room, err, want)
		}
		if err := g.Stream(context.Background(), path); err != nil {
			t.Fatal(err)
		}
		if again, _ := os.ReadFile(path); string(again) != string(whole) {
			t.Errorf("room for %d lines: resumed to\n%s", room, again)
		}
	}
}

// memory returns a folder on a memory file system, if there is one.
func memory(tb testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "purexp")
	if err != nil {
		return tb.TempDir()
	}
	tb.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// Any file is either read, or rejected and left unchanged. No rows are simulated, because goroutines run in a
// different order each time, and the fuzzer would count new orders as discoveries.
func FuzzResume(f *testing.F) {
	g := stillGrid()
	g.Reps = 2
	dir := memory(f)
	path := filepath.Join(dir, "seed.jsonl")
	if err := g.Stream(context.Background(), path); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-10])
	f.Add([]byte{})
	line, _ := jsonl.Encode(Row{Study: "still", Status: "stopped"})
	head := strings.SplitAfter(string(whole), "\n")[0]
	f.Add(append([]byte(head), line...))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(dir, "rows.jsonl")
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		_, _, _ = Read(path)
		p, err := g.plan()
		if err != nil {
			t.Fatal(err)
		}
		file, err := p.resume(path)
		if err == nil {
			err = errors.Join(err, file.Close())
		}
		now, _ := os.ReadFile(path)
		if err != nil && string(now) != string(text) {
			t.Fatalf("rejected (%v), but changed", err)
		}
		if err != nil {
			return
		}
		if len(now) <= len(whole) && !strings.HasPrefix(string(whole), string(now)) {
			t.Fatalf("accepted as\n%s", now)
		}
		if lines := strings.Count(string(now), "\n"); lines != p.done+1 && lines > 0 {
			t.Fatalf("%d rows, of which %d are counted", lines-1, p.done)
		}
	})
}
