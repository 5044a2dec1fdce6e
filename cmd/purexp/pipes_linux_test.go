package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// A named pipe as a file argument is an error that names the pipe, because the pipe would block the command.
func TestPipes(t *testing.T) {
	dir := dueling(t)
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile("piped.toml", []byte("question = { find = \"best\", delta = 0.1 }\ncandidates = { file = \"pipe\" }\n"+
		"[[objective]]\nname = \"x\"\nnoise = { sd = 1 }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"problem new pipe", "campaign new pipe --file p.campaign", "campaign new piped.toml", "plan pipe",
		"campaign tell pipe -f duel.campaign", "campaign import pipe -f i.campaign", "campaign new duel.toml --with pipe -f w.campaign",
		"campaign run --exec true --table pipe -f duel.campaign", "design pipe --features x", "campaign status -f pipe"} {
		if _, stderr, code := purexp(t, dir, strings.Fields(command)...); code == exitOK || !strings.Contains(stderr, "pipe") {
			t.Errorf("%s: code %d, %s", command, code, stderr)
		}
	}
}
