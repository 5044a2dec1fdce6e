package dataset_test

import (
	"os"
	"strings"
	"testing"
)

// The pages of documentation show code that is compiled and run: every block of
// Go in them stands in the example file word for word.
func TestDocumentation(t *testing.T) {
	for page, source := range map[string]string{
		"write-a-policy.md":       "../policytest/example_test.go",
		"run-a-campaign.md":       "campaign_example_test.go",
		"contextual-campaigns.md": "contextual_example_test.go",
	} {
		md, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		src, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		blocks := strings.Split(string(md), "```go\n")[1:]
		if len(blocks) < 4 {
			t.Errorf("%s has %d blocks of code", page, len(blocks))
		}
		for _, b := range blocks {
			code, _, ok := strings.Cut(b, "```")
			if !ok || !strings.Contains(string(src), code) {
				t.Errorf("%s: this block is not in %s:\n%s", page, source, code)
			}
		}
	}
}
