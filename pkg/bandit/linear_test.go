package bandit_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// The means are calculated by hand from theta = (2, -1), the arms (1, 0), (1, 1), (0, 3), and the item (2, 2).
func TestNewLinear(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 0, 1, 1, 0, 3})
	z := mat.NewDense(1, 2, []float64{2, 2})
	theta := mat.NewDense(2, 1, []float64{2, -1})
	problem := func() *explore.Problem {
		return &explore.Problem{X: x, Z: z, Objectives: 1, Sigma: .5, Question: best{}}
	}
	inst, err := bandit.NewLinear("by hand", problem(), theta)
	if err != nil {
		t.Fatal(err)
	}
	if want := mat.NewDense(3, 1, []float64{2, 1, -3}); !mat.Equal(inst.Means(), want) {
		t.Errorf("means %v; want %v", inst.Means(), want)
	}
	if truth := inst.Truth(); truth.At(0, 0) != 2 || inst.Theta != theta {
		t.Errorf("truth %v; want 2", truth)
	}
	if v := inst.Law.(*bandit.Gaussian).Covariance().At(0, 0); v != .25 {
		t.Errorf("variance %v; want that of the problem, 0.25", v)
	}
	for _, c := range []struct {
		change func(p *explore.Problem)
		theta  *mat.Dense
		want   string
	}{
		{func(p *explore.Problem) { p.Sigma = 0 }, theta, "Sigma"},
		{func(p *explore.Problem) { p.X, p.Z, p.Arms = nil, nil, 3 }, theta, "no features"},
		{func(*explore.Problem) {}, mat.NewDense(3, 1, nil), "Theta is 3 x 1; expected 2 features"},
		{func(*explore.Problem) {}, nil, "Theta is nil"},
	} {
		p := problem()
		c.change(p)
		_, err := bandit.NewLinear("wrong", p, c.theta)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "wrong") {
			t.Errorf("error %v; want %q and the name of the instance", err, c.want)
		}
	}
}

func ExampleNewLinear() {
	inst, err := bandit.NewLinear("dose", &explore.Problem{
		X:          mat.NewDense(3, 2, []float64{1, 0, 1, 10, 1, 20}),
		ArmNames:   []string{"none", "10 mg", "20 mg"},
		Objectives: 1, Sigma: 1, Question: best{},
	}, mat.NewDense(2, 1, []float64{0.5, 0.02}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", inst.Means().RawMatrix().Data)
	// Output: [0.50 0.70 0.90]
}

// scaled is a question that supports predictors.
type scaled struct{ best }

func (scaled) OnPredictors() bool { return true }

// With a link, predictors are linear in the features, means are not, and Truth returns the predictors.
func TestNewLinearWithLink(t *testing.T) {
	for _, link := range []explore.Link{explore.Logit, explore.Log} {
		inst, err := bandit.NewLinear("link", &explore.Problem{
			X:    mat.NewDense(2, 2, []float64{1, 0, 1, 1}),
			Link: link, Sigma: 1, Question: scaled{},
		}, mat.NewDense(2, 1, []float64{-.5, 2}))
		if err != nil {
			t.Fatal(err)
		}
		for i, eta := range []float64{-.5, 1.5} {
			want := math.Exp(eta)
			if link == explore.Logit {
				want /= 1 + want
			}
			if got := inst.Means().At(i, 0); math.Abs(got-want) > 1e-15 {
				t.Errorf("%v: mean %d is %v; want %v", link, i, got, want)
			}
			if got := inst.Truth().At(i, 0); got != eta {
				t.Errorf("%v: the truth about item %d is %v; want %v", link, i, got, eta)
			}
		}
		inst.ItemMeans = nil // without ItemMeans, Truth derives the predictors from the law
		if got := inst.Truth().At(1, 0); math.Abs(got-1.5) > 1e-14 {
			t.Errorf("%v: truth %v of the law; want 1.5", link, got)
		}
		if _, ok := inst.Law.(*bandit.Bernoulli); ok != (link == explore.Logit) {
			t.Errorf("%v: law %T", link, inst.Law)
		}
		// Rewards are whole numbers for both links, and their average is close to the mean.
		b, err := inst.Sampler(seed.New(1)).Sample(nil, []explore.Pull{{Arm: 1, N: 1_000_000}})
		if err != nil || b[0].Sum[0] != math.Trunc(b[0].Sum[0]) || math.Abs(b[0].Sum[0]/1e6-inst.Means().At(1, 0)) > .02 {
			t.Errorf("%v: %v, %v", link, b, err)
		}
	}
}

// Items that are not the arms have predictors of their own, with and without a link.
func TestNewLinearOfItems(t *testing.T) {
	for _, link := range []explore.Link{explore.Identity, explore.Logit, explore.Log} {
		inst, err := bandit.NewLinear("items", &explore.Problem{X: mat.NewDense(3, 2, []float64{1, 0, 1, 1, 0, 1}),
			Z: mat.NewDense(2, 2, []float64{2, 1, 0, 3}), Link: link, Sigma: 1, Question: scaled{}}, mat.NewDense(2, 1, []float64{-.5, 2}))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(inst.Truth().RawMatrix().Data); got != "[1 6]" {
			t.Errorf("%v: the truth is %s", link, got)
		}
	}
	theta := mat.NewDense(1, 2, []float64{1, 2}) // all objectives have the noise of the noisiest objective
	inst, err := bandit.NewLinear("scales", &explore.Problem{X: mat.NewDense(2, 1, []float64{1, 2}), Objectives: 2, Sigma: 2,
		Sigmas: []float64{.5, 2}, Question: best{}}, theta)
	if err != nil {
		t.Fatal(err)
	}
	if cov := inst.Law.(*bandit.Gaussian).Covariance(); cov.At(0, 0) != 4 || cov.At(1, 1) != 4 || cov.At(0, 1) != 0 {
		t.Errorf("covariance %v", mat.Formatted(cov))
	}
}
