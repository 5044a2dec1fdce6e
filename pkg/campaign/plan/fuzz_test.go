package plan

import (
	"math"
	"testing"
)

// FuzzParseChange parses arbitrary changes: an accepted change is parsed again from its text, unchanged.
func FuzzParseChange(f *testing.F) {
	for _, s := range []string{"delta=0.1", "plate = 96", "yield.tolerance=2", "a.b.at_least=-1e3",
		"=", "x.=1", ".sd=1", "delta=nan"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseChange(text)
		if err != nil {
			return
		}
		again, err := ParseChange(c.String())
		if err != nil || again != c || math.IsNaN(c.Value) || math.IsInf(c.Value, 0) {
			t.Fatalf("%q: %+v, again %+v, %v", text, c, again, err)
		}
	})
}
