package explore_test

import (
	"errors"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// onPredictors is a question about linear predictors.
type onPredictors struct{ anything }

func (onPredictors) OnPredictors() bool { return true }

func linked() *explore.Problem {
	return &explore.Problem{
		X: mat.NewDense(2, 1, []float64{1, 2}), Link: explore.Logit, Sigma: .5,
		Question: onPredictors{},
	}
}

// Rewards that the family of the link cannot have are refused where they come in.
func TestTellRange(t *testing.T) {
	for _, c := range []struct {
		link explore.Link
		sum  float64
		ok   bool
	}{
		{explore.Logit, 5, true}, {explore.Logit, 5.5, false}, {explore.Logit, -1, false},
		{explore.Log, 50, true}, {explore.Log, -1, false}, {explore.Identity, -1, true},
	} {
		p := linked()
		p.X, p.Link = mat.NewDense(3, 1, []float64{1, 2, 3}), c.link
		s, err := explore.NewSession(endless{}, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		pulls, err := s.Ask()
		if err != nil {
			t.Fatal(err)
		}
		b := []explore.Batch{
			{Pull: pulls[0], Sum: []float64{c.sum / 5}}, {Pull: pulls[1], Sum: []float64{0}},
		}
		if err := s.Tell(b); (err == nil) != c.ok || !c.ok && !errors.Is(err, explore.ErrRange) {
			t.Errorf("%v: %v of 5: %v", c.link, c.sum, err)
		}
	}
}

func ExampleLink() {
	fmt.Printf("%v: mean %.3f at predictor 1, %.3f at -1\n", explore.Logit, explore.Logit.Mean(1),
		explore.Logit.Mean(-1))
	fmt.Printf("%v: mean %.3f at predictor 1\n", explore.Log, explore.Log.Mean(1))
	// Output:
	// logit: mean 0.731 at predictor 1, 0.269 at -1
	// log: mean 2.718 at predictor 1
}
