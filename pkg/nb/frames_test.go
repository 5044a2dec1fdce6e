package nb

import (
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// Names with a colon stay whole, in the column of arms and where they explain others.
func TestAnswerTableOfNamesWithColons(t *testing.T) {
	df := dataframe.ReadCSV(strings.NewReader(
		"dose,efficacy,safety\ndose: 75 mg,0.9,0.9\ndose: 150 mg,0.2,0.2\n"))
	inst := AtLeast(Bernoulli(df, "dose", "efficacy", "safety"), 0.1, Free)
	r := Run(inst, &policy.ECAPE{Radius: radius.Paper{}}, 1)
	rows := AnswerTable(inst.Problem, r).Rows
	if rows[0][0] != "dose: 75 mg" || rows[1][0] != "dose: 150 mg" {
		t.Errorf("arms %v and %v", rows[0][0], rows[1][0])
	}
	if why := rows[1][3].(string); !strings.HasPrefix(why,
		"dominated by dose: 75 mg, which is better") {
		t.Errorf("why: %q", why)
	}
	if why := rows[0][3].(string); !strings.HasPrefix(why, "feasible with ") {
		t.Errorf("why: %q", why)
	}
}

// What is missing is said, with what to do.
func TestFiguresExplainThemselves(t *testing.T) {
	silent := Bernoulli(arms(), "design", "speed", "yield")
	inst := Must(dataset.Ask(silent, question.Pareto{}))
	for name, c := range map[string]struct {
		f    func()
		want []string
	}{
		"no instance": {func() { Plot(nil) }, []string{"nb: Plot", "no instance", "nb.Ask"}},
		"no question": {func() { Plot(silent) },
			[]string{"nb: Plot", "nothing is asked", "nb.AtLeast"}},
		"answer of no instance": {func() { PlotAnswer(nil, &explore.Result{}) },
			[]string{"nb: PlotAnswer", "no instance"}},
		"answer of no question": {func() { PlotAnswer(silent, &explore.Result{}) },
			[]string{"nb: PlotAnswer", "nothing is asked"}},
		"no answer": {func() { PlotAnswer(inst, nil) },
			[]string{"nb: PlotAnswer", "no result", "nb.Run"}},
		"run of no question": {func() { Run(silent, &policy.APE{}, 1) },
			[]string{"nb: Run", "nothing is asked"}},
		"table of no result": {func() { Explain(inst.Problem, nil) },
			[]string{"nb: Explain", "no result"}},
		"course of no instance": {func() { Trajectory(nil, &policy.APE{}, 1) },
			[]string{"nb: Trajectory", "no instance"}},
	} {
		m, failed := fails(t, c.f)
		if !failed {
			t.Errorf("%s: the cell goes on", name)
		}
		for _, w := range c.want {
			if !strings.Contains(m, w) {
				t.Errorf("%s: %q does not say %q", name, m, w)
			}
		}
	}
}
