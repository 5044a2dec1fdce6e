package jsonl

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

type rec struct {
	N int       `json:"n"`
	X []float64 `json:"x"`
}

// begins returns the beginning of every line of a file of records.
func begins(int) ([]byte, error) { return []byte(`{"n":`), nil }

// load opens path and returns its records.
func load(t *testing.T, path string) (*File, []rec, error) {
	t.Helper()
	var got []rec
	f, err := Open(path, begins, func(n int, line []byte) error {
		var r rec
		if err := Decode(line, &r); err != nil {
			return err
		}
		got = append(got, r)
		return nil
	})
	return f, got, err
}

// write writes the records 0 to n-1 to a file and returns its path.
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

// A file cut at any byte keeps its complete records, and appending the other records restores all bytes.
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
		// Only the incomplete line is removed.
		complete := slices.Collect(strings.Lines(string(whole)))[:len(got)]
		if now, _ := os.ReadFile(path); string(now) != strings.Join(complete, "") {
			t.Fatalf("cut at %d: opened, the file holds\n%s", cut, now)
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

// If a byte of the first line was changed, Open returns an error that states the line, and leaves the file unchanged.
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

// For a folder, or for a path that does not exist, the error names the path.
func TestNoFile(t *testing.T) {
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "nothing", "rows.jsonl")} {
		if f, _, err := load(t, path); err == nil || f != nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, %v", path, f, err)
		}
	}
}

// fullDisk is a disk that is full after room bytes.
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
	if !errors.Is(err, ErrWrite) || !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), path+": ") {
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

// If a killed process cannot have left the end of a file, the file is not changed, however long its last line is.
func TestForeign(t *testing.T) {
	path := write(t, 2)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	zeros := strings.Repeat("\x00", 1<<17)
	for name, c := range map[string]struct {
		content string
		own     bool
	}{
		"one line of JSON":             {`{"name":"precious"}`, false},
		"a letter":                     {"Dear all", false},
		"a long line":                  {strings.Repeat("precious ", 1<<17), false},
		"zeros before what matters":    {zeros + "precious", false},
		"a remark at the end":          {string(whole) + "a remark", false},
		"zeros and a remark":           {string(whole) + `{"n` + zeros + "a remark", false},
		"nothing":                      {"", true},
		"a beginning":                  {`{"n`, true},
		"a power cut":                  {zeros, true},
		"a record cut short":           {string(whole[:len(whole)-9]), true},
		"a record cut short and zeros": {string(whole[:len(whole)-9]) + zeros, true},
		"a beginning at the end":       {string(whole) + `{"`, true},
	} {
		if err := os.WriteFile(path, []byte(c.content), 0o666); err != nil {
			t.Fatal(err)
		}
		f, _, err := load(t, path)
		if c.own {
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			f.Close()
			continue
		}
		if at := fmt.Sprintf("%s:%d: ", path, 1+strings.Count(c.content, "\n")); !errors.Is(err, ErrForeign) || !strings.HasPrefix(err.Error(), at) {
			t.Errorf("%s: error %v; want it at %s", name, err, at)
		}
		if now, _ := os.ReadFile(path); string(now) != c.content {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

// brokenDisk writes only half of each of the first records, and the first attempts to truncate fail.
type brokenDisk struct {
	*os.File
	writes, cuts int
}

func (d *brokenDisk) WriteAt(p []byte, at int64) (int, error) {
	if d.writes--; d.writes >= 0 {
		n, err := d.File.WriteAt(p[:len(p)/2], at)
		return n, errors.Join(err, syscall.EIO)
	}
	return d.File.WriteAt(p, at)
}

func (d *brokenDisk) Truncate(size int64) error {
	if d.cuts--; d.cuts >= 0 {
		return syscall.EIO
	}
	return d.File.Truncate(size)
}

// A partly written record that cannot be removed is overwritten, even by a shorter one.
func TestTorn(t *testing.T) {
	path := write(t, 2)
	f, _, err := load(t, path)
	if err != nil {
		t.Fatal(err)
	}
	f.f = &brokenDisk{f.f.(*os.File), 1, 2}
	for range 2 {
		if err := f.Append(rec{2, []float64{1, 2, 3}}); !errors.Is(err, ErrWrite) || !strings.HasPrefix(err.Error(), path+": ") {
			t.Fatalf("error %v", err)
		}
	}
	if err := f.Append(rec{N: 2}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, got, err := load(t, path); err != nil || len(got) != 3 || got[2].X != nil {
		t.Errorf("%v, %v", got, err)
	}
}

func TestEncodeRejects(t *testing.T) {
	for _, v := range []any{3, struct{}{}, []int{1}, func() {}} {
		if _, err := Encode(v); err == nil {
			t.Errorf("%T was encoded", v)
		}
	}
}

// Scan passes whole lines, and returns the size of all complete lines.
func FuzzScan(f *testing.F) {
	line, _ := Encode(rec{N: 1, X: []float64{2}})
	f.Add(line)
	f.Add(append(line, line[:9]...))
	f.Add([]byte("a\n\n\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		whole := 0
		size, err := Scan(strings.NewReader(string(text)), func(_ int, line []byte) error {
			whole += len(line) + 1
			return nil
		})
		if err != nil || size > int64(len(text)) || int64(whole) < size || int64(whole) > size+1 {
			t.Fatalf("%d bytes, lines of %d bytes, error %v", size, whole, err)
		}
	})
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

// An endless line is rejected. A small file that decompresses to gigabytes may contain such a line.
func TestLongestLine(t *testing.T) {
	size, err := Scan(io.MultiReader(strings.NewReader("a\n\n"), endlessLine{}), func(int, []byte) error { return nil })
	if want := "line 3 is longer than 67108864 bytes"; !errors.Is(err, ErrEdited) || size != 3 || !strings.Contains(err.Error(), want) {
		t.Errorf("%d, %v; want %s", size, err, want)
	}
}

type endlessLine struct{}

func (endlessLine) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
