package policy

import (
	"cmp"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/game"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// gameSettings are those of policies that track weights that are computed lazily.
type gameSettings struct{ lazy, batch, tol float64 }

// init resolves the settings.
func (g *gameSettings) init(lazy, batch, tol float64) {
	*g = gameSettings{cmp.Or(lazy, 1.5), max(cmp.Or(batch, .01), 0), cmp.Or(tol, .01)}
}

// lazyGame is what policies share whose pulls are in the proportions that solve the game of all
// epsilon-best items, computed anew when the pulls have grown by a factor.
type lazyGame struct {
	gameSettings
	policy         string // named in errors
	prob           *explore.Problem
	factor, offset float64        // of the question's line
	due            float64        // pulls at which the next game is due
	weights        []float64      // K: proportions
	played         []float64      // K: sum of the proportions of all pulls
	pulls          []explore.Pull // of the round
	warn           []error
}

// start prepares for games of prob, with uniform proportions until the first one. The policy begins
// with start pulls.
func (g *lazyGame) start(policy string, prob *explore.Problem, start int) {
	g.policy, g.prob = policy, prob
	g.factor, g.offset = prob.Question.(question.AllEpsilonBest).Line()
	k := prob.K()
	g.weights, g.played = make([]float64, k), make([]float64, k)
	for i := range k {
		g.weights[i], g.played[i] = 1/float64(k), float64(start)/float64(k)
	}
	g.due, g.pulls, g.warn = 2*float64(start), nil, nil
}

// renew solves the game of the means if it is due after t pulls. Where there is none because an
// item is on the threshold, the proportions stay as they are.
func (g *lazyGame) renew(means []float64, t int) error {
	if float64(t) < g.due {
		return nil
	}
	for g.due <= float64(t) {
		g.due *= g.lazy
	}
	q := g.prob.Question.(question.AllEpsilonBest)
	s, err := complexity.NewGammaStar(g.prob, means, g.tol)
	if errors.Is(err, question.ErrThreshold) ||
		s == nil && q.Multiplicative && floats.Max(means) <= q.Zero {
		return nil
	}
	if err != nil {
		err = fmt.Errorf("policy: %s, after %d pulls: %w", g.policy, t, err)
	}
	if s == nil {
		return err
	}
	if err != nil {
		g.warn = append(g.warn, err)
	}
	copy(g.weights, s.Weights)
	return nil
}

// plan sets the pulls of the next round after t pulls, counts of each arm: one of arm first, if
// there is one that has to be explored, and otherwise of those that lag furthest behind the
// proportions.
func (g *lazyGame) plan(first int, counts []float64, t int) {
	g.pulls = g.pulls[:0]
	if first >= 0 {
		floats.Add(g.played, g.weights)
		g.pulls = append(g.pulls, explore.Pull{Arm: first, N: 1})
		return
	}
	n := max(1, int(g.batch*float64(t)))
	floats.AddScaled(g.played, float64(n), g.weights)
	g.pulls = game.Batch(g.pulls, counts, g.played, n)
}

// reasons compares each item with the best one by its mean, and that with the second; half returns
// the half-width of mean i less factor times mean j.
func (g *lazyGame) reasons(mean []float64, best int, over bool, inside func(i int) bool,
	half func(i, j int) float64) []explore.Reason {
	reasons, second := arms.Undecided(len(mean)), -1
	for i, v := range mean {
		if i != best && (second < 0 || v > mean[second]) {
			second = i
		}
	}
	for i := range reasons {
		r := &reasons[i]
		if r.By = best; i == best {
			r.By = second
		}
		if r.By >= 0 {
			r.Margin = mean[i] - g.factor*mean[r.By] + g.offset
			r.MarginRadius = half(i, r.By)
		}
		switch in := inside(i); {
		case over && in:
			r.Class = explore.Optimal
		case over:
			r.Class, r.Margin = explore.Dominated, -r.Margin
		}
	}
	return reasons
}

// keepDesign implements designer.
func (g *lazyGame) keepDesign() { g.due = inf }

// Warnings implements explore.Warnings: games that miss their tolerance.
func (g *lazyGame) Warnings() []error { return g.warn }
