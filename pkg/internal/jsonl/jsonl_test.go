package jsonl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

type rec struct {
	N int       `json:"n"`
	X []float64 `json:"x"`
}

// load opens path and returns the records in it.
func load(t *testing.T, path string) (*File, []rec, error) {
	t.Helper()
	var got []rec
	f, err := Open(path, func(n int, line []byte) error {
		var r rec
		if err := Decode(line, &r); err != nil {
			return err
		}
		got = append(got, r)
		return nil
	})
	return f, got, err
}

// write returns the path of a file that holds records 0 to n-1.
func write(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	f, _, err := load(t, path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := f.Append(rec{i, []float64{0.1, 1e-300, float64(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRoundTrip(t *testing.T) {
	path := write(t, 3)
	f, got, err := load(t, path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if fmt.Sprint(got) != "[{0 [0.1 1e-300 0]} {1 [0.1 1e-300 1]} {2 [0.1 1e-300 2]}]" {
		t.Errorf("got %v", got)
	}
}

// A file cut at any byte keeps every complete record and can be continued to
// the same bytes.
func TestCutAnywhere(t *testing.T) {
	path := write(t, 3)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) {
		if err := os.WriteFile(path, whole[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		f, got, err := load(t, path)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		// A line that lacks only its newline is complete.
		if want := strings.Count(string(whole[:cut+1]), "\n"); len(got) != want {
			t.Fatalf("cut at %d: %d records; want %d", cut, len(got), want)
		}
		for i := len(got); i < 3; i++ {
			if err := f.Append(rec{i, []float64{0.1, 1e-300, float64(i)}}); err != nil {
				t.Fatal(err)
			}
		}
		f.Close()
		if again, _ := os.ReadFile(path); string(again) != string(whole) {
			t.Fatalf("cut at %d: continued to\n%s", cut, again)
		}
	}
}

// Any changed byte of any line is found, named, and left alone.
func TestEdited(t *testing.T) {
	path := write(t, 3)
	whole, _ := os.ReadFile(path)
	first := strings.IndexByte(string(whole), '\n')
	for i := range first {
		edited := append([]byte(nil), whole...)
		edited[i] ^= 1
		if edited[i] == '\n' {
			continue
		}
		os.WriteFile(path, edited, 0o666)
		_, _, err := load(t, path)
		if !errors.Is(err, ErrEdited) || !strings.Contains(err.Error(), "rows.jsonl:1:") {
			t.Fatalf("byte %d changed: error %v", i, err)
		}
		if now, _ := os.ReadFile(path); string(now) != string(edited) {
			t.Fatal("the edited file was changed")
		}
	}
}

// A disk that is full after room bytes.
type fullDisk struct {
	*os.File
	room int64
}

func (d *fullDisk) WriteAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > d.room {
		n, _ := d.File.WriteAt(p[:max(0, d.room-off)], off)
		return n, syscall.ENOSPC
	}
	return d.File.WriteAt(p, off)
}

func TestFullDisk(t *testing.T) {
	path := write(t, 2)
	before, _ := os.ReadFile(path)
	f, _, err := load(t, path)
	if err != nil {
		t.Fatal(err)
	}
	disk := &fullDisk{f.f.(*os.File), int64(len(before)) + 7}
	f.f = disk
	err = f.Append(rec{N: 2})
	if !errors.Is(err, ErrWrite) || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("error %v", err)
	}
	if now, _ := os.ReadFile(path); string(now) != string(before) {
		t.Fatalf("after a failed write the file holds\n%s", now)
	}
	disk.room = 1 << 20
	if err := f.Append(rec{N: 2}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, got, _ := load(t, path); len(got) != 3 {
		t.Errorf("%d records after there was room again; want 3", len(got))
	}
}

// A disk that fails to sync so many times.
type lazyDisk struct {
	*os.File
	failures int
}

func (d *lazyDisk) Sync() error {
	if d.failures--; d.failures >= 0 {
		return syscall.EIO
	}
	return d.File.Sync()
}

// A record that could not be synced is not there, and is there once after it is
// written again.
func TestAppendSync(t *testing.T) {
	path := write(t, 2)
	before, _ := os.ReadFile(path)
	f, _, err := load(t, path)
	if err != nil {
		t.Fatal(err)
	}
	f.f = &lazyDisk{f.f.(*os.File), 1}
	if err := f.AppendSync(rec{N: 2}); !errors.Is(err, ErrWrite) || !errors.Is(err, syscall.EIO) {
		t.Fatalf("error %v", err)
	}
	if now, _ := os.ReadFile(path); string(now) != string(before) {
		t.Fatalf("after a failed sync the file holds\n%s", now)
	}
	if err := f.AppendSync(rec{N: 2}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, got, err := load(t, path); len(got) != 3 || err != nil {
		t.Errorf("%d records, %v; want 3", len(got), err)
	}
}

func TestEncodeRejects(t *testing.T) {
	for _, v := range []any{3, struct{}{}, []int{1}, func() {}} {
		if _, err := Encode(v); err == nil {
			t.Errorf("%T was encoded", v)
		}
	}
}

func FuzzDecode(f *testing.F) {
	line, _ := Encode(rec{N: 1, X: []float64{2}})
	f.Add(line)
	f.Add([]byte(`{"n":1}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var r rec
		_ = Decode(line, &r) // must not panic
	})
}
