package cell

import (
	"strings"
	"testing"
	"time"
)

// The remaining time is estimated from the number of missing rows and the speed of the current run.
func TestProgressAfterResume(t *testing.T) {
	p := NewProgress("Study")
	p.Update(80, 100, 0) // the file already has 80 rows
	p.last = time.Time{}
	p.Update(90, 100, 20*time.Second)
	if want := "Study: 90 of 100 runs, 20s, about 20s left"; p.text != want {
		t.Errorf("%q; want %q", p.text, want)
	}
	p.last = time.Time{}
	p.Update(100, 100, 40*time.Second)
	if strings.Contains(p.text, "left") {
		t.Errorf("%q after the last run", p.text)
	}
}
