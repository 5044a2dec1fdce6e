package problem

import "testing"

// What is suggested for a field that there is not is like it, or means the same elsewhere: by two letters in
// words of four, by one in shorter ones.
func TestNearest(t *testing.T) {
	words := []string{"at_least", "at_most", "goal", "tolerance", "delta", "plate", "sd", "objective", "constraint", "names", "method"}
	for name, want := range map[string]string{
		"min": "at_least", "Minimum": "at_least", "lower": "at_least", "max": "at_most", "maximum": "at_most", "upper": "at_most",
		"direction": "goal", "epsilon": "tolerance", "alpha": "delta", "batch": "plate", "batch size": "plate", "batch-size": "plate",
		"sigma": "sd", "std": "sd", "objectives": "objective", "constraints": "constraint", "arms": "names", "policy": "method",
		"algorithm": "method", "at-least": "at_least", "gaol": "goal", "goel": "goal", "go": "", "god": "", "goa": "goal", "s": "sd",
		"xd": "sd", "xy": "", "dlta": "delta", "dltaa": "delta", "dxxta": "delta", "dxxxa": "", "colour": "",
	} {
		if got := nearest(name, words); got != want {
			t.Errorf("%q: %q; want %q", name, got, want)
		}
	}
}
