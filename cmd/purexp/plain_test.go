package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Control characters in an older file do not reach the terminal.
func TestShownPlainly(t *testing.T) {
	text, err := os.ReadFile("../../docs/example.certificate")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")[1:4]
	before := lines[2][strings.LastIndex(lines[2], `"hash":"`)+8 : len(lines[2])-2]
	body := `{"event":3,"why":"\u001b[2J\u0007\u009b\u202eslip"}`
	hash := fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s\n4\n2026-11-24T05:00:00Z\nAda\nundo\n%s", before, body)))
	dir := t.TempDir()
	record := fmt.Sprintf("{\"format\":\"purexp campaign\",\"version\":1,\"events\":4,\"hash\":%q}\n%s\n"+
		"{\"seq\":4,\"at\":\"2026-11-24T05:00:00Z\",\"who\":\"Ada\",\"what\":\"undo\",\"body\":%s,\"hash\":%q}\n", hash,
		strings.Join(lines, "\n"), body, hash)
	if err := os.WriteFile(filepath.Join(dir, "x.jsonl"), []byte(record), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := purexp(t, dir, "campaign", "import", "x.jsonl", "--file", "x.campaign"); code != 0 {
		t.Fatal(stderr)
	}
	stdout, stderr, code := purexp(t, dir, "campaign", "history", "--file", "x.campaign")
	if code != 0 || strings.ContainsAny(stdout+stderr, "\x1b\a\u009b\u202e") || !strings.Contains(stdout, `\u001b[2J\u0007\u009b\u202eslip`) {
		t.Errorf("exit code %d, %q %q", code, stdout, stderr)
	}
}
