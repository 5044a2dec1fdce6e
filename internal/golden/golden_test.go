package golden

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tried runs a test and returns whether it passed, and its messages with single spaces.
func tried(t *testing.T, f func(t *testing.T)) (passed bool, said string) {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "said")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := os.Stdout
	os.Stdout = file
	passed = testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "TestTried", F: f}})
	os.Stdout = out
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return passed, strings.Join(strings.Fields(string(text)), " ")
}

// Check passes if a text equals the text of its file. Otherwise, Check lists at most five lines that differ, are
// missing or are additional. A missing file is a failure; the file is written only on request.
func TestCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("PATHS", "")
	check := func(name, text string) (bool, string) {
		return tried(t, func(t *testing.T) { Check(t, name, text) })
	}
	if ok, _ := check("a.txt", "one"); ok {
		t.Error("no file, and no failure")
	}
	if files, _ := filepath.Glob("*"); len(files) > 0 {
		t.Errorf("written: %q", files)
	}
	t.Setenv("PATHS", "write")
	if ok, said := check("a.txt", "one\ntwo\nthree\n"); !ok {
		t.Error(said)
	}
	t.Setenv("PATHS", "")
	if text, err := os.ReadFile("testdata/a.txt"); err != nil || string(text) != "one\ntwo\nthree\n" {
		t.Errorf("%q, %v", text, err)
	}
	for text, says := range map[string][]string{
		"one\ntwo\nthree\n": nil, "one\n2\nthree\n": {"a.txt:2: 2 want two"}, "one\ntwo\n": {"a.txt:3:", "want three", "a.txt:4: (nothing) want"},
		"one\ntwo\nthree\nfour\n": {"a.txt:4:", "four", "a.txt:5:", "want (nothing)"}, "one\ntwo\nthree": {"a.txt:4:"}, "": {"a.txt:1:", "a.txt:4:"},
		"1\n2\n3\n4\n5\n6\n7\n": {"a.txt:1:", "a.txt:5:", "!a.txt:6:"},
	} {
		ok, said := check("a.txt", text)
		if ok != (says == nil) {
			t.Errorf("%q: passes %v: %s", text, ok, said)
		}
		for _, s := range says {
			if not := strings.HasPrefix(s, "!"); strings.Contains(said, strings.TrimPrefix(s, "!")) == not {
				t.Errorf("%q: %q is said: %v, in %s", text, s, not, said)
			}
		}
	}
}

// Digests stores one line for each group of lines, reports differences by group, and writes the lines of a group
// to a folder. Parts accepts changed words but no changed numbers.
func TestDigestsAndParts(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("PATHS", "write")
	digest := func(x ...string) (bool, string) {
		return tried(t, func(t *testing.T) { Digests(t, "d.txt", slices.Clone(x), Before(",;")) })
	}
	part := func(text string) (bool, string) {
		return tried(t, func(t *testing.T) { Parts(t, "p.txt", text, "^# .*") })
	}
	if err := os.Mkdir("testdata", 0o777); err != nil {
		t.Fatal(err)
	}
	digest("a, 1", "b; 2", "a, 3", "c")
	part("0 first\n# one\nsays 1.5 of A3\n# two\nnothing\n# one\n7\n")
	t.Setenv("PATHS", "")
	if text, err := os.ReadFile("testdata/d.txt"); err != nil || !strings.HasPrefix(string(text), "a: 2, ") || strings.Count(string(text), "\n") != 3 {
		t.Errorf("%q, %v", text, err)
	}
	t.Setenv("LINES", filepath.Join(t.TempDir(), "now"))
	if ok, said := digest("b; 2", "c", "a, 3", "a, 1"); !ok {
		t.Error(said)
	}
	for _, x := range [][]string{{"b; 2", "a, 3", "a, 1"}, {"b; 2", "c", "a, 3", "a, 2"}, {"b; 2", "c", "a, 3", "a, 1", "d"}} {
		if ok, said := digest(x...); ok || !strings.Contains(said, "d.txt:") || !strings.Contains(said, os.Getenv("LINES")) {
			t.Errorf("%q: passes %v: %s", x, ok, said)
		}
	}
	if text, err := os.ReadFile(filepath.Join(os.Getenv("LINES"), "a.txt")); err != nil || string(text) != "a, 1\na, 3\n" {
		t.Errorf("%q, %v", text, err)
	}
	if ok, said := part("0 first\n# one\nA3 at 1.5\n# two\nelse\n# one\n7\n"); ok {
		t.Error("the order of numbers is not compared:", said)
	}
	if ok, said := part("0 at first\n# one\nA word at 1.5, of A3.\n# two\nelse\n# one\n7\n"); !ok {
		t.Error(said)
	}
	for _, text := range []string{"0\n# one\n1.5 A4\n# two\n# one\n7\n", "0\n# one\n1.5 A3\n# one\n7\n", "0\n# one\n1.5 A3\n# two\n7\n# one\n7\n"} {
		if ok, _ := part(text); ok {
			t.Errorf("%q passes", text)
		}
	}
}
