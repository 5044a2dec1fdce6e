package nb

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/nb/internal/cell/celltest"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
)

// designs is a table as a user has it: cost is minimised.
func designs() Frame {
	return dataframe.ReadCSV(strings.NewReader(
		"design,speed,cost\nA,4,50\nB,3,80\nC,2,20\nD,6,140\n"))
}

func fast() Table {
	return Table{Arm: "design", Maximise: []string{"speed"}, Minimise: []string{"cost"},
		SD: map[string]float64{"speed": 0.5, "cost": 20}}
}

func TestAsk(t *testing.T) {
	mine := Ask(designs(), fast())
	r := mine.Run(&policy.APE{Radius: radius.Paper{}}, Settings{Seed: 1})
	if r.Status != explore.Stopped || !slices.Equal(r.Answer.Items, []int{0, 2, 3}) {
		t.Fatalf("%+v", r.Result)
	}
	df := mine.Frame(r)
	if cost := df.Col("cost").Float(); cost[0] != r.Measured.At(0, 1) || cost[0] < 0 {
		t.Errorf("cost of A: %v in the frame", cost[0])
	}
	// The same run through the functions for instances, whose objectives are standardised.
	plain := Run(mine.Instance, &policy.APE{Radius: radius.Paper{}}, 1)
	if plain.Pulls != r.Pulls {
		t.Errorf("%d pulls, and %d of the instance", r.Pulls, plain.Pulls)
	}
	frame := AnswerFrame(mine.Problem, plain)
	if got := frame.Col("verdict").Records(); !slices.Equal(got, df.Col("verdict").Records()) {
		t.Errorf("verdicts %q and %q", got, df.Col("verdict").Records())
	}
	rows := RowsFrame([]mc.Row{{Method: "APE", Pulls: 7}, {Method: "APE", Rep: 1, Pulls: 9}})
	if got := rows.Col("pulls").Float(); !slices.Equal(got, []float64{7, 9}) {
		t.Errorf("pulls %v", got)
	}
	wrong := fast()
	wrong.SD = nil
	for name, c := range map[string]struct {
		f    func()
		want string
	}{
		"a table without deviations": {func() { Ask(designs(), wrong) }, `Table.SD has no "speed"`},
		"a policy that does not fit": {func() { mine.Run(&policy.RAGE{}, Settings{}) }, "RAGE"},
		"no outcome to explain":      {func() { mine.Explain(nil) }, "no outcome"},
		"no outcome to plot":         {func() { mine.PlotAnswer(nil) }, "no outcome"},
		"no outcome for a frame":     {func() { mine.Frame(nil) }, "no outcome"},
	} {
		if m, failed := celltest.Fails(t, c.f); !failed || !strings.Contains(m, c.want) {
			t.Errorf("%s: %v, %q", name, failed, m)
		}
	}
}

// Figures are in the units and directions of the table.
func TestAskedPlots(t *testing.T) {
	asked := fast()
	asked.AtMost = map[string]float64{"cost": 100}
	mine := Ask(designs(), asked)
	r := mine.Run(&policy.ECAPE{Radius: radius.Paper{}}, Settings{Seed: 1})
	for name, f := range map[string]func(){
		"means":  mine.Plot,
		"answer": func() { mine.PlotAnswer(r) },
	} {
		alt := printed(t, f)
		for _, say := range []string{"speed and cost (less is better)", "Dominated: B",
			"Infeasible: D"} {
			if !strings.Contains(alt, say) {
				t.Errorf("%s: the figure does not say %q: %s", name, say, alt)
			}
		}
	}
}

// Which designs are worth building?
func ExampleAsk() {
	mine := Ask(designs(), Table{Arm: "design", Maximise: []string{"speed"},
		Minimise: []string{"cost"}, SD: map[string]float64{"speed": 0.5, "cost": 20}})
	r := mine.Run(&policy.APE{Radius: radius.Paper{}}, Settings{Seed: 1})
	fmt.Println(mine.Frame(r).Select([]string{"arm", "verdict"}).Records())
	// Output: [[arm verdict] [A optimal] [B dominated] [C optimal] [D optimal]]
}
