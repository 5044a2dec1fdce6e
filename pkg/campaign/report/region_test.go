package report

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// The region of the figures is where all bounds of the problem are kept: those from below and from above,
// and those of sums, of what is maximised and of what is minimised.
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
	region, err := v.region()
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
		if got := region.Contains([]float64{yield, waste}); got != keeps {
			t.Fatalf("yield %.3g, waste %.3g: in the region %v; want %v", yield, waste, got, keeps)
		}
	}
	if kept < 100 || kept > 900 {
		t.Errorf("%d of 1000 points keep all bounds", kept)
	}
}

// With one objective, candidates outside of a bound are drawn as those that another one beats: rejected.
func TestInfeasibleInOneObjective(t *testing.T) {
	v := &View{Columns: []Column{{Name: "yield", Goal: problem.Maximise}}, axes: []string{"yield"}}
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

// Each figure has a width for a telephone, with bounds and without, and is the wider one otherwise; of several bounds on one objective
// the first is the line that is drawn.
func TestWidthsOfFigures(t *testing.T) {
	for d := 1; d <= 2; d++ {
		for _, bounds := range [][]Bound{nil, {{Name: "floor", Weights: []float64{2, 0}[:d], Limit: 8, AtLeast: true}, {Name: "ceiling", Weights: []float64{1, 0}[:d], Limit: 9}}} {
			v := &View{Columns: []Column{{Name: "yield", Goal: problem.Maximise}, {Name: "waste", Goal: problem.Minimise}}[:d], axes: []string{"yield", "waste"}[:d], Bounds: bounds}
			for i := range 3 {
				v.Arms = append(v.Arms, campaign.ArmStatus{Arm: string(rune('A' + i)), Available: true, Used: 1, Estimate: []float64{float64(i), 1}[:d],
					Low: []float64{float64(i) - 1, 0}[:d], High: []float64{float64(i) + 1, 2}[:d]})
			}
			for name, draw := range map[string]func(Width) (Figure, error){"plane": func(w Width) (Figure, error) { return v.Plane(0, d-1, w) }, "effort": v.Effort} {
				narrow, err := draw(Narrow)
				wide, err2 := draw(Wide)
				if err != nil || err2 != nil || !strings.Contains(narrow.SVG, `width="330pt"`) || strings.Contains(wide.SVG, `width="330pt"`) || narrow.Alt != wide.Alt {
					t.Errorf("%s of %d objectives, %d bounds: %v, %v\n%.200s\n%.200s\n%s\n%s", name, d, len(bounds), err, err2, narrow.SVG, wide.SVG, narrow.Alt, wide.Alt)
				}
				if d == 2 && name == "plane" && !strings.Contains(narrow.SVG, `height="400pt"`) {
					t.Errorf("a narrow plane:\n%.200s", narrow.SVG)
				}
				if d == 1 && name == "plane" && bounds != nil && !strings.Contains(wide.Alt, "floor at 4") {
					t.Errorf("%q; want the line of the first bound", wide.Alt)
				}
			}
		}
	}
}
