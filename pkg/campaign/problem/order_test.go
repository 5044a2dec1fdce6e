package problem_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Which methods can be trusted does not depend on the order of objectives.
func TestOrderOfObjectives(t *testing.T) {
	noises := []string{"sd = 1.0", "range = [0, 100]", "counts = 12", "range = [0, 200]"}
	methods := func(find string, noises ...string) (names []string) {
		text := fmt.Sprintf("[question]\nfind = %q\ndelta = 0.1\n[candidates]\nnames = [\"a\", \"b\", \"c\"]\n", find)
		for i, noise := range noises {
			text += fmt.Sprintf("[[objective]]\nname = \"y%d\"\nnoise = { %s }\nvalues = [0, 100]\nat_least = 3\n", i, noise)
		}
		p, err := problem.Parse("p.toml", []byte(text), nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return slices.Sorted(slices.Values(p.Methods()))
	}
	some := 0
	for _, find := range []string{"pareto", "feasible"} {
		for i, a := range noises {
			for _, b := range noises[:i] {
				one, two := methods(find, a, b), methods(find, b, a)
				if !slices.Equal(one, two) {
					t.Errorf("%s with %s and %s: %q; in the other order %q", find, a, b, one, two)
				}
				some += len(one)
			}
		}
	}
	if some == 0 {
		t.Error("no method can be trusted")
	}
}
