package dataset_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The Go code in the documentation is compiled and run: the example file of a page contains every Go block of the page
// word for word.
func TestDocumentation(t *testing.T) {
	sources := map[string]string{
		"write-a-policy.md":       "../policytest/example_test.go",
		"run-a-campaign.md":       "../campaign/example_test.go",
		"contextual-campaigns.md": "contextual_example_test.go",
		"plates.md":               "plates_example_test.go",
		"good-enough.md":          "goodenough_example_test.go",
		"arena.md":                "../study/arena/example_test.go",
		"your-problem.md":         "../campaign/problem/example_test.go",
		"plan.md":                 "../campaign/plan/planview/example_test.go",
		"sweeps.md":               "../sweep/sweepcmd/example_test.go",
		"betting.md":              "../policy/bettingahead_example_test.go",
		"monitors.md":             "../monitor/example_test.go",
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range pages {
		md, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		page := filepath.Base(path)
		if page == "quick-start.md" {
			continue // a whole program, which a test of the command runs
		}
		blocks := strings.Split(string(md), "```go\n")[1:]
		source, ok := sources[page]
		if delete(sources, page); ok != (len(blocks) > 0) {
			t.Errorf("%s has %d blocks of code; is its example file %q?", page, len(blocks), source)
		}
		if len(blocks) == 0 {
			continue
		}
		src, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range blocks {
			code, _, ok := strings.Cut(b, "```")
			if !ok || !strings.Contains(string(src), code) {
				t.Errorf("%s: this block is not in %s:\n%s", page, source, code)
			}
		}
	}
	for page := range sources {
		t.Errorf("there is no page docs/%s", page)
	}
}
