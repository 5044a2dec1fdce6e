package campaign

import (
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// TestDifference: who creates a campaign again with another problem is told in which part it differs.
func TestDifference(t *testing.T) {
	was := many(t, 3, problem.FindPareto, "APE")
	for want, change := range map[string]func(p *problem.Problem){
		"had the method APE with seed 0, and this has Auer": func(p *problem.Problem) {
			p.Method.Name = "Auer"
		},
		"with seed 0, and this has APE with seed 7": func(p *problem.Problem) { p.Method.Seed = 7 },
		"its objectives, bounds or noise":           func(p *problem.Problem) { p.Objectives[0].Unit = "g" },
		"candidates of other names": func(p *problem.Problem) {
			p.Candidates.Names = []string{"a", "b", "c"}
		},
		"it asked {Find:pareto Delta:0.1 Count:0}, and this asks {Find:pareto Delta:0.2 Count:0}": func(p *problem.Problem) { p.Question.Delta = .2 },
		"it had 3 candidates, and this has 2; candidates come and go by": func(p *problem.Problem) {
			p.Candidates.Names = p.Candidates.Names[:2]
		},
		"the candidates had other features": func(p *problem.Problem) {
			p.Candidates.Features = [][]float64{{1}, {2}, {3}}
		},
		`its protocol was "", and this has "p. 7"`: func(p *problem.Problem) { p.Protocol = "p. 7" },
		"it had a budget of 0 measurements, and this has 9": func(p *problem.Problem) {
			p.Method.Budget = 9
		},
	} {
		is := *was
		is.Objectives = append([]problem.Objective(nil), was.Objectives...)
		change(&is)
		if got := difference(was, &is); !strings.Contains(got, want) {
			t.Errorf("%q; want %q", got, want)
		}
	}
}
