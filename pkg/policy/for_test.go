package policy_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
)

// Each question and circumstance has a method that can begin with it, in words.
func TestFor(t *testing.T) {
	x := rows([][]float64{{1, 0}, {0, 1}, {.6, .6}})
	good, front := question.AllEpsilonBest{Epsilon: .1}, question.Pareto{}
	region, err := polyhedron.AtLeast([]float64{0, 0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	type problem = explore.Problem
	plain := func(q explore.Question, d int) *problem {
		return &problem{Arms: 3, Objectives: d, Sigma: 1, Question: q}
	}
	linear := func(q explore.Question, d int) *problem {
		return &problem{X: x, Objectives: d, Sigma: 1, Question: q}
	}
	items := linear(question.Best{}, 1)
	items.Z = rows([][]float64{{1, 1}, {2, 0}})
	logit := linear(good, 1)
	logit.Link = explore.Logit
	changing := linear(front, 2)
	changing.Changing = true
	factorial := plain(question.Best{}, 1) // five factors of two levels
	factorial.X = mat.NewDense(32, 6, nil)
	factorial.X.Apply(func(i, j int, _ float64) float64 {
		if j == 0 {
			return 1
		}
		return float64(i >> (j - 1) & 1)
	}, factorial.X)
	priced := linear(front, 2) // by a price that is no function of the features
	priced.Known = mat.NewDense(3, 2, []float64{math.NaN(), 1, math.NaN(), 0, math.NaN(), 5})
	for _, test := range []struct {
		p    *problem
		c    policy.Circumstances
		want string
	}{
		{linear(question.Best{}, 1), policy.Circumstances{}, "*policy.BettingElimination"},
		{plain(question.Best{}, 1), policy.Circumstances{Plate: 96}, "*policy.BettingElimination"},
		{plain(question.Best{}, 1), policy.Circumstances{AnySampling: true}, "*policy.UGapE"},
		{plain(question.Best{Epsilon: .1}, 1), policy.Circumstances{AnySampling: true, Radius: radius.Bernoulli{}}, "*policy.UGapE"},
		{items, policy.Circumstances{}, "*policy.BettingElimination"},
		{items, policy.Circumstances{AnySampling: true}, "*policy.LinGapE"},
		{items, policy.Circumstances{Budget: 500}, "*policy.PEACE"},
		{linear(question.Best{}, 1), policy.Circumstances{AnySampling: true}, "*policy.LinGapE"},
		{factorial, policy.Circumstances{AnySampling: true}, "*policy.UGapE"},
		{linear(question.Best{}, 1), policy.Circumstances{Budget: 500}, "*policy.ODLinBAI"},
		{plain(question.Best{}, 1), policy.Circumstances{UnknownSigma: true}, "*policy.Piloted"},
		{plain(good, 1), policy.Circumstances{}, "*policy.BettingAllEpsilon"},
		{linear(good, 1), policy.Circumstances{}, "*policy.BettingAllEpsilon"},
		{plain(good, 1), policy.Circumstances{UnknownSigma: true}, "*policy.Piloted"},
		{linear(good, 1), policy.Circumstances{Budget: 500}, "*policy.BayesGap"},
		{logit, policy.Circumstances{MinSlope: .2}, "*policy.LinFACTGLM"},
		{plain(front, 2), policy.Circumstances{}, "*policy.BettingPareto"},
		{plain(front, 2), policy.Circumstances{AnySampling: true}, "*policy.APE"},
		{plain(front, 2), policy.Circumstances{UnknownSigma: true}, "*policy.Piloted"},
		{plain(front, 2), policy.Circumstances{Budget: 500}, "*policy.EGESR"},
		{linear(front, 2), policy.Circumstances{}, "*policy.BettingPareto"},
		{linear(front, 2), policy.Circumstances{AnySampling: true}, "*policy.Sparing"},
		{linear(front, 2), policy.Circumstances{UnknownSigma: true}, "*policy.Piloted"},
		{priced, policy.Circumstances{AnySampling: true}, "*policy.APE"},
		{linear(front, 2), policy.Circumstances{Budget: 5000}, "*policy.GEGEFixedBudget"},
		{changing, policy.Circumstances{Norm: 3}, "*policy.PFIwR"},
		{plain(question.FeasiblePareto{Region: region}, 2), policy.Circumstances{},
			"*policy.BettingFeasible"},
		{plain(question.FeasiblePareto{Region: region}, 2), policy.Circumstances{AnySampling: true},
			"*policy.ECAPE"},
		{plain(question.FeasiblePareto{Region: region, Tolerance: []float64{.1, .1}}, 2),
			policy.Circumstances{}, "*policy.BettingFeasible"},
		{plain(question.FeasiblePareto{Region: region}, 2),
			policy.Circumstances{Radius: radius.Bernoulli{}}, "*policy.BettingFeasible"},
		{plain(question.FeasiblePareto{Region: region}, 2),
			policy.Circumstances{Radius: radius.Bernoulli{}, AnySampling: true}, "*policy.ECAPE"},
		{plain(question.FeasiblePareto{Region: region}, 2),
			policy.Circumstances{Radius: radius.KaufmannKoolen{}, Gaussian: true}, "*policy.ECAPE"},
		{plain(question.BestFeasible{Region: region, Weights: []float64{0, 1}}, 2),
			policy.Circumstances{Radius: radius.Bernoulli{}}, "*policy.BettingFeasible"},
		{plain(question.BestFeasible{Region: region, Weights: []float64{0, 1}}, 2),
			policy.Circumstances{Radius: radius.Bernoulli{}, AnySampling: true}, "*policy.ECAPE"},
		{plain(question.Feasible{Region: region}, 2), policy.Circumstances{}, "*policy.BettingFeasible"},
		{plain(question.Feasible{Region: region}, 2), policy.Circumstances{AnySampling: true}, "*policy.MDAPT"},
		{plain(question.BestFeasible{Region: region, Count: 1}, 2),
			policy.Circumstances{AnySampling: true}, "*policy.TFLUCB"},
		{plain(question.BestFeasible{Region: region, Weights: []float64{1, 2}}, 2),
			policy.Circumstances{AnySampling: true, Radius: radius.Bernoulli{}}, "*policy.TFLUCB"},
		{plain(question.BestFeasible{Region: region, Count: 2}, 2),
			policy.Circumstances{}, "*policy.BettingFeasible"},
	} {
		r, err := policy.For(test.p, test.c)
		if err != nil {
			t.Errorf("%T, %+v: %v", test.p.Question, test.c, err)
			continue
		}
		if got := fmt.Sprintf("%T", r.Make()); got != test.want {
			t.Errorf("%T, %+v: %s; want %s", test.p.Question, test.c, got, test.want)
		}
		v := reflect.ValueOf(r.Make()).Elem().FieldByName("Radius")
		want := cmp.Or[radius.Radius](test.c.Radius, radius.Mixture{})
		if test.want == "*policy.TFLUCB" { // of two weights
			want = radius.Mixture{}
		}
		if own := test.want == "*policy.Sparing"; v.IsValid() && !own && v.Interface() != want {
			t.Errorf("%s: the radius is %v", test.want, v)
		}
		// The error probability and the budget are those that were asked for.
		asked := test.c
		if asked.Budget == 0 {
			asked.Delta = .07
		}
		own, err := policy.For(test.p, asked)
		if err != nil {
			t.Errorf("%s with delta %v: %v", test.want, asked.Delta, err)
			continue
		}
		for name, want := range map[string]any{"Delta": asked.Delta, "Budget": asked.Budget} {
			f := reflect.ValueOf(own.Make()).Elem().FieldByName(name)
			if f.IsValid() && f.Interface() != want && test.want != "*policy.Piloted" {
				t.Errorf("%s: %s is %v; want %v", test.want, name, f, want)
			}
		}
		if r.Why == "" || r.Name == "" {
			t.Errorf("%s has no reason or no card: %+v", test.want, r)
		}
		if err := r.Make().Init(test.p, seed.New(1).Source()); err != nil {
			t.Errorf("%s: %v", test.want, err)
		}
	}
}

// What has no method says so, and which budget would do.
func TestForErrors(t *testing.T) {
	tiny := &explore.Problem{X: mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}), Sigma: 1,
		Question: question.Best{}}
	_, err := policy.For(tiny, policy.Circumstances{Budget: 1})
	if !errors.Is(err, explore.ErrBudget) || !strings.Contains(err.Error(), "at least") {
		t.Errorf("%v; want ErrBudget with what is enough", err)
	}
	front := &explore.Problem{Arms: 3, Objectives: 2, Sigma: 1, Question: question.FeasiblePareto{
		Region: polyhedron.Whole(2)}}
	if _, err := policy.For(front, policy.Circumstances{Budget: 100}); !errors.Is(err,
		explore.ErrQuestion) {
		t.Errorf("%v; want ErrQuestion", err)
	}
	changing := &explore.Problem{X: tiny.X, Changing: true, Objectives: 2, Sigma: 2,
		Question: question.Pareto{}}
	if _, err := policy.For(changing, policy.Circumstances{}); !errors.Is(err,
		explore.ErrQuestion) || !strings.Contains(err.Error(), "needs the norm of the parameters") {
		t.Errorf("features that change, and no norm: %v; want ErrQuestion, and Norm", err)
	}
	r, err := policy.For(changing, policy.Circumstances{Norm: 3})
	if err != nil || r.Make().(*policy.PFIwR).Norm != 1.5 { // 3 rewards are 1.5 Sigma
		t.Errorf("features that change, with a norm: %+v, %v", r, err)
	}
	other := *front
	other.Question = strange{}
	if _, err := policy.For(&other, policy.Circumstances{}); !errors.Is(err, explore.ErrQuestion) {
		t.Errorf("%v; want ErrQuestion", err)
	}
	if _, err := policy.For(tiny, policy.Circumstances{Delta: 3}); err == nil {
		t.Error("delta 3 is accepted")
	}
	if _, err := policy.For(&explore.Problem{}, policy.Circumstances{}); err == nil {
		t.Error("an empty problem is accepted")
	}
}

// Which method for a taste test with sets of four glasses?
func ExampleFor() {
	r, err := policy.For(whiskeys().Problem, policy.Circumstances{Delta: 0.05, Plate: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(explore.Name(r.Make()))
	fmt.Println(r.Guarantee())
	// Output:
	// elimination by betting (delta 0.05), plates of 4
	// error at most delta
}
