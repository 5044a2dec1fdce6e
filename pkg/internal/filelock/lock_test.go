package filelock

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// holder is an environment variable: a process in which it is set takes a lock, reports the lock, and waits to be
// killed.
const holder = "FILELOCK_HOLD"

func TestMain(m *testing.M) {
	if path := os.Getenv(holder); path != "" {
		if _, err := Lock(path); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		_, _ = os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// While another process holds the lock, the error names the process. After this process is killed, the lock is
// free although its file still exists.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trial.jsonl")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holder+"="+path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, 5)
	if _, err := out.Read(said); err != nil || string(said) != "held\n" {
		t.Fatalf("the other process says %q, %v", said, err)
	}
	_, err = Lock(path)
	who := fmt.Sprintf("process %d on ", cmd.Process.Pid)
	if !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), who) {
		t.Errorf("error %v; want %q", err, who)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	unlock, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if left, _ := filepath.Glob(path + "*"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// Two names of a file have the same lock. The first call of unlock releases it, and a second call does nothing.
func TestLink(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trial.jsonl")
	link := filepath.Join(t.TempDir(), "link.jsonl")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	first, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(link); !errors.Is(err, ErrHeld) {
		t.Errorf("the same file by another name: %v", err)
	}
	first()
	second, err := Lock(link)
	if err != nil {
		t.Fatal(err)
	}
	defer second()
	first()
	if _, err := Lock(path); !errors.Is(err, ErrHeld) {
		t.Errorf("after the first lock ended twice: %v", err)
	}
}
