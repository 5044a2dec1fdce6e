package golden

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Digests compares groups of lines with a file in testdata. Each line of the file describes one
// group: its name, its number of lines and a hash of its sorted lines. A line belongs to the group
// name(line). If a group differs, the failing test writes the lines of all groups to a folder, and
// its message names the folder.
func Digests(t *testing.T, file string, lines []string, name func(line string) string) {
	t.Helper()
	slices.Sort(lines)
	var groups []group
	at := map[string]int{}
	for _, line := range lines {
		n := name(line)
		i, known := at[n]
		if !known {
			i = len(groups)
			at[n], groups = i, append(groups, group{name: n})
		}
		groups[i].lines = append(groups[i].lines, line)
	}
	slices.SortFunc(groups, func(a, b group) int { return strings.Compare(a.name, b.name) })
	digests(t, file, groups)
}

// For each key of lines, Pins compares the lines with a section of the testdata file named by the
// key. A section contains the lines themselves or, if hashed is set, their number and a hash. If
// hashed lines differ, the test writes the actual lines to a folder. Other sections of the same
// file belong to other tests.
func Pins(t *testing.T, folder, section string, hashed bool, lines map[string][]string) {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		t.Skip("rounding differs between processor architectures")
	}
	var differing []group
	head := section + ": "
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		path, own := filepath.Join("testdata", folder, name+".txt"), slices.Sorted(slices.Values(lines[name]))
		if now := strings.Join(own, "\n"); hashed {
			own = []string{fmt.Sprintf("%d, %.4x", len(own), sha256.Sum256([]byte(now)))}
		}
		text, err := os.ReadFile(path)
		if err != nil && !writes() {
			t.Errorf("%v; run PATHS=write go test to write the file", err)
			continue
		}
		was := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		others := slices.DeleteFunc(slices.Clone(was),
			func(line string) bool { return line == "" || strings.HasPrefix(line, head) })
		now := others
		for _, line := range own {
			now = append(now, head+line)
		}
		if slices.Sort(now); slices.Equal(now, was) {
			continue
		}
		if writes() {
			if err := os.WriteFile(path, []byte(strings.Join(now, "\n")+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		differ(t, path, strings.Join(now, "\n"), strings.Join(was, "\n"))
		differing = append(differing, group{name, lines[name]})
	}
	if differing != nil && hashed {
		folder, err := os.MkdirTemp("", "purexp-lines-*")
		if err != nil {
			t.Fatal(err)
		}
		write(t, folder, differing)
		t.Errorf("the actual lines are in %s; compare them with the file in testdata", folder)
	}
}

// Parts splits a text into parts and compares the figures of each part with a file, as Digests does
// for groups of lines. A line that begins with head starts a new part of the text and names the
// part. Because Parts compares only the words that Figures returns (numbers, flags, files and
// fields), the wording of sentences may change.
func Parts(t *testing.T, file, text, head string) {
	t.Helper()
	begins := regexp.MustCompile(head)
	groups := []group{{name: "begin"}}
	times := map[string]int{}
	for line := range strings.Lines(Steady(text)) {
		line = strings.TrimRight(line, "\n")
		if name := begins.FindString(line); name != "" {
			line = line[len(name):]
			name = strings.TrimSpace(name)
			if times[name]++; times[name] > 1 {
				name = fmt.Sprintf("%s (%d)", name, times[name])
			}
			groups = append(groups, group{name: name})
		}
		if words := Figures(line); words != "" {
			g := &groups[len(groups)-1]
			g.lines = append(g.lines, words)
		}
	}
	if len(groups[0].lines) == 0 {
		groups = groups[1:]
	}
	digests(t, file, groups)
}

// Figures returns the words of a text that contain a digit or name a flag, file or field (--plate,
// r.jsonl, noise.sd).
func Figures(text string) string { return strings.Join(numbered.FindAllString(text, -1), " ") }

// Before returns a grouping function for Digests: the group of a line is its text before the first
// of the given characters.
func Before(signs string) func(line string) string {
	return func(line string) string {
		if i := strings.IndexAny(line, signs); i >= 0 {
			return line[:i]
		}
		return line
	}
}

var (
	numbered = regexp.MustCompile(`--[a-z][a-z-]*|[A-Za-z_]*-?\d[\w%]*(?:[.+/-]\w+)*|[A-Za-z_]\w+(?:\[\w+\])*(?:\.\w+(?:\[\w+\])*)+`)
	unsafe   = regexp.MustCompile(`[^\w.-]+`)
)

type group struct {
	name  string
	lines []string
}

// digests compares groups of lines with the groups recorded in a file, in order. The environment
// variable LINES=FOLDER makes the test write the lines of all groups to a folder.
func digests(t *testing.T, file string, groups []group) {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		t.Skip("rounding differs between processor architectures")
	}
	var now strings.Builder
	for _, g := range groups {
		fmt.Fprintf(&now, "%s: %d, %.4x\n", g.name, len(g.lines), sha256.Sum256([]byte(strings.Join(g.lines, "\n"))))
	}
	folder := os.Getenv("LINES")
	if folder != "" {
		write(t, folder, groups)
	}
	path := filepath.Join("testdata", file)
	if writes() {
		if err := os.WriteFile(path, []byte(now.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(data) == now.String() {
		return
	}
	if folder == "" {
		if folder, err = os.MkdirTemp("", "purexp-lines-*"); err != nil {
			t.Fatal(err)
		}
		write(t, folder, groups)
	}
	differ(t, path, now.String(), string(data))
	t.Errorf("the lines are in %s; to get the lines of another commit, run there: LINES=/tmp/old go test -run '^%s$' "+
		".", folder, t.Name())
}

func write(t *testing.T, folder string, groups []group) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		name := unsafe.ReplaceAllString(g.name, "-")
		text := strings.Join(g.lines, "\n") + "\n"
		path := filepath.Join(folder, name[:min(len(name), 80)]+".txt")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
