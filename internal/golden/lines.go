package golden

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Lines compares lines, in any order, with those of a file. With PATHS=write in the environment it
// writes the file: for a change that is meant, which CHANGELOG.md names. Numbers in lines have few
// digits; what is rounded to them depends on the processor all the same, so that others skip.
func Lines(t *testing.T, file string, lines []string) {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors round other sums")
	}
	slices.Sort(lines)
	if writes() {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	was := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	for _, line := range lines {
		if _, there := slices.BinarySearch(was, line); !there {
			t.Errorf("now: %s", line)
		}
	}
	for _, line := range was {
		if _, there := slices.BinarySearch(lines, line); !there {
			t.Errorf("was: %s", line)
		}
	}
}
