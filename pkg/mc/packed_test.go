package mc_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
)

// A compressed file contains the rows of the original and has the same bytes each time it is written. Read returns
// an error for a truncated or changed compressed file.
func TestPack(t *testing.T) {
	path, _ := stream(t, toy())
	want, head, err := mc.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	packed := path + mc.Packed
	if err := mc.Pack(path, packed); err != nil {
		t.Fatal(err)
	}
	once := contents(t, packed)
	if err := mc.Pack(path, packed); err != nil {
		t.Fatal(err)
	}
	if contents(t, packed) != once {
		t.Error("the same rows have other bytes the second time")
	}
	rows, h, err := mc.Read(packed)
	if err != nil || !reflect.DeepEqual(rows, want) || h.Digest != head.Digest || h.Code != head.Code {
		t.Errorf("%d rows, %v; want %d", len(rows), err, len(want))
	}
	if files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.tmp")); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
	for what, bad := range map[string]string{
		"cut off": once[:len(once)-20], "changed": strings.Replace(once, once[100:102], "??", 1),
		"not compressed": contents(t, path), "empty": "",
	} {
		write(t, packed, bad)
		if _, _, err := mc.Read(packed); err == nil || !strings.Contains(err.Error(), packed) {
			t.Errorf("%s: error %v; want one that names the file", what, err)
		}
	}
	if err := mc.Pack(path+"?", packed); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file to compress: %v", err)
	}
	if err := mc.Pack(path, filepath.Join(path, "x")); err == nil {
		t.Error("compressed into a file used as a folder")
	}
	// If the original cannot be read, an existing file is kept, no other file is left, and the
	// error names the target.
	write(t, packed, "kept")
	if err := mc.Pack(filepath.Dir(path), packed); err == nil || !strings.Contains(err.Error(), "mc: "+packed+": ") ||
		contents(t, packed) != "kept" {
		t.Errorf("a folder was compressed: %v", err)
	}
	if files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(files) != 2 {
		t.Errorf("left behind: %v", files)
	}
}

// Single replicates have the same rows as in the whole grid, in the requested order.
func TestReplicate(t *testing.T) {
	rows := run(t, toy())
	var places []mc.Place
	var want []mc.Row
	for i := len(rows) - 1; i >= 0; i -= 3 {
		places, want = append(places, mc.Place{Key: rows[i].Key(), Rep: rows[i].Rep}), append(want, rows[i])
	}
	g := toy()
	done := 0
	g.Progress = func(n, total int, _ time.Duration) {
		if done = n; total != len(places) {
			t.Errorf("progress of %d; want %d", total, len(places))
		}
	}
	got, err := g.Replicate(t.Context(), places...)
	if err != nil || !reflect.DeepEqual(got, want) || done != len(want) {
		t.Errorf("%d rows, %v; want the %d of Run", len(got), err, len(want))
	}
	if got, err := toy().Replicate(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("no places: %d rows, %v", len(got), err)
	}
	k := rows[0].Key()
	for _, rep := range []int{-1, 5} {
		if _, err := toy().Replicate(t.Context(), mc.Place{Key: k, Rep: rep}); err == nil ||
			!strings.Contains(err.Error(), "0 to 4") {
			t.Errorf("replicate %d: error %v", rep, err)
		}
	}
	k.Delta = .5
	if _, err := toy().Replicate(t.Context(), mc.Place{Key: k}); err == nil || !strings.Contains(err.Error(), "unknown cell") {
		t.Errorf("another cell: error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := toy().Replicate(ctx, places...); !errors.Is(err, context.Canceled) || len(got) != 0 ||
		!strings.Contains(err.Error(), "mc: stopped after 0 of 8 replicates: ") {
		t.Errorf("cancelled: %d rows, %v", len(got), err)
	}
}

// Two grids share the cells whose descriptions are equal in both grids, even if their other cells differ.
func TestShared(t *testing.T) {
	head := func(change func(g *mc.Grid)) *mc.Header {
		g := toy()
		change(g)
		h, err := g.Header()
		if err != nil {
			t.Fatal(err)
		}
		return &h
	}
	whole := head(func(*mc.Grid) {})
	for _, c := range []struct {
		name   string
		change func(g *mc.Grid)
		shared int
	}{
		{"the same", func(*mc.Grid) {}, 5},
		{"fewer methods", func(g *mc.Grid) { g.Methods = g.Methods[:1] }, 3},
		{"more replicates", func(g *mc.Grid) { g.Reps = 9 }, 5},
		{"another delta", func(g *mc.Grid) { g.Methods[0].Delta = .2 }, 3},
		{"another limit", func(g *mc.Grid) { g.Cells[0].Method.MaxPulls = 300 }, 4},
		{"another policy", func(g *mc.Grid) {
			g.Methods[1].New = func() explore.Policy { return &race{Batch: 6, Width: 4} }
		}, 3},
		{"other means", func(g *mc.Grid) { g.Instances[0] = instance("easy", 0, 1, 3) }, 3},
		{"another seed", func(g *mc.Grid) { g.Seed = 2 }, 0},
		{"another study", func(g *mc.Grid) { g.Study = "other" }, 0},
	} {
		other := head(c.change)
		if got := len(other.Shared(whole)); got != c.shared {
			t.Errorf("%s: %d cells are shared; want %d", c.name, got, c.shared)
		}
		if got := len(whole.Shared(other)); got != c.shared {
			t.Errorf("%s: %d cells are shared, the other way round; want %d", c.name, got, c.shared)
		}
	}
}
