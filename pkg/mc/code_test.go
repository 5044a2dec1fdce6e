package mc

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/purexp/purexp/pkg/internal/digest"
	"github.com/purexp/purexp/pkg/internal/jsonl"
)

// The code version changes if and only if source code that affects rows changes.
func TestHashSources(t *testing.T) {
	const policy = "package policy\n\nconst least = 3 // arms\n"
	all := fstest.MapFS{}
	set := func(name, text string) { all[name] = &fstest.MapFile{Data: []byte(text)} }
	sum := func() string {
		h := sha256.New()
		if err := hashSources(h, all); err != nil {
			t.Fatal(err)
		}
		return digest.Sum(h)
	}
	set("policy/p.go", policy)
	set("policy/p_test.go", "package policy")
	before := sum()
	for _, c := range []struct {
		name, text string
		changes    bool
	}{
		{"policy/p.go", "// Doc.\npackage policy\n\n\nconst least = 3\n", false},
		{"policy/p.go", "package policy; const least = 3", false},
		{"policy/p_test.go", "package policy_test", false},
		{"study/studytest/s.go", "package studytest", false},
		{"study/published/deep/s.go", "package deep", false},
		{"study/publishedtoo/s.go", "package publishedtoo", true},
		{"policy/readme.md", "# policies", false},
		{"policy/p.go", "package policy\n\nconst least = 4 // arms\n", true},
		{"policy/p.go", "package policy\n\nconst lea = st3 // arms\n", true},
		{"policy/p.go", "//go:build amd64\n\n" + policy, true},
		{"policy/q.go", policy, true},
	} {
		was := all[c.name]
		set(c.name, c.text)
		if (sum() != before) != c.changes {
			t.Errorf("%s, %q: the name changes: %v; want %v", c.name, c.text, !c.changes, c.changes)
		}
		delete(all, c.name)
		if was != nil {
			all[c.name] = was
		}
	}
	// Moving a source text to another file changes the code version.
	delete(all, "policy/p.go")
	set("policy/q.go", policy)
	if sum() == before {
		t.Error("policy/q.go instead of policy/p.go: the name stays")
	}
}

// A file written by a different version of the code is not resumed. If such a file is read with other files, Read
// returns a warning.
func TestOtherCode(t *testing.T) {
	g := stillGrid()
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := g.Stream(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(string(whole), "\n")
	for _, other := range []string{"0123456789abcdef", ""} {
		var h Header
		if err := jsonl.Decode([]byte(first), &h); err != nil {
			t.Fatal(err)
		}
		if h.Code != Code() || len(Code()) != 16 {
			t.Fatalf("the header says code %q; want %q", h.Code, Code())
		}
		h.Code = other
		line, err := jsonl.Encode(h)
		if err != nil {
			t.Fatal(err)
		}
		older := filepath.Join(t.TempDir(), "older.jsonl")
		if err := os.WriteFile(older, []byte(string(line)+rest), 0o666); err != nil {
			t.Fatal(err)
		}
		err = g.Stream(context.Background(), older)
		if !errors.Is(err, ErrCode) || !strings.Contains(err.Error(), codeName(other)) ||
			!strings.Contains(err.Error(), codeName(Code())) {
			t.Errorf("resumed: error %v", err)
		}
		_, merged, err := Read(path, older)
		if err != nil || len(merged.Warnings) != 2 ||
			!strings.Contains(merged.Warnings[0].Error(), "was written by "+codeName(other)) {
			t.Errorf("read together: warnings %v, error %v", merged.Warnings, err)
		}
		// Read warns of each file whose code differs from the code of the first file, at any position.
		same := filepath.Join(t.TempDir(), "same.jsonl")
		if err := os.WriteFile(same, whole, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, files := range [][]string{{path, same, older}, {path, older, same}, {older, path, same}} {
			_, merged, err := Read(files...)
			told := 0
			for _, w := range merged.Warnings {
				if was, by := strings.Contains(w.Error(), codeName(Code())), strings.Contains(w.Error(), codeName(other)); was != by {
					t.Errorf("%q does not name both codes", w)
				}
				if strings.Contains(w.Error(), "was written by "+codeName(Code())) || strings.Contains(w.Error(), "was written by "+codeName(other)) {
					told++
				}
			}
			if want := map[bool]int{true: 2, false: 1}[files[0] == older]; err != nil || told != want {
				t.Errorf("%q: %d warnings %v, error %v; want %d", files, told, merged.Warnings, err, want)
			}
		}
	}
}

// Rows depend on the compiled-in version of gonum and of no other module.
func TestNumerics(t *testing.T) {
	gonum := &debug.Module{Path: "gonum.org/v1/gonum", Version: "v0.17.0"}
	plot := &debug.Module{Path: "gonum.org/v1/plot", Version: "v0.17.0"}
	own := &debug.Module{Path: gonum.Path, Version: "v0.17.0", Replace: &debug.Module{Path: "example.org/gonum", Version: "v0.18.0"}}
	for _, c := range []struct {
		modules []*debug.Module
		want    string
	}{
		{nil, ""}, {[]*debug.Module{plot}, ""}, {[]*debug.Module{plot, gonum}, "gonum.org/v1/gonum v0.17.0"},
		{[]*debug.Module{own, plot}, "example.org/gonum v0.18.0"},
	} {
		if got := numerics(c.modules); got != c.want {
			t.Errorf("%q; want %q", got, c.want)
		}
	}
}
