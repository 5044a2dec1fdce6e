package study_test

import (
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/study"
)

// If a user changes a copy of an experiment and makes it invalid, the error names the invalid field. An invalid
// experiment causes no panic and no useless rows.
func TestChangedExperiment(t *testing.T) {
	for _, test := range []struct {
		change func(*study.Experiment)
		want   string
	}{
		{func(e *study.Experiment) { e.Name = "" }, "Name"},
		{func(e *study.Experiment) { e.Sizes = nil }, "Sizes"},
		{func(e *study.Experiment) { e.Reps = 0 }, "Reps is 0"},
		{func(e *study.Experiment) { e.Draws = -1 }, "Draws is -1"},
		{func(e *study.Experiment) { e.Instance = nil }, "Instance"},
		{func(e *study.Experiment) { e.Delta = 0 }, "Delta is 0 at size 2"},
		{func(e *study.Experiment) { e.Delta = 2 }, "Delta is 2"},
		{func(e *study.Experiment) { e.Delta = 1 }, "Delta is 1 at size 2"},
		{func(e *study.Experiment) { e.Delta = -.1 }, "Delta is -0.1"},
		{func(e *study.Experiment) { e.Delta = math.NaN() }, "Delta is NaN"},
		{func(e *study.Experiment) { e.Names, e.Sizes = []string{"one", "two"}, []int{0, -1} },
			`Sizes has -1; expected an index into Names, from 0 to 1: ["one" "two"]`},
		{func(e *study.Experiment) {
			e.Deltas = func(n int) float64 { return float64(n) }
		}, "Delta is 2"},
		{func(e *study.Experiment) {
			e.Budget = func(int) int { return 0 }
		}, "Budget of size 2 is 0"},
		{func(e *study.Experiment) { e.Names = []string{"one", "two"} }, "Sizes has 2"},
		{func(e *study.Experiment) {
			e.Methods = []study.Method{{Name: "mine"}}
		}, `"mine" has no New`},
		{func(e *study.Experiment) {
			e.Methods = []study.Method{{New: e.Methods[0].New}}
		}, "Methods[0]"},
		{func(e *study.Experiment) {
			e.Methods = []study.Method{evenly("even", "bound", 1)}
		}, `"bound"`},
	} {
		e := confident()
		e.Sizes = []int{2, 3}
		test.change(&e)
		for _, o := range []study.Options{{}, {Reps: 3}} {
			_, err := e.Grid(o)
			if err == nil || !strings.HasPrefix(err.Error(), "study: ") ||
				!strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), e.Name) {
				t.Errorf("error %v, want one with %q and %q", err, test.want, e.Name)
			}
		}
	}
}
