package report

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// The region in figures satisfies all bounds of the problem: lower and upper bounds, and bounds on sums of
// objectives, for maximised and minimised objectives.
func TestRegionKeepsBounds(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`
[question]
find = "pareto"
delta = 0.05
[candidates]
names = ["Pd", "Ni"]
[[objective]]
name = "yield"
at_least = 50
at_most = 90
noise = { sd = 2 }
[[objective]]
name = "waste"
goal = "minimise"
at_most = 8
slack = 0.5
noise = { sd = 1 }
[[constraint]]
terms = { yield = 1, waste = -2 }
at_least = 40
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "x.campaign"), p, "ada")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	v, err := NewViewer(c).View()
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 6))
	kept := 0
	for range 1000 {
		yield, waste := 100*rnd.Float64(), 12*rnd.Float64()
		keeps := yield >= 50 && yield <= 90 && waste <= 8 && yield-2*waste >= 40
		if keeps {
			kept++
		}
		if got := v.region.Contains([]float64{v.axes[0].In(yield), v.axes[1].In(waste)}); got != keeps {
			t.Fatalf("yield %.3g, waste %.3g: in the region %v; want %v", yield, waste, got, keeps)
		}
	}
	if !v.axes[1].Less() || v.axes[0].Less() || v.axes[1].Out(v.axes[1].In(3)) != 3 {
		t.Errorf("axes %+v; want less waste to be better, as in notebooks", v.axes)
	}
	r, err := NewViewer(c).Report()
	if err != nil {
		t.Fatal(err)
	}
	var bounds []string
	for _, d := range r.Declared {
		if d.What == "bound" {
			bounds = append(bounds, d.Is)
		}
	}
	if got := strings.Join(bounds, ", "); got != "yield >= 50; slack: 0, yield <= 90; slack: 0, waste <= 8; slack: 0.5, yield - 2 waste >= 40; slack: 0" {
		t.Errorf("declared bounds: %s", got)
	}
	if kept < 100 || kept > 900 {
		t.Errorf("%d of 1000 points keep all bounds", kept)
	}
}

// With one objective, candidates outside a bound are drawn as rejected, like dominated candidates.
func TestInfeasibleInOneObjective(t *testing.T) {
	v := &View{Columns: []Column{{Name: "yield", Goal: problem.Maximise}}, axes: []bandit.Axis{{Label: "yield", PerReward: 1}}, Status: campaign.Status{Objectives: []string{"yield"}}}
	for i, class := range []explore.Class{explore.Optimal, explore.Dominated, explore.Infeasible, explore.Undecided} {
		a := campaign.ArmStatus{Arm: string(rune('A' + i)), Available: true, Class: class,
			Estimate: []float64{float64(9 - i)}, Low: []float64{float64(8 - i)}, High: []float64{float64(10 - i)}}
		v.Arms = append(v.Arms, a)
	}
	f, err := v.Plane(0, 0, Wide)
	if err != nil || !strings.Contains(f.Alt, "Kept: A. Rejected: B, C. Undecided: D.") {
		t.Errorf("%q, %v", f.Alt, err)
	}
}
