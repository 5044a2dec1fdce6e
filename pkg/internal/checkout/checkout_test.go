package checkout

import (
	"os"
	"path/filepath"
	"testing"
)

// Root finds the root of the project from any subfolder, and skips the go.mod files of other modules.
func TestRoot(t *testing.T) {
	own, ok := Root()
	if !ok {
		t.Fatal("these sources are not found")
	}
	if _, err := os.Stat(filepath.Join(own, "pkg", "internal", "checkout")); err != nil {
		t.Errorf("%s is not the root: %v", own, err)
	}
	other := t.TempDir()
	deep := filepath.Join(other, "a", "b")
	if err := os.MkdirAll(deep, 0o777); err != nil {
		t.Fatal(err)
	}
	module := func(name string) {
		text := "// a comment\nmodule " + name + "\n"
		if err := os.WriteFile(filepath.Join(other, "go.mod"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(deep)
	for _, name := range []string{"example.org/mine", "github.com/purexp/purexp-extra", "github.com/purexp/purexp/v2",
		"github.com/purexp/purex", "example.org/github.com/purexp/purexp", "(", "github.com/purexp/purexp other"} {
		module(name)
		if root, ok := Root(); !ok || root != own {
			t.Errorf("in the module %s: %s, %v; want the sources of this program", name, root, ok)
		}
	}
	module(`"github.com/purexp/purexp"`)
	root, ok := Root()
	here, _ := filepath.EvalSymlinks(other)
	if got, _ := filepath.EvalSymlinks(root); !ok || got != here {
		t.Errorf("in another checkout: %s, %v; want %s", root, ok, other)
	}
}
