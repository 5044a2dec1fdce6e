package sweep

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Of two merges to one file at the same time, the second finds it taken, and leaves nothing.
func TestSettle(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "all")
	one := func(text string) error {
		return written(path, 0o666, renameNew, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
	}
	if err := one("first"); err != nil {
		t.Fatal(err)
	}
	if err := one("second"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the second: %v", err)
	}
	text, err := os.ReadFile(path)
	files, _ := os.ReadDir(dir)
	if string(text) != "first" || err != nil || len(files) != 1 {
		t.Errorf("%q, %v and %d files; want the first one's, alone", text, err, len(files))
	}
}

// A full disk is an error that names the file that was to be.
func TestFullTarget(t *testing.T) {
	full := target{context.Background(), fails{}, "all.jsonl"}
	_, err := full.Write([]byte("x"))
	if !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "all.jsonl could not") ||
		strings.Contains(err.Error(), ".moment") {
		t.Errorf("full disk: %v", err)
	}
}

type fails struct{}

func (fails) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: ".moment", Err: syscall.ENOSPC}
}
