package campaign

import (
	"slices"
	"strings"
	"testing"
)

// Measurements beyond what can be afforded are handed out, and the status says so from the last one on.
// Tickets that are withdrawn cost nothing.
func TestAffordable(t *testing.T) {
	p := coupling(t)
	p.Laboratory.Measurements = 3
	c := beginWith(t, p)
	says := func(asked int, want string) {
		t.Helper()
		s := status(t, c)
		if s.Affordable != 3 || s.Asked != asked || s.Excess() != want ||
			want != "" && !slices.Equal(s.Warnings, []string{want}) ||
			want == "" && strings.Contains(strings.Join(s.Warnings, ""), "afforded") {
			t.Errorf("%d of %d, %q, %q; want %d, %q", s.Asked, s.Affordable, s.Excess(), s.Warnings, asked, want)
		}
	}
	ask(t, c, 2)
	says(2, "")
	ask(t, c, 1)
	all := "3 measurements can be afforded (laboratory.measurements), and all were asked for: the next one is beyond that."
	says(3, all)
	ask(t, c, 2)
	says(5, "3 measurements can be afforded (laboratory.measurements), and 5 were asked for: 2 beyond that.")
	if err := c.Undo(4, "too many", "Ada"); err != nil {
		t.Fatal(err)
	}
	says(3, all)
	if s := status(t, begin(t)); s.Excess() != "" || s.Affordable != 0 {
		t.Errorf("%d, %q", s.Affordable, s.Excess())
	}
}
