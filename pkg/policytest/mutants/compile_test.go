package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A listed package is what go list says of it.
type listed struct {
	Dir, ImportPath, Export string
	GoFiles                 []string
}

// Every fault compiles: what does not is found by the compiler, and by no test.
func TestFaultsCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles all packages")
	}
	root, faults := planted(t)
	cmd := exec.Command("go", "list", "-export", "-deps",
		"-json=Dir,ImportPath,Export,GoFiles", "./pkg/...")
	cmd.Dir = root
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	exports, packages := map[string]string{}, map[string]listed{} // by path, by folder
	for dec := json.NewDecoder(out); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath], packages[p.Dir] = p.Export, p
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	config := types.Config{
		Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
			return os.Open(exports[path])
		}),
	}
	right := map[string]*ast.File{}
	for _, f := range faults {
		file := filepath.Join(root, filepath.FromSlash(f.file))
		p, ok := packages[filepath.Dir(file)]
		if !ok {
			t.Errorf("%s: fault %q: no package has %s", f.source, f.name, f.file)
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			name = filepath.Join(p.Dir, name)
			if right[name] == nil {
				if right[name], err = parser.ParseFile(fset, name, nil, 0); err != nil {
					t.Fatal(err)
				}
			}
			if name != file {
				files = append(files, right[name])
			}
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		wrong, err := replace(string(b), f.old, f.new)
		if err != nil {
			continue // TestFaultsApply says so
		}
		faulty, err := parser.ParseFile(fset, f.file, strings.NewReader(wrong), 0)
		if err == nil {
			_, err = config.Check(p.ImportPath, fset, append(files, faulty), nil)
		}
		if err != nil {
			t.Errorf("%s: fault %q: %v", f.source, f.name, err)
		}
	}
}
