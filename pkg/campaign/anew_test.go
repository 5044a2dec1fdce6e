package campaign

import (
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// A method with rounds of its own begins anew when a candidate is dropped, and the status says so;
// one that learns from everything loses nothing.
func TestAnew(t *testing.T) {
	for method, anew := range map[string]bool{"Auer": true, "APE": false} {
		p := many(t, 3, problem.FindPareto, method)
		p.Objectives[1].AtMost = nil
		c := beginWith(t, p)
		var results []Result
		for _, q := range ask(t, c, 3) {
			results = append(results, Result{Ticket: q.Ticket, Values: []float64{1, 1}})
		}
		tell(t, c, results...)
		if err := c.Drop("arm 2", "sold out", "Ada"); err != nil {
			t.Fatal(err)
		}
		s := status(t, c)
		says := strings.Contains(strings.Join(s.Guarantee, " "), method+" began its rounds anew")
		if says != anew || (s.Used == 0) != anew {
			t.Errorf("%s: %d used, %q", method, s.Used, s.Guarantee)
		}
	}
}
