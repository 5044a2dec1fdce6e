package linfact

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/fig/canvas"
)

// The estimates of Projections are closest among all that the model allows, by brute force; the
// deviation from the linear part that least squares has is orthogonal to it.
func TestProjections(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	distance := func(a, b canvas.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
	for _, deviation := range []float64{.05, .25, .4} {
		p := project(deviation)
		for range 20_000 {
			theta := 2 * rnd.Float64()
			linear := canvas.Point{X: theta * onLine.X, Y: theta * onLine.Y}
			near := canvas.Point{X: linear.X + deviation*(2*rnd.Float64()-1),
				Y: linear.Y + deviation*(2*rnd.Float64()-1)}
			if distance(p.empirical, linear) < distance(p.empirical, p.ols)-1e-12 ||
				distance(p.truth, linear) < distance(p.truth, p.orthogonal)-1e-12 ||
				distance(p.empirical, near) < distance(p.empirical, p.adjusted)-1e-12 {
				t.Fatalf("L_m = %v: %+v; %v or %v is closer", deviation, p, linear, near)
			}
		}
		off := canvas.Point{X: p.truth.X - p.orthogonal.X, Y: p.truth.Y - p.orthogonal.Y}
		if dot := off.X*onLine.X + off.Y*onLine.Y; math.Abs(dot) > 1e-12 {
			t.Errorf("L_m = %v: the deviation %v is not orthogonal", deviation, off)
		}
		if w := math.Max(math.Abs(p.truth.X-p.linear.X),
			math.Abs(p.truth.Y-p.linear.Y)); w > deviation+1e-12 {
			t.Errorf("L_m = %v: the true means deviate by %v", deviation, w)
		}
	}
	if _, err := Projections(0); err == nil {
		t.Error("a band of no width is drawn")
	}
}

// twoSites are a table of contributions.
var twoSites = []dataset.Site{{Name: "R", Substituents: []string{"H", "OH"}, Contributions: []float64{0, 1.5}},
	{Name: "S", Substituents: []string{"F", "Cl", "Br"}, Contributions: []float64{-3, -1, -2}}}

func TestPictures(t *testing.T) {
	five, err := FiveArms()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		draw   func() (*fig.Figure, error)
		panels int
		says   string
	}{
		"Fig. 1": {func() (*fig.Figure, error) { return Regions(1, .5) }, 3,
			"Seven decision regions"},
		"Fig. EC.3.1": {func() (*fig.Figure, error) { return Confidence(1) }, 2,
			"XY design: in M2 {1, 3} from 384 pulls on"},
		"Fig. EC.4.2": {func() (*fig.Figure, error) { return Alternatives(five) }, 2,
			"(b) e4 enters"},
		"Fig. 2 and 3": {func() (*fig.Figure, error) { return Projections(.25) }, 3, "L_m = 0.25"},
		"Fig. 4": {func() (*fig.Figure, error) { return Means(Synthetic, 2, 0) }, 1,
			"Kept: e1, e2."},
		"Fig. 7": {func() (*fig.Figure, error) { return Contributions(dataset.FreeWilson{}) },
			1, "SYNTHETIC"},
		"Fig. 7 by a name": {func() (*fig.Figure, error) { return Contributions(dataset.FreeWilson{Name: "mine"}) },
			1, "SYNTHETIC contributions of substituents: "},
		"Fig. 7 of a table": {func() (*fig.Figure, error) { return Contributions(dataset.FreeWilson{Name: "mine", Sites: twoSites}) },
			1, "mine: 2 sites, 6 compounds. The best compound has OH at site R, Cl at site S."},
		"Fig. 7 without a name": {func() (*fig.Figure, error) { return Contributions(dataset.FreeWilson{Sites: twoSites}) },
			1, "Contributions of substituents: 2 sites, 6 compounds"},
	} {
		f, err := c.draw()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(f.Panels) != c.panels || !strings.Contains(f.Title+f.Alt(), c.says) {
			t.Errorf("%s: %d panels, %q, %q; want %d, and %q", name, len(f.Panels), f.Title,
				f.Alt(), c.panels, c.says)
		}
	}
	for name, bad := range map[string]func() error{
		"region 8":   func() error { _, err := Confidence(7); return err },
		"epsilon 0":  func() error { _, err := Regions(1, 0); return err },
		"setting 10": func() error { _, err := Means(Synthetic, 10, 0); return err },
		"wrong counts": func() error {
			_, err := Contributions(dataset.FreeWilson{Sites: []dataset.Site{{Name: "A"}}})
			return err
		},
	} {
		if bad() == nil {
			t.Errorf("%s is drawn", name)
		}
	}
}
