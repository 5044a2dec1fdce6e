package nb

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/nb/internal/cell/celltest"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/study"
)

// designs is a table as a user has it: B is slower than A and dearer; D is the fastest, and dear.
func designs() Tables {
	return Tables{"designs.csv": dataframe.ReadCSV(strings.NewReader(
		"design,speed,cost,size\nA,4,50,1\nB,3,80,2\nC,2,20,3\nD,6,140,4\n"))}
}

// fast asks for designs that are fast and cheap.
const fast = `
question = { find = "pareto", delta = 0.1 }
candidates = { file = "designs.csv" }
[[objective]]
name = "speed"
unit = "GHz"
guess = "speed"
noise = { sd = 0.5 }
[[objective]]
name = "cost"
goal = "minimise"
guess = "cost"
noise = { sd = 20 }
`

func TestAsk(t *testing.T) {
	task := Problem(fast, designs())
	mine := Ask(task)
	// Policies see objectives of unit noise in which larger is better: speed/0.5 and -cost/20.
	for i, want := range [][]float64{{8, -2.5}, {6, -4}, {4, -1}, {12, -7}} {
		if got := mine.Truth().RawRowView(i); !slices.Equal(got, want) {
			t.Errorf("arm %d: %v; want %v", i, got, want)
		}
	}
	r := mine.Run(&policy.APE{Radius: radius.Paper{}}, Settings{Seed: 1})
	if r.Status != explore.Stopped || !slices.Equal(r.Answer.Items, []int{0, 2, 3}) {
		t.Fatalf("%+v", r.Result)
	}
	// The same run through the functions for instances, whose objectives are rewards.
	plain := Run(mine.Instance, &policy.APE{Radius: radius.Paper{}}, 1)
	if plain.Pulls != r.Pulls {
		t.Errorf("%d pulls, and %d of the instance", r.Pulls, plain.Pulls)
	}
	// Its own method, and a limit.
	if r := mine.Run(nil, Settings{Seed: 2, MaxPulls: 9}); r.Pulls > 9 || r.Status == explore.Stopped {
		t.Errorf("%d pulls of 9, %s", r.Pulls, r.Status)
	}
	for name, c := range map[string]struct {
		f    func()
		want string
	}{
		"a table that is not there": {func() { Problem(fast, nil) }, "designs.csv"},
		"an objective without guesses": {func() {
			Ask(Problem(strings.Replace(fast, `guess = "speed"`, "", 1), designs()))
		}, "nothing is known of speed"},
		"no such column": {func() {
			Problem(strings.Replace(fast, `guess = "speed"`, `guess = "sped"`, 1), designs())
		}, `no column "sped"`},
		"no deviation": {func() {
			Problem(strings.Replace(fast, "noise = { sd = 20 }", "", 1), designs())
		}, "objective[2].noise"},
		"a policy that does not fit": {func() { mine.Run(&policy.RAGE{}, Settings{}) }, "cannot answer this question"},
		"no outcome to explain":      {func() { mine.Explain(nil) }, "no outcome"},
		"no outcome to plot":         {func() { mine.PlotAnswer(nil) }, "no outcome"},
	} {
		if m, failed := celltest.Fails(t, c.f); !failed || !strings.Contains(m, c.want) {
			t.Errorf("%s: %v, %q", name, failed, m)
		}
	}
}

// Rates are counts of one trial, and means that depend on features are those of the linear model.
func TestAskRates(t *testing.T) {
	tables := Tables{"doses.csv": dataframe.ReadCSV(strings.NewReader(
		"dose,cured,size\nlow,0.2,1\nmiddle,0.5,2\nhigh,0.9,3\n"))}
	const text = `
question = { find = "best", delta = 0.1 }
candidates = { file = "doses.csv"%s }
[[objective]]
name = "cured"
guess = "cured"
noise = { counts = 1 }
`
	mine := Ask(Problem(fmt.Sprintf(text, ""), tables))
	r := mine.Run(nil, Settings{Seed: 1})
	if !slices.Equal(r.Answer.Items, []int{2}) || math.Abs(r.Measured.At(2, 0)-.9) > .2 {
		t.Errorf("%v, %v", r.Answer.Items, r.Measured.At(2, 0))
	}
	// The least-squares line through (1, .2), (2, .5), (3, .9) has slope .35 and is .5333 at 2.
	linear := Ask(Problem(fmt.Sprintf(text, `, features = ["size"]`), tables))
	for i, want := range []float64{8./15 - .35, 8. / 15, 8./15 + .35} {
		if got := linear.means.At(i, 0); math.Abs(got-want) > 1e-12 {
			t.Errorf("dose %d: %v; want %v", i, got, want)
		}
	}
}

// Figures are in the units and directions of the table.
func TestAskedPlots(t *testing.T) {
	mine := Ask(Problem(fast+"at_most = 100\n", designs()))
	r := mine.Run(&policy.ECAPE{Radius: radius.Paper{}}, Settings{Seed: 1})
	for name, f := range map[string]func(){
		"means":  mine.Plot,
		"answer": func() { mine.PlotAnswer(r) },
	} {
		alt := celltest.Printed(t, f)
		for _, say := range []string{"speed [GHz] and cost, less is better", "Dominated: B", "Infeasible: D"} {
			if !strings.Contains(alt, say) {
				t.Errorf("%s: the figure does not say %q: %s", name, say, alt)
			}
		}
	}
}

// The instance of a problem is drawn in the units and directions of the problem, too: as a front, a plane, or an
// experiment of its own.
func TestAskedInstanceIsDrawnAsRead(t *testing.T) {
	mine := Ask(Problem(fast, designs()))
	e := study.Experiment{Name: "mine/designs", Title: "Designs", Reps: 2, Sizes: []int{4}, Delta: .1,
		Instance: func(int, int) (*bandit.Instance, error) { return mine.Instance, nil },
		Methods:  []study.Method{study.NewMethod("APE", "paper", &policy.APE{Radius: radius.Paper{}})}}
	for name, f := range map[string]*fig.Figure{
		"front": Must(e.Front(4)), "plane": Must(fig.Responses(mine.Instance, nil)),
	} {
		p := f.Panels[0]
		if got := p.Y.Label.Text; got != "cost, less is better →" {
			t.Errorf("%s: the axis says %q", name, got)
		}
		var costs []string
		for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
			costs = append(costs, tick.Label)
		}
		if !slices.Contains(costs, "100") || slices.Contains(costs, "-5") {
			t.Errorf("%s: ticks %q", name, costs)
		}
	}
}

// Which designs are worth building?
func ExampleAsk() {
	mine := Ask(Problem(fast, designs()))
	r := mine.Run(&policy.APE{Radius: radius.Paper{}}, Settings{Seed: 1})
	fmt.Println(r.Answer.Items)
	// Output: [0 2 3]
}
