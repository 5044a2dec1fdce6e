package kernel

import (
	"os"
	"path/filepath"
	"testing"
)

func TestKeep(t *testing.T) {
	calls := 0
	compute := func() string { calls++; return "text" }
	keep := func(name string, want int) {
		t.Helper()
		if got := Keep(name, compute); got != "text" || calls != want {
			t.Errorf("%s: %q, computed %d times; want %d", name, got, calls, want)
		}
	}
	t.Setenv(Folder, "") // no notebook
	keep("a", 1)
	keep("a", 2)
	dir := t.TempDir()
	t.Setenv(Folder, dir)
	keep("a", 3)
	keep("a", 3)
	keep("b", 4)
	keep("a", 4)
	// An empty file says nothing.
	if err := os.WriteFile(filepath.Join(dir, "a"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	keep("a", 5)
	keep("a", 5)
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 2 {
		t.Errorf("%v, %v; want two files", files, err)
	}
	t.Setenv(Folder, filepath.Join(dir, "none"))
	keep("a", 6)
	keep("a", 7)
}
