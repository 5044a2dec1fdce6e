package problem

import (
	"strings"
	"testing"
)

// TestExactMethods: a tolerance that the method has no use for is refused, so that nobody waits for
// the measurements that it was to save; methods that use it, and the usual one, take it.
func TestExactMethods(t *testing.T) {
	text := func(method string) string {
		return `question = {find = "best", delta = 0.05}
candidates = {names = ["A", "B", "C"]}
method = {name = "` + method + `"}
[[objective]]
name = "yield"
tolerance = 3
noise = {sd = 2}
`
	}
	for method, taken := range map[string]bool{"": true, "APE": true, "LinGapE": true, "Betting": true,
		"Racing": false, "e-cAPE": false, "Uniform": false} {
		p, err := Parse("p.toml", []byte(text(method)), nil)
		if taken {
			if err != nil {
				t.Errorf("%s: %v", method, err)
			} else if use, _ := p.Tolerant(); !use {
				t.Errorf("%s: no use for a tolerance", method)
			}
			continue
		}
		want := "p.toml:6: objective[1].tolerance: 3, but the method " + method + " does not use it"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", method, err, want)
		}
	}
}
