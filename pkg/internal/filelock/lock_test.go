package filelock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// holder is set for a process that takes a lock, says so and waits to be killed.
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

// While another process holds the lock, it is named; when it is killed, the lock
// is free although its file is still there.
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

// Two names of a file have one lock, which the first end of it frees, and no other.
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

// A folder that is not there is what the error names.
func TestNoFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "no such")
	_, err := Lock(filepath.Join(dir, "trial.jsonl"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "no folder "+dir+";") ||
		strings.Contains(err.Error(), ".lock") {
		t.Errorf("error %v", err)
	}
}

// What the last owner wrote, a longer name perhaps, is gone.
func TestSignOverAnotherOwner(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.lock")
	if err := os.WriteFile(name, []byte(" 123456789 on "+strings.Repeat("a-machine-with-a-long-name.", 6)+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	sign(name)
	if got := owner(name); !strings.HasPrefix(got, strconv.Itoa(os.Getpid())) || strings.Contains(got, "a-machine") {
		t.Errorf("the owner is %q", got)
	}
}

// The error says which file is held, by whom as far as that can be read, where that stands, and what to do.
func TestHeldMessage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trial.jsonl")
	unlock, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	host, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	for who, text := range map[string]string{
		fmt.Sprintf("process %d on %s", os.Getpid(), host): "", "another process": " ", "process 12": "\x0012\n",
	} {
		if text != "" {
			if err := os.WriteFile(path+".lock", []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Lock(path)
		want := path + ": " + ErrHeld.Error() + ": " + who + " (" + path + ".lock); wait for it to end, or write to another path"
		if err == nil || err.Error() != want {
			t.Errorf("%v; want %s", err, want)
		}
		sign(path + ".lock") // as it was
	}
}
