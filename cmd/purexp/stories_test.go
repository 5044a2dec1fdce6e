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

// TestMain makes this binary the command purexp itself, for scripts of tests.
func TestMain(m *testing.M) {
	if os.Getenv("PUREXP_TEST_COMMAND") != "" {
		main()
	}
	os.Exit(m.Run())
}

// installed returns a folder with a program purexp that runs this code.
func installed(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\nPUREXP_TEST_COMMAND=1 exec '%s' \"$@\"\n", self)
	if err := os.WriteFile(filepath.Join(dir, "purexp"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// languages are those of docs/stories.md: who runs a file of them.
var languages = map[string]struct {
	programs []string
	args     []string
}{
	"sh":     {[]string{"sh"}, []string{"-eu"}},
	"python": {[]string{"python3"}, nil},
	"r":      {[]string{"Rscript"}, []string{"--vanilla"}},
}

var block = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")

// TestStories runs the scripts of docs/stories.md: the blocks of each story, one after the other.
func TestStories(t *testing.T) {
	page, err := os.ReadFile("../../docs/stories.md")
	if err != nil {
		t.Fatal(err)
	}
	bin := installed(t)
	for _, story := range strings.Split(string(page), "\n## ")[1:] {
		title, text, _ := strings.Cut(story, "\n")
		t.Run(title, func(t *testing.T) {
			if testing.Short() {
				t.Skip("skipped: a whole campaign takes a while")
			}
			blocks := block.FindAllStringSubmatch(text, -1)
			if len(blocks) == 0 {
				t.Fatal("there are no scripts")
			}
			language := blocks[0][1]
			var script strings.Builder
			for _, b := range blocks {
				if b[1] != language {
					t.Fatalf("blocks of %s and %s", language, b[1])
				}
				script.WriteString(b[2])
			}
			l, ok := languages[language]
			if !ok {
				t.Fatalf("nobody runs %s", language)
			}
			program, err := exec.LookPath(l.programs[0])
			if err != nil {
				t.Skipf("skipped: there is no %s here", l.programs[0])
			}
			dir := t.TempDir()
			file := filepath.Join(dir, "story")
			if err := os.WriteFile(file, []byte(script.String()), 0o666); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, program, append(l.args, file)...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PUREXP_CAMPAIGN=",
				"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v:\n%s", err, out)
			}
			// Each campaign comes to an end, and what it says of the end is there.
			if !strings.Contains(string(out), "inished") && language != "python" ||
				language == "python" && !strings.Contains(string(out), "the best flags are") {
				t.Errorf("no end:\n%s", out)
			}
			t.Logf("%s", out)
		})
	}
}
