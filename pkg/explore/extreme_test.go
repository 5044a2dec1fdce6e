package explore_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// Numbers of pulls that cannot be added up end a run with an error, or at its limit.
func TestSessionOverflow(t *testing.T) {
	type rounds = [][]explore.Pull
	pull := func(arm, n int) explore.Pull { return explore.Pull{Arm: arm, N: n} }
	for _, c := range []struct {
		rounds rounds
		limit  int
		status explore.Status
		told   int
	}{
		{rounds{{pull(0, math.MaxInt), pull(1, 2)}}, 0, explore.Failure, 0},
		{rounds{{pull(0, math.MaxInt), pull(1, 2)}}, math.MaxInt, explore.PullLimit, 0},
		{rounds{{pull(0, math.MaxInt)}, {pull(1, 1)}}, 0, explore.Failure, math.MaxInt},
		{rounds{{pull(0, 9)}, {pull(1, math.MaxInt-8)}}, 20, explore.PullLimit, 9},
		{rounds{{pull(0, math.MaxInt-1), pull(1, 1)}}, math.MaxInt, explore.Stopped,
			math.MaxInt},
	} {
		s, err := explore.NewSession(&script{rounds: c.rounds}, problem(),
			&explore.Settings{MaxPulls: c.limit})
		if err != nil {
			t.Fatal(err)
		}
		var last error
		for {
			pulls, err := s.Ask()
			if last = err; err != nil || len(pulls) == 0 {
				break
			}
			var obs []explore.Batch
			for _, p := range pulls {
				obs = append(obs, batch(p.Arm, p.N, 0, 0))
			}
			if err := s.Tell(obs); err != nil {
				t.Fatal(err)
			}
		}
		if r := s.Result(); r.Status != c.status || r.Pulls != c.told ||
			errors.Is(last, explore.ErrPolicy) != (c.status == explore.Failure) {
			t.Errorf("%v, limit %d: %v after %d pulls, error %v; want %v after %d", c.rounds,
				c.limit, r.Status, r.Pulls, last, c.status, c.told)
		}
	}
}

// Values are known of arms that are asked about themselves, as rewards.
func TestKnownOfItems(t *testing.T) {
	known := mat.NewDense(2, 1, []float64{1, math.NaN()})
	x := mat.NewDense(2, 1, []float64{1, 2})
	for what, p := range map[string]*explore.Problem{
		"":     {Arms: 2, Question: question.Best{}},
		"Z":    {X: x, Z: mat.NewDense(1, 1, []float64{1}), Question: question.Best{}},
		"Link": {X: x, Link: explore.Logit, Question: question.AllEpsilonBest{Epsilon: 1}},
	} {
		p.Known, p.Sigma = known, 1
		if err := p.Validate(); (err == nil) != (what == "") ||
			err != nil && !strings.Contains(err.Error(), "asked about themselves") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// What a problem or a question cannot mean is an error that names the field.
func TestValidateExtremes(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	whole := polyhedron.Whole(2)
	ask := func(q explore.Question) func(p *explore.Problem) {
		return func(p *explore.Problem) { p.Question = q }
	}
	askOne := func(q explore.Question) func(p *explore.Problem) {
		return func(p *explore.Problem) { p.Objectives, p.ObjectiveNames, p.Question = 1, nil, q }
	}
	for _, c := range []struct {
		change func(p *explore.Problem)
		want   string
	}{
		{func(p *explore.Problem) { p.X = &mat.Dense{} }, "X: empty"},
		{func(p *explore.Problem) { p.X, p.Z = mat.NewDense(3, 2, nil), &mat.Dense{} }, "Z: empty"},
		{ask((*question.Pareto)(nil)), "Question: nil"},
		{ask(question.Pareto{Epsilon: nan}), "Pareto.Epsilon is NaN"},
		{ask(question.Pareto{Epsilon: -1}), "Pareto.Epsilon is -1"},
		{ask(question.Pareto{Epsilon: inf}), "Pareto.Epsilon is +Inf"},
		{ask(question.Pareto{Cover: nan}), "Pareto.Cover is NaN"},
		{ask(question.Pareto{Cover: inf}), "Pareto.Cover is +Inf"},
		{ask(question.Pareto{AtMost: -1}), "Pareto.AtMost is -1"},
		{ask(question.Feasible{}), "region is nil"},
		{ask(question.FeasiblePareto{}), "region is nil"},
		{ask(question.Feasible{Region: &polyhedron.Polyhedron{}}), "constrains 0 objectives"},
		{func(p *explore.Problem) {
			p.Question = question.BestFeasible{Region: whole, Weights: []float64{1, nan}}
		}, "is NaN"},
		{func(p *explore.Problem) {
			p.Question = question.BestFeasible{Region: whole, Weights: []float64{1, inf}}
		}, "is +Inf"},
		{ask(question.BestFeasible{Region: whole, Count: -1}), "Count is -1"},
		{askOne(question.Best{Epsilon: nan}), "Best.Epsilon is NaN"},
		{askOne(question.Best{Epsilon: -1}), "Best.Epsilon is -1"},
		{askOne(question.Best{Epsilon: inf}), "Best.Epsilon is +Inf"},
		{askOne(question.AllEpsilonBest{Epsilon: nan}), "AllEpsilonBest.Epsilon is NaN"},
		{askOne(question.AllEpsilonBest{Epsilon: -1}), "AllEpsilonBest.Epsilon is -1"},
		{askOne(question.AllEpsilonBest{Epsilon: inf}), "AllEpsilonBest.Epsilon is +Inf"},
	} {
		p := problem()
		c.change(p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want %q", err, c.want)
		}
	}
}
