package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func readme(t *testing.T) string {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The README's program compiles, runs, and prints what the README quotes.
func TestReadmeProgram(t *testing.T) {
	text := readme(t)
	_, code, _ := strings.Cut(text, "```go\n")
	code, _, ok := strings.Cut(code, "```")
	if !ok {
		t.Fatal("the README has no program")
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

// The README's commands are commands, with flags that exist.
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
