package complexity

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/question"
)

// A method that goes on from another one leaves that as it is.
func TestCuttingAfter(t *testing.T) {
	g, err := newGame(question.Pareto{}, mat.NewDense(4, 2, []float64{1, .2, .2, 1, .5, .7, .1, .3}), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := g.start()
	c.run(.1, 0)
	best, w, low, high, rounds := slices.Clone(c.best), slices.Clone(c.w), c.low, c.high, c.rounds
	c.after().run(1e-6, 0)
	if !slices.Equal(c.best, best) || !slices.Equal(c.w, w) || c.low != low || c.high != high || c.rounds != rounds {
		t.Errorf("weights %v, then %v; best %v, then %v", w, c.w, best, c.best)
	}
}
