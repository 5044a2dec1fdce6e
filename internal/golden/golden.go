// Package golden compares test output with files in testdata: long texts for people (Check), or
// lines of computed results (Digests). A person has reviewed each golden file. A refactoring must not
// change golden files. For an intended change, run the tests with PATHS=write to rewrite the files,
// review the changes with git diff, and describe them in CHANGELOG.md.
package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func writes() bool { return os.Getenv("PATHS") == "write" }

// Check compares text with the file name in testdata, and reports the first lines that differ. On
// other processor architectures, rounding may change drawings, so Check skips the comparison.
func Check(t *testing.T, name, text string) {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		return
	}
	path := filepath.Join("testdata", name)
	if writes() {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	differ(t, path, text, string(data))
}

// differ reports the first five lines in which text differs from the earlier text, before.
func differ(t *testing.T, path, text, before string) {
	t.Helper()
	is, was := strings.Split(text, "\n"), strings.Split(before, "\n")
	shown := 0
	for i := range max(len(is), len(was)) {
		a, b := "(nothing)", "(nothing)"
		if i < len(is) {
			a = is[i]
		}
		if i < len(was) {
			b = was[i]
		}
		if a != b {
			t.Errorf("%s:%d:\n%s\nwant\n%s", path, i+1, a, b)
			if shown++; shown == 5 {
				return
			}
		}
	}
}

var (
	decimals = regexp.MustCompile(`\d+\.\d{6,}(e[-+]\d+)?`)
	moments  = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ][\d:.]+( UTC|Z)?`)
	hashes   = regexp.MustCompile(`[0-9a-f]{64}|"[0-9a-f]{16}"|(?m:\bc[0-9a-f]{5}$)`)
	programs = regexp.MustCompile(`purexp[ ,]+(v\d|\(devel\)|unknown)[^",]*`)
)

// Steady replaces those parts of a text that vary between runs or processors, such as times.
func Steady(text string) string {
	text = hashes.ReplaceAllString(moments.ReplaceAllString(text, "TIME"), "HASH")
	text = programs.ReplaceAllString(text, "purexp VERSION")
	return decimals.ReplaceAllStringFunc(text, func(s string) string {
		var x float64
		_, _ = fmt.Sscan(s, &x)
		return fmt.Sprintf("%.5g", x)
	})
}
