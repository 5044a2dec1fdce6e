package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// readme returns the text of the README and of the quick start.
func readme(t *testing.T) string {
	text := ""
	for _, name := range []string{"README.md", "docs/quick-start.md"} {
		b, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		text += string(b) + "\n"
	}
	return text
}

// The program of the quick start compiles, runs, and prints what the README quotes.
func TestReadmeProgram(t *testing.T) {
	text := readme(t)
	_, code, _ := strings.Cut(text, "```go\n")
	code, _, ok := strings.Cut(code, "```")
	if !ok {
		t.Fatal("the quick start has no program")
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "run", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	quoted := 0
	for line := range strings.Lines(text) {
		if l := strings.TrimSpace(line); strings.HasPrefix(line, "    ") && strings.Contains(l, "±") {
			quoted++
			if !strings.Contains(string(out), l+"\n") {
				t.Errorf("the README quotes %q; the program prints\n%s", l, out)
			}
		}
	}
	if quoted == 0 {
		t.Error("the README quotes nothing")
	}
}

// The commands of README and quick start exist, with their flags.
func TestReadmeCommands(t *testing.T) {
	text := readme(t)
	for line := range strings.Lines(text) {
		cmd, _, _ := strings.Cut(strings.TrimSpace(line), "#")
		f := strings.Fields(cmd)
		if len(f) < 2 || f[0] != "purexp" || !strings.HasPrefix(line, "    ") {
			continue
		}
		var out, errs bytes.Buffer
		args := append(f[1:], "--help")
		if code := run(context.Background(), args, &out, &errs); code != exitOK {
			t.Errorf("%s: exit code %d: %s", cmd, code, &errs)
		}
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"notebooks", "test", "lab", "setup", "bench", "lint", "container-check"} {
		if !strings.Contains(string(makefile), "\n"+target+":") {
			t.Errorf("the Makefile has no target %s", target)
		}
	}
}

// pages returns the Markdown files of the repository and of docs.
func pages(t *testing.T) map[string]string {
	all := map[string]string{}
	for _, pattern := range []string{"../../*.md", "../../docs/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[name] = string(b)
		}
	}
	return all
}

// Links to files of this repository lead to existing files.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`) // the pattern excludes colons, and so https: links
	links := 0
	for name, text := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s: a link to %s, which does not exist", name, m[1])
			}
		}
	}
	if links == 0 {
		t.Error("there are no links")
	}
}

// The map of packages lists all importable packages, and lists each package before the packages that it imports.
func TestArchitecture(t *testing.T) {
	b, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	_, chart, _ := strings.Cut(text, "```\n")
	chart, _, _ = strings.Cut(chart, "```")
	chart = regexp.MustCompile(`(?m)(\S)   .*$`).ReplaceAllString(chart, "$1 ") // leave out the descriptions
	const module = "github.com/purexp/purexp/pkg/"
	out, err := exec.Command("go", "list", "-f", "{{.Name}} {{.ImportPath}}{{range .Imports}} {{.}}{{end}}",
		module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	place := map[string]int{} // position on the map, by path below pkg
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		path := strings.TrimPrefix(f[1], module)
		if f[0] == "main" || f[0] == "pkg" || strings.Contains("/"+path, "/internal/") {
			continue
		}
		want := `\bpkg/` + path + `[\s,]`
		if _, room, ok := strings.Cut(path, "/"); ok {
			want = `\b` + room + `\b` // the map lists subpackages without the path of their package
		}
		at := regexp.MustCompile(want).FindStringIndex(chart)
		if at == nil {
			t.Errorf("the map in docs/architecture.md lacks pkg/%s", path)
			continue
		}
		place[path], imports[path] = at[0], f[2:]
	}
	for path, direct := range imports {
		for _, d := range direct {
			d = strings.TrimPrefix(d, module)
			if below, ok := place[d]; ok && below < place[path] {
				t.Errorf("%s imports %s, which is above it in docs/architecture.md", path, d)
			}
		}
	}
	for _, path := range regexp.MustCompile(`\bpkg/[a-z/_.]+[a-z]`).FindAllString(text, -1) {
		if _, err := os.Stat("../../" + path); err != nil {
			t.Errorf("docs/architecture.md speaks of %s, which does not exist", path)
		}
	}
}
