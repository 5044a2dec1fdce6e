package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestMain makes this test binary the command purexp for scripts. Tests see only the programs of a bare system: no
// Slurm, no Kubernetes, no git.
func TestMain(m *testing.M) {
	if os.Getenv("PUREXP_TEST_COMMAND") != "" {
		main()
	}
	os.Setenv("COLUMNS", "1000") // one row per line, as on a wide terminal
	os.Exit(bare(m.Run))
}

// bare calls f with a PATH that contains only a few programs.
func bare(f func() int) int {
	dir, err := os.MkdirTemp("", "purexp-bare-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"awk", "basename", "bash", "cat", "chmod", "cp", "cut", "date", "dirname", "echo", "env", "expr", "false", "find", "go", "grep", "head",
		"ln",
		"ls", "mkdir", "mv", "printf", "python3", "rm", "sed", "seq", "sh", "sleep", "sort", "tail", "touch", "tr", "true", "wc"} {
		path, err := exec.LookPath(name)
		if name == "python3" && err == nil { // python3 may be a script that looks for the real one
			if out, err := exec.Command(path, "-c", "import sys; print(sys.executable)").Output(); err == nil {
				path = strings.TrimSpace(string(out))
			}
		}
		if err == nil {
			_ = os.Symlink(path, filepath.Join(dir, name)) // without links, tests that need the program fail
		}
	}
	os.Setenv("PATH", dir)
	return f()
}

// installed returns a folder with a program purexp that runs this code. Plans get a time limit of one hour,
// because slow machines would exceed the default limit.
func installed(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *--runs*) ;; 'plan '*) set -- \"$@\" --time 1h ;; esac\n"+
		"PUREXP_TEST_COMMAND=1 exec '%s' \"$@\"\n", self)
	if err := os.WriteFile(filepath.Join(dir, "purexp"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// languages maps the languages of code blocks in docs/stories.md to the interpreters that run them.
var languages = map[string][]string{"sh": {"sh", "-eu"}, "python": {"python3"}}

var block = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")

// TestStories runs the blocks of each story of docs/stories.md in a folder, in order. The text block after a
// block of commands must match their output, except for times, hashes and omitted lines.
func TestStories(t *testing.T) {
	page, err := os.ReadFile("../../docs/stories.md")
	if err != nil {
		t.Fatal(err)
	}
	bin := installed(t)
	for _, story := range strings.Split(string(page), "\n## ")[1:] {
		title, text, _ := strings.Cut(story, "\n")
		t.Run(title, func(t *testing.T) {
			dir, printed, shown := t.TempDir(), "", 0
			for _, b := range block.FindAllStringSubmatch(text, -1) {
				if b[1] != "text" {
					printed = play(t, bin, dir, b[1], b[2])
					continue
				}
				shown++
				if ok, err := regexp.MatchString(pattern(b[2]), trailing.ReplaceAllString(strings.TrimRight(printed, "\n")+"\n", "\n")); !ok {
					t.Errorf("the command prints\n%s\nbut docs/stories.md shows (%v)\n%s", printed, err, b[2])
				}
			}
			if shown == 0 {
				t.Error("no output is shown")
			}
		})
	}
}

// play runs a block in a folder, and returns its output.
func play(t *testing.T, bin, dir, language, text string) string {
	t.Helper()
	words, ok := languages[language]
	if !ok {
		t.Fatalf("unknown language %s", language)
	}
	program, err := exec.LookPath(words[0])
	if err != nil {
		t.Skipf("skipped from here on: there is no %s", words[0])
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, words[1:]...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(text)
	cmd.Env = append(os.Environ(), "PUREXP_CAMPAIGN=", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v:\n%s", text, err, out)
	}
	return string(out)
}

// trailing matches spaces at the end of a line; tables contain such spaces.
var trailing = regexp.MustCompile(`[ \t]+\n`)

// pattern returns an expression that matches a text block. A line "…" matches any lines, and "…" at the end of a
// line matches the rest of the line.
func pattern(shown string) string {
	var p strings.Builder
	p.WriteString("^")
	for line := range strings.Lines(shown) {
		switch line = strings.TrimRight(line, " \n"); {
		case line == "…":
			p.WriteString("(?s:.*)")
		case strings.HasSuffix(line, "…"):
			p.WriteString(regexp.QuoteMeta(strings.TrimSuffix(line, "…")) + "[^\n]*\n")
		default:
			p.WriteString(regexp.QuoteMeta(line) + "\n")
		}
	}
	return p.String() + "$"
}

// A pattern matches the output that it shows, and no other.
func TestPattern(t *testing.T) {
	for printed, want := range map[string]bool{"a.b\nx\ny\nend 12\n": true, "a.b\nend \n": true, "a.b\nend 1\n2\n": false,
		"a+b\nend \n": false, "a.b\nx\n": false} {
		if ok, err := regexp.MatchString(pattern("a.b\n…\nend …\n"), printed); ok != want || err != nil {
			t.Errorf("%q: %v, %v; want %v", printed, ok, err, want)
		}
	}
}
