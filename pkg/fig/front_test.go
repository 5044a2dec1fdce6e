package fig

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
)

// stairs returns an instance with a front of n arms and a cloud of other arms. The front consists of arms 0 to n-1, in
// a small part of the plane.
func stairs(n, others int) *bandit.Instance {
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	mu := mat.NewDense(n+others, 2, nil)
	for i := range n {
		mu.SetRow(i, []float64{float64(i) / float64(n), -float64(i) / float64(n)})
	}
	for i := range others {
		mu.SetRow(n+i, []float64{-2 - 8*rnd.Float64(), -2 - 8*rnd.Float64()})
	}
	return toy(mu, nil)
}

// titles returns the titles of the panels of answers.
func titles(inst *bandit.Instance, answers ...FrontAnswer) []string {
	fr := must(newFront(inst, answers, nil))
	var ts []string
	for k := range answers {
		ts = append(ts, fr.score(&answers[k]))
	}
	return ts
}

func TestFrontScore(t *testing.T) {
	inst := stairs(4, 50)
	answers := []FrontAnswer{
		{Name: "GEGE", Items: []int{3, 1, 0, 2}},
		{Name: "APE", Items: []int{9, 0, 7}},
		{Name: "Uniform"},
	}
	if got, want := titles(inst, answers...), []string{
		"GEGE: 4 of 4 found",
		"APE: 1 of 4 found, 2 wrong",
		"Uniform: 0 of 4 found",
	}; !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
	f := must(Front(inst, answers, nil))
	const alt = "54 arms in the plane of objective 0 and objective 1. Pareto-optimal arms: arm 0, arm 1, arm 2, " +
		"arm 3. GEGE: 4 of 4 found. APE: 1 of 4 found, 2 wrong; missed arm 1, arm 2, arm 3; by " +
		"mistake arm 7, arm 9. Uniform: 0 of 4 found; missed arm 0, arm 1, arm 2, arm 3."
	if f.Alt() != alt {
		t.Errorf("%q; want %q", f.Alt(), alt)
	}
	var names []string
	for _, e := range f.Legend {
		names = append(names, e.Name)
	}
	if want := []string{
		"arm",
		"Pareto-optimal",
		"Pareto front",
		"found by GEGE",
		"found by APE",
		"missed",
		"returned by mistake",
	}; !slices.Equal(names, want) {
		t.Errorf("legend %q; want %q", names, want)
	}
	encode(t, f)
	// The legend has no entries for symbols that do not occur.
	for _, e := range must(Front(inst, answers[:1], nil)).Legend {
		if e.Name == "missed" || e.Name == "returned by mistake" {
			t.Errorf("the legend explains %q, which does not occur", e.Name)
		}
	}
}

// Invalid answers and options cause errors.
func TestMistakes(t *testing.T) {
	inst := stairs(3, 20)
	e := Truth(inst)
	for want, f := range map[string]func() (*Figure, error){
		"item -1, which":        func() (*Figure, error) { return Front(inst, []FrontAnswer{{Name: "A", Items: []int{0, -1}}}, nil) },
		"item 23, which":        func() (*Figure, error) { return Front(inst, []FrontAnswer{{Name: "A", Items: []int{23}}}, nil) },
		"item 2, which":         func() (*Figure, error) { return Front(inst, []FrontAnswer{{Name: "A", Items: []int{2, 1, 2}}}, nil) },
		"Units has 3 entries":   func() (*Figure, error) { return e.Plane(&PlaneOptions{Units: []string{"g", "h", "i"}}) },
		"Axes has 1 entries":    func() (*Figure, error) { f := *e; f.Axes = make([]bandit.Axis, 1); return f.Plane(nil) },
		"Classes has 2 entries": func() (*Figure, error) { f := *e; f.Classes = make([]explore.Class, 2); return f.Plane(nil) },
		"is NaN; expected": func() (*Figure, error) {
			f := *e
			f.Means = mat.DenseCopyOf(e.Means)
			f.Means.Set(1, 1, math.NaN())
			return f.Plane(nil)
		},
	} {
		if _, err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// Negated objectives are shown in the measured units.
func TestFrontNegated(t *testing.T) {
	inst := stairs(3, 40)
	inst.Axes = []bandit.Axis{{Label: "objective 0", PerReward: 1}, {Label: "objective 1", PerReward: -1}}
	f := must(Front(inst, nil, nil))
	p := f.Panels[0]
	if p.X.Label.Text != "objective 0" || p.Y.Label.Text != "objective 1, lower is better →" {
		t.Errorf("labels %q and %q", p.X.Label.Text, p.Y.Label.Text)
	}
	labels := 0
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if tick.Label != "" {
			labels++
			if tick.Label != "0" && fmt.Sprint(-tick.Value) != tick.Label || tick.Value < p.Y.Min-1e-9 ||
				tick.Value > p.Y.Max+1e-9 {
				t.Errorf("%v is labelled %q", tick.Value, tick.Label)
			}
		}
	}
	if labels < 3 {
		t.Errorf("%d labels", labels)
	}
}

// Four of six designs are not dominated by any other; the figure compares these four with a method's answer.
func ExampleFront() {
	inst := toy(mat.NewDense(6, 2, []float64{1, 9, 4, 8, 7, 5, 9, 1, 3, 7, 6, 4}), nil)
	inst.Problem.ArmNames = []string{"A", "B", "C", "D", "E", "F"}
	f, err := Front(inst, []FrontAnswer{{Name: "GEGE", Items: []int{0, 1, 2, 5}}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Alt())
	// Output:
	// 6 arms in the plane of objective 0 and objective 1. Pareto-optimal arms: A, B, C, D. GEGE: 3 of 4 found, 1 wrong; missed D; by mistake F.
}
