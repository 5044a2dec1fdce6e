package problem

import (
	"fmt"
	"strings"
	"testing"
)

// TestScales: noise so small, or so large, that sums of squares of standardised results are no
// numbers is refused with its field.
func TestScales(t *testing.T) {
	for sd, taken := range map[string]bool{"1e-49": true, "1e49": true, "1e-60": false, "1e60": false} {
		_, err := Parse("p.toml", []byte(fmt.Sprintf(`question = {find = "best", delta = 0.05}
candidates = {names = ["A", "B"]}
[[objective]]
name = "yield"
noise = {sd = %s}
`, sd)), nil)
		if taken != (err == nil) || err != nil && !strings.Contains(err.Error(), "objective[1].noise") {
			t.Errorf("sd %s: %v", sd, err)
		}
	}
}
