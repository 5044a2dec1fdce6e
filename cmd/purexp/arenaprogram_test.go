package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
)

// A fakeGo is a go command of shell: it notes how it is called, lists a package, and builds a program that says "ran".
// What it was to build from is kept.
func fakeGo(t *testing.T, list, work string) (dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: there is no sh")
	}
	dir = t.TempDir()
	put(t, dir, "list.json", list)
	put(t, dir, "work", work)
	put(t, dir, "go", `#!/bin/sh
echo "in $PWD:" "$@" >> '`+dir+`/calls'
cd '`+dir+`'
case $1 in
list) cat list.json;;
env) cat work;;
build) mkdir kept && cp "$(dirname "$3")"/* kept && printf '#!/bin/sh\necho ran\necho warned >&2\nexit $(cat %s/code)\n' '`+dir+`' > "$3" && chmod +x "$3";;
esac
[ ! -f "fails-$1" ] || { cat "fails-$1" >&2; exit 3; }
`)
	if err := os.Chmod(filepath.Join(dir, "go"), 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "code", "0")
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("TMPDIR", t.TempDir())
	return dir
}

// The program of a policy of one's own is a package of its module that is in no file there; it says the name, the number of
// runs and the questions, and what the arena needs besides goes to a copy of go.mod, but in a workspace. Nothing is left.
func TestArenaProgram(t *testing.T) {
	module := t.TempDir()
	mod := put(t, module, "go.mod", "module example.org/lab\n")
	list := fmt.Sprintf(`{"ImportPath": "example.org/lab/mine", "Name": "ours", "Module": {"Dir": %q, "GoMod": %q}}`, module, mod)
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, c := range []struct {
		work string
		sum  string
		args []string
	}{
		{"\n", "", []string{"--policy", "./mine"}},
		{"/x/go.work\n", "sum\n", []string{"--policy", "./mine", "--name", `a "name"`, "--reps", "7", "--question", "best item", "--question", "PARETO SET"}},
		{"\n", "sum\n", []string{"--policy", "./mine", "--reps", "1"}},
	} {
		fake := fakeGo(t, list, c.work)
		if c.sum != "" {
			put(t, module, "go.sum", c.sum)
		}
		here := t.TempDir()
		out, errs, code := purexp(t, here, append([]string{"arena"}, c.args...)...)
		if out != "ran\n" || errs != "warned\n" || code != exitOK {
			t.Errorf("%q: %d, %q, %q", c.args, code, out, errs)
		}
		tmp := os.Getenv("TMPDIR")
		if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
			t.Errorf("%q: left behind: %v, %v", c.args, left, err)
		}
		fmt.Fprintf(&all, "$ purexp arena %q\n", c.args)
		for _, name := range []string{"calls", "kept/main.go", "kept/overlay.json", "kept/go.mod", "kept/go.sum"} {
			text, err := os.ReadFile(filepath.Join(fake, name))
			if errors.Is(err, fs.ErrNotExist) {
				text = []byte("is not there")
			}
			said := regexp.MustCompile(regexp.QuoteMeta(tmp)+`/purexp-arena-\d+`).ReplaceAllString(string(text), "TMP")
			fmt.Fprintf(&all, "-- %s --\n%s\n", name, strings.NewReplacer(module, "MODULE", here, "HERE").Replace(said))
		}
	}
	t.Chdir(home)
	golden.Parts(t, "arena.txt", all.String(), `^(\$|--) .*`)
}

// What the go command says against a package is the error, as is a program that fails.
func TestArenaProgramFails(t *testing.T) {
	module := t.TempDir()
	mod := put(t, module, "go.mod", "module example.org/lab\n")
	list := func(name string) string {
		return fmt.Sprintf(`{"ImportPath": "example.org/lab/mine", "Name": %q, "Module": {"Dir": %q, "GoMod": %q}}`, name, module, mod)
	}
	for want, c := range map[string]struct{ list, file, text string }{
		"purexp: go list: no such package\n":                          {list("mine"), "fails-list", "\nno such package\n"},
		"purexp: go build: exit status 3\n":                           {list("mine"), "fails-build", ""},
		"purexp: go build: mine.New does not exist\n":                 {list("mine"), "fails-build", "mine.New does not exist\n"},
		"purexp: --policy ./mine: a main package cannot be imported;": {list("main"), "x", ""},
		"purexp: --policy ./mine: want one package: ":                 {list("mine") + list("ours"), "x", ""},
		"warned\npurexp: exit status 4\n":                             {list("mine"), "code", "4"},
	} {
		put(t, fakeGo(t, c.list, ""), c.file, c.text)
		_, errs, code := purexp(t, t.TempDir(), "arena", "--policy", "./mine")
		if code != exitFailure || !strings.HasPrefix(errs, want) {
			t.Errorf("%d, %q; want %q", code, errs, want)
		}
		if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
			t.Errorf("%q: left behind: %v, %v", want, left, err)
		}
	}
}
