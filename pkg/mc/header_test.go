package mc_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
)

// named is a policy whose name does not say its settings.
type named struct {
	Setting float64
	race
}

func (named) String() string { return "named" }

// within asks for the best arm up to a tolerance, which its type does not say.
type within struct{ Epsilon float64 }

func (w within) Correct(mu *mat.Dense, a explore.Answer) bool { return best{}.Correct(mu, a) }

func (w within) GoString() string { return fmt.Sprintf("within %v", w.Epsilon) }

// What makes another grid is named, also where the name of the policy, the means and the noise
// do not tell grids apart.
func TestOtherGridsAreNamed(t *testing.T) {
	grid := func() *mc.Grid {
		g := toy()
		g.Methods[0].New = func() explore.Policy { return &named{1, race{Batch: 3, Width: .5}} }
		g.Instances[0].Problem.Question = within{}
		return g
	}
	path, whole := stream(t, grid())
	for want, change := range map[string]func(g *mc.Grid){
		"settings of the policy of narrow (tuned) at delta 0.1 on easy are others": func(
			g *mc.Grid,
		) {
			g.Methods[0].New = func() explore.Policy { return &named{2, race{Batch: 3, Width: .5}} }
		},
		"easy differs, there and here: question: within 0 and within 0.1": func(g *mc.Grid) {
			g.Instances[0].Problem.Question = within{.1}
		},
		"easy differs, there and here: means, features or noise scales": func(g *mc.Grid) {
			g.Instances[0].Problem.Sigma = 1.5
		},
		"hard> differs, there and here: means, features or noise scales": func(g *mc.Grid) {
			g.Instances[1].Problem.NormSigma = 2
		},
		"easy differs, there and here: distribution of the rewards": func(g *mc.Grid) {
			law, err := bandit.NewGaussian(g.Instances[0].Means(),
				mat.NewSymDense(1, []float64{.5}))
			if err != nil {
				t.Fatal(err)
			}
			g.Instances[0].Law = law
		},
	} {
		g := grid()
		change(g)
		err := g.Stream(context.Background(), path)
		if !errors.Is(err, mc.ErrGrid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
		if contents(t, path) != whole {
			t.Fatalf("%s: the file was changed", want)
		}
	}
}
