//go:build linux && !nosqlite

package events

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// left copies a file of n events to dir, with the last event
// only in the log, as a killed process leaves the file.
func left(t *testing.T, dir string, n int) string {
	t.Helper()
	s := made(t, n-1)
	must(t, s.Close())
	s, err := Open(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	add(t, s, n)
	if err := s.Write(func(tx *Tx) error { return tx.SetUndone(1, 2) }); err != nil { // a second transaction in the log, after the transaction of the event
		t.Fatal(err)
	}
	path := filepath.Join(dir, "x.campaign")
	for _, suffix := range []string{"", logSuffix} {
		must(t, copyFile(path+suffix, s.Path()+suffix))
	}
	return path
}

// In a read-only folder, a campaign can be read, with or
// without the log of a killed process. Nothing is written.
func TestReadOnlyFolder(t *testing.T) {
	for _, log := range []bool{false, true} {
		dir := t.TempDir()
		lock := func() error { return os.Chmod(dir, 0o555) }
		if os.Geteuid() == 0 { // file modes do not restrict root
			if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, ""); err != nil {
				t.Skipf("no file system can be mounted: %v", err)
			}
			t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
			lock = func() error { return syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "") }
		} else {
			t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
		}
		path := left(t, dir, 3)
		want := []string{`{"n":1}`, `{"n":2}`, `{"n":3}`}
		if !log {
			want = want[:2]
			must(t, os.Remove(path+logSuffix))
		}
		temp := t.TempDir()
		t.Setenv("TMPDIR", temp)
		must(t, lock())
		s, err := Open(path)
		if err != nil {
			t.Fatalf("log %v: %v", log, err)
		}
		err = s.Write(func(tx *Tx) error { _, err := tx.Append("Ada", "tell", 1); return err })
		if !errors.Is(err, ErrReadOnly) && !errors.Is(err, ErrFull) {
			t.Errorf("log %v: written: %v", log, err)
		}
		if got := all(t, s); !slices.Equal(got, want) {
			t.Errorf("log %v: events %v; want %v", log, got, want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if list, err := Intact(path); err != nil || len(list) != len(want) {
			t.Errorf("log %v: %d intact events, %v", log, len(list), err)
		}
		if list, err := os.ReadDir(temp); err != nil || len(list) > 0 {
			t.Errorf("log %v: %d copies are left, %v", log, len(list), err)
		}
	}
}

// A log that belongs to another file is an error, because SQLite would apply this log to the file. Both files stay
// unchanged. The file's own log is read.
func TestForeignLog(t *testing.T) {
	path := left(t, t.TempDir(), 30)
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := all(t, s); len(got) != 30 {
		t.Errorf("%d events with the log; want 30", len(got))
	}
	must(t, s.Close())
	for _, n := range []int{2, 5, 200, 400} { // number of events in the file that replaces the campaign
		other := left(t, t.TempDir(), n)
		name := fmt.Sprint(n, " events")
		path := left(t, t.TempDir(), 30)
		if n == 400 { // the smaller file replaces the larger file, whose log stays
			other, path = left(t, t.TempDir(), 30), left(t, t.TempDir(), n)
		}
		must(t, errors.Join(os.Remove(path), copyFile(path, other)))
		was := [2]string{read(t, path), read(t, path+logSuffix)}
		for range 2 {
			if s, err := Open(path); !errors.Is(err, ErrForeignLog) {
				t.Errorf("%s: %v", name, err)
				if err == nil {
					s.Close()
				}
			}
			if list, err := Intact(path); !errors.Is(err, ErrForeignLog) {
				t.Errorf("%s: %d intact events, %v", name, len(list), err)
			}
		}
		if is := [2]string{read(t, path), read(t, path+logSuffix)}; is != was {
			t.Errorf("%s: the file or its log was changed", name)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
