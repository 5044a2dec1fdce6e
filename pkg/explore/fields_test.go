package explore_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// Means of up to LargestRatio times the noise scale are accepted, and larger means are rejected, for any scale.
func TestLargestMean(t *testing.T) {
	for _, sigma := range []float64{.01, 1, 100} {
		for ratio, fits := range map[float64]bool{.99: true, -.99: true, 1.01: false, -1.01: false} {
			p := problem()
			p.Sigma = sigma
			s, err := explore.NewSession(newScript(), p, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Ask(); err != nil {
				t.Fatal(err)
			}
			mean := ratio * explore.LargestRatio * sigma
			err = s.Tell([]explore.Batch{batch(0, 2, 2*mean, 2), batch(2, 1, 3*sigma, 4*sigma)})
			open, second := byTickets(&counter{want: 9}, p, nil)
			if second == nil {
				_, second = open.Report([]explore.Report{{Batch: batch(0, 2, 2*mean, 2)}})
			}
			for _, err := range []error{err, second} {
				if fits && err != nil || !fits && !errors.Is(err, explore.ErrOffset) {
					t.Errorf("a mean of %v with noise of %v: %v", mean, sigma, err)
				}
				if !fits && !strings.Contains(err.Error(), fmt.Sprintf("efficacy: the mean %v is 1.01e+06 times the noise (Sigma = %v)", mean, sigma)) {
					t.Errorf("a mean of %v with noise of %v: %v", mean, sigma, err)
				}
			}
		}
	}
}

// For the costs 4 and 1, features become x/2 and x. To spend half of the cost on each arm, the first arm gets 1/5 of
// the pulls, and the second arm 4/5. Three pulls of the first arm and one pull of the second arm cost 3 * 4 + 1 = 13.
func TestCostsByHand(t *testing.T) {
	x := mat.NewDense(2, 1, []float64{6, 2})
	p := &explore.Problem{X: x, Sigma: 1, Question: anything{}, Costs: []float64{4, 1}, ArmNames: []string{"a", "b"}}
	per, err := p.PerCost()
	if err != nil || per.Costs != nil || per.X.At(0, 0) != 3 || per.X.At(1, 0) != 2 ||
		per.Z.At(0, 0) != 6 || per.Item(0) != "a" || x.At(0, 0) != 6 {
		t.Errorf("%+v, %v", per, err)
	}
	p.Z, p.ItemNames = mat.NewDense(1, 1, []float64{5}), []string{"c"} // the features of items that are not arms do not change
	if per, err := p.PerCost(); err != nil || per.Z.At(0, 0) != 5 || per.Item(0) != "c" || per.X.At(0, 0) != 3 {
		t.Errorf("%+v, %v", per, err)
	}
	w := []float64{.5, .5}
	if p.Pulled(w); math.Abs(w[0]-.2) > 1e-12 || math.Abs(w[1]-.8) > 1e-12 {
		t.Errorf("shares %v", w)
	}
	if got := p.Spent([]int{3, 1}); got != 13 {
		t.Errorf("spent %v", got)
	}
	if p.Costs = nil; p.Cost(0) != 1 || p.Spent([]int{3, 1}) != 4 {
		t.Error("without costs, an arm does not cost 1")
	}
	if same, err := p.PerCost(); same != p || err != nil {
		t.Error("without costs, PerCost returns another problem")
	}
}

// onPredictors is a question about linear predictors.
type onPredictors struct{ anything }

func (onPredictors) OnPredictors() bool { return true }

func linked() *explore.Problem {
	return &explore.Problem{
		X: mat.NewDense(2, 1, []float64{1, 2}), Link: explore.Logit, Sigma: .5,
		Question: onPredictors{},
	}
}

// Rewards outside the range of the link's distribution are rejected on arrival.
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
		b := []explore.Batch{{Pull: pulls[0], Sum: []float64{c.sum / 5}}, {Pull: pulls[1], Sum: []float64{0}}}
		if err := s.Tell(b); (err == nil) != c.ok || !c.ok && !errors.Is(err, explore.ErrRange) {
			t.Errorf("%v: %v of 5: %v", c.link, c.sum, err)
		}
	}
}

func ExampleLink() {
	fmt.Printf("%v: mean %.3f at predictor 1, %.3f at -1\n", explore.Logit, explore.Logit.Mean(1), explore.Logit.Mean(-1))
	fmt.Printf("%v: mean %.3f at predictor 1\n", explore.Log, explore.Log.Mean(1))
	// Output:
	// logit: mean 0.731 at predictor 1, 0.269 at -1
	// log: mean 2.718 at predictor 1
}

// If NormSigma is not set, SigmaU is sqrt(d) Sigma.
func TestSigmaU(t *testing.T) {
	for _, c := range []struct {
		p    explore.Problem
		want float64
	}{
		{explore.Problem{Sigma: 2}, 2},
		{explore.Problem{Sigma: 2, Objectives: 4}, 4},
		{explore.Problem{Sigma: 2, Objectives: 4, NormSigma: 3}, 3},
	} {
		if got := c.p.SigmaU(); got != c.want {
			t.Errorf("%d objectives, NormSigma %v: %v, not %v", c.p.D(), c.p.NormSigma, got, c.want)
		}
	}
}
