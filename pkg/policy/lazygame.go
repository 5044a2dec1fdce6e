package policy

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// gameSettings are those of policies that track weights that are computed lazily.
type gameSettings struct{ lazy, batch, tol float64 }

// init resolves the settings of the policy of the given name.
func (g *gameSettings) init(name string, lazy, batch, tol float64) error {
	*g = gameSettings{lazy, max(batch, 0), tol}
	if lazy == 0 {
		g.lazy = 1.5
	}
	if batch == 0 {
		g.batch = .01
	}
	if tol == 0 {
		g.tol = .01
	}
	switch {
	case !(g.lazy > 1 && g.lazy <= 16):
		return fmt.Errorf("policy: %s.Lazy is %v; want a factor above 1 between games, at most 16",
			name, lazy)
	case !(batch <= 1):
		return fmt.Errorf("policy: %s.Batch is %v; want a share of the pulls so far, at most 1",
			name, batch)
	case !(g.tol > 0) || math.IsInf(g.tol, 1):
		return fmt.Errorf("policy: %s.Tol is %v; want a relative gap, at least 0", name, tol)
	}
	return nil
}

// options are those of a label.
func (g gameSettings) options() string {
	return setting("lazy %v", g.lazy, 1.5) + setting("batch %v", g.batch, .01) +
		setting("tol %v", g.tol, .01)
}

// solve returns the weights of the game for the means, nil if there are none because an item is on
// the threshold.
func (g gameSettings) solve(name string, p *explore.Problem, means []float64, t int) (
	weights []float64, warning, err error) {
	q := p.Question.(question.AllEpsilonBest)
	s, err := complexity.NewGammaStar(p, means, g.tol)
	switch {
	case errors.Is(err, question.ErrThreshold),
		s == nil && q.Multiplicative && floats.Max(means) <= q.Zero:
		return nil, nil, nil
	case err != nil:
		err = fmt.Errorf("policy: %s, after %d pulls: %w", name, t, err)
	}
	if s == nil {
		return nil, nil, err
	}
	return s.Weights, err, nil
}
