package report

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// The methods of which a page says that a program without purexp checks them are those that the program
// knows.
func TestChecked(t *testing.T) {
	var known []string
	for _, path := range []string{"../../../docs/check_certificate.py", "../../../docs/check_linear.py"} {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rules := regexp.MustCompile(`(?m)^RULES = \{(.*)\}`).FindStringSubmatch(string(b))
		if rules == nil {
			t.Fatalf("%s has no line of RULES", path)
		}
		for _, name := range regexp.MustCompile(`"([^"]+)":`).FindAllStringSubmatch(rules[1], -1) {
			known = append(known, name[1])
		}
	}
	want := slices.Sorted(slices.Values(checked))
	if slices.Sort(known); !slices.Equal(known, want) {
		t.Errorf("the program knows %q, the page speaks of %q", known, want)
	}
}
