package report

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// The ends of boxes in figures equal the ends of intervals in the table, even for intervals clipped to the
// possible values. With no success among twelve patients, the interval of the rate begins at 0.
func TestBoxesHaveTheEndsOfTheTable(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`
question = {find = "pareto", delta = 0.1}
candidates = {names = ["low", "high"]}
[[objective]]
name = "efficacy"
amounts = "rates"
noise = { counts = 12 }
[[objective]]
name = "toxicity"
goal = "minimise"
amounts = "rates"
noise = { counts = 12 }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "x.campaign"), p, "ada")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Tell([]campaign.Result{{ID: "1", Arm: "low", Values: []float64{0, 1}},
		{ID: "2", Arm: "high", Values: []float64{11, 3}}}, "ada"); err != nil {
		t.Fatal(err)
	}
	v, err := NewViewer(c).View()
	if err != nil {
		t.Fatal(err)
	}
	e := v.estimates(v.Arms)
	lopsided := false
	for i, a := range v.Arms {
		for c, x := range a.Estimate {
			lo, hi := v.axes[c].Out(e.Low.At(i, c)), v.axes[c].Out(e.High.At(i, c))
			if lo, hi = min(lo, hi), max(lo, hi); math.Abs(lo-a.Low[c]) > 1e-12 || math.Abs(hi-a.High[c]) > 1e-12 {
				t.Errorf("%s in %s: from %v to %v; the table has %v to %v", a.Arm, v.Objectives[c], lo, hi, a.Low[c], a.High[c])
			}
			lopsided = lopsided || math.Abs(x-lo-(hi-x)) > .1
		}
	}
	if !lopsided {
		t.Error("no interval is asymmetric, so the test misses clipped intervals")
	}
}
