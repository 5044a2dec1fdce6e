package live

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// The following constants limit requests, so that a page does not become unresponsive.
const (
	maxArms       = 500
	maxObjectives = 10
)

// Instance is a simulated instance: true means, noise and question. Larger is better in every
// objective.
type Instance struct {
	// Arms and Objectives are the names of the arms and of the objectives.
	Arms       []string `json:"arms"`
	Objectives []string `json:"objectives"`
	// Means are the true means, with a row for each arm and a column for each objective.
	Means [][]float64 `json:"means,omitempty"`
	// Features are the features of the arms, with a row for each arm; if Features is given, means
	// are linear in the features.
	Features [][]float64 `json:"features,omitempty"`
	// Theta are the parameters of the linear model, with a row for each feature and a column for
	// each objective. By default, Theta is computed from the means, which must be linear in the
	// features.
	Theta    [][]float64 `json:"theta,omitempty"`
	Noise    Noise       `json:"noise"`
	Question Question    `json:"question"`
}

// Noise describes how measurements scatter about the means.
type Noise struct {
	// Kind is "gaussian" (independent, with standard deviation SD in each objective) or "bernoulli"
	// (with the means as success rates).
	Kind string  `json:"kind"`
	SD   float64 `json:"sd,omitempty"`
}

// Question is the question about the means.
type Question struct {
	// Kind is "pareto" (the Pareto set), "best" (the arm with the largest mean), "all-epsilon-best"
	// (all arms within Epsilon of the best) or "feasible-pareto". The kind "feasible-pareto" asks
	// for the Pareto set of the arms whose objectives are at least Least (null means no bound), and
	// for the reason why each other arm is rejected.
	Kind    string     `json:"kind"`
	Least   []*float64 `json:"least,omitempty"`
	Epsilon float64    `json:"epsilon,omitempty"`
}

// build converts the instance to the form that simulations use.
func (in *Instance) build() (*bandit.Instance, error) {
	k, d := len(in.Arms), len(in.Objectives)
	switch {
	case k < 1 || k > maxArms:
		return nil, fmt.Errorf("arms: %d; expected 1 to %d", k, maxArms)
	case d < 1 || d > maxObjectives:
		return nil, fmt.Errorf("objectives: %d; expected 1 to %d", d, maxObjectives)
	case in.Means == nil && in.Theta == nil:
		return nil, errors.New("means: missing; give means, or theta and features")
	case in.Theta != nil && in.Features == nil:
		return nil, errors.New("features: missing, but theta is given; give the features")
	case in.Means != nil && in.Theta != nil:
		return nil, errors.New("means: both means and theta are given; leave out one of the two")
	}
	q, err := in.Question.Build(in.Objectives)
	if err != nil {
		return nil, err
	}
	p := &explore.Problem{
		Arms: k, Objectives: d, ArmNames: in.Arms, ObjectiveNames: in.Objectives, Question: q,
	}
	var x, theta, means *mat.Dense
	if in.Features != nil {
		if len(in.Features) == 0 || len(in.Features[0]) == 0 || len(in.Features[0]) > maxArms {
			return nil, fmt.Errorf("features: empty, or too many columns; expected rows of 1 to %d numbers", maxArms)
		}
		if x, err = dense("features", in.Features, k, len(in.Features[0])); err != nil {
			return nil, err
		}
		p.X = x
	}
	if in.Theta != nil {
		_, h := x.Dims()
		if theta, err = dense("theta", in.Theta, h, d); err != nil {
			return nil, err
		}
		means = mat.NewDense(k, d, nil)
		means.Mul(x, theta)
	} else {
		if means, err = dense("means", in.Means, k, d); err != nil {
			return nil, err
		}
		if x != nil {
			if theta, err = fit(x, means); err != nil {
				return nil, err
			}
		}
	}
	law, err := in.Noise.law(means)
	if err != nil {
		return nil, err
	}
	p.Sigma, p.NormSigma = in.Noise.SD, in.Noise.SD
	if in.Noise.Kind == "bernoulli" {
		// A reward in [0, 1] is 1/2-sub-Gaussian, and so is any projection of independent rewards.
		p.Sigma, p.NormSigma = .5, .5
	}
	inst := &bandit.Instance{Name: "live", Problem: p, Law: law, Theta: theta}
	return inst, inst.Validate()
}

// law returns the distribution of the rewards.
func (n Noise) law(means *mat.Dense) (bandit.Law, error) {
	switch n.Kind {
	case "bernoulli":
		if n.SD != 0 {
			return nil, errors.New("noise: sd is given, but bernoulli noise has no sd; leave it out")
		}
		return bandit.NewBernoulli(means)
	case "gaussian":
		if !(n.SD > 0 && n.SD <= explore.Largest) {
			return nil, fmt.Errorf("noise: sd is %v; expected a positive number", n.SD)
		}
		_, d := means.Dims()
		return bandit.NewGaussian(means, bandit.Isotropic(d, n.SD))
	}
	return nil, fmt.Errorf("noise: kind is %q; expected gaussian or bernoulli", n.Kind)
}

// Build returns the question for objectives with the given names.
func (q Question) Build(objectives []string) (explore.Question, error) {
	if q.Kind != "feasible-pareto" && q.Least != nil {
		return nil, fmt.Errorf("question: %q takes no bounds; leave the bounds out", q.Kind)
	}
	if (q.Kind == "feasible-pareto" || q.Kind == "best") && q.Epsilon != 0 {
		return nil, fmt.Errorf("question: %q takes no epsilon; leave epsilon out", q.Kind)
	}
	switch q.Kind {
	case "pareto":
		return question.Pareto{Epsilon: q.Epsilon}, nil
	case "best":
		return question.Best{}, nil
	case "all-epsilon-best":
		return question.AllEpsilonBest{Epsilon: q.Epsilon}, nil
	case "feasible-pareto":
		if len(q.Least) != len(objectives) {
			return nil, fmt.Errorf("question: %d bounds; expected %d, one per objective", len(q.Least), len(objectives))
		}
		least := make([]float64, len(q.Least))
		for c, v := range q.Least {
			least[c] = math.Inf(-1)
			if v != nil {
				least[c] = *v
			}
		}
		region, err := polyhedron.AtLeast(least, objectives)
		if err != nil {
			return nil, err
		}
		return question.FeasiblePareto{Region: region}, nil
	}
	return nil, fmt.Errorf("question: kind is %q; expected pareto, feasible-pareto, best or "+
		"all-epsilon-best", q.Kind)
}

// dense converts rows to a matrix of the required size; the argument what names the rows in errors.
func dense(what string, rows [][]float64, n, m int) (*mat.Dense, error) {
	if len(rows) != n {
		return nil, fmt.Errorf("%s: %d rows; expected %d", what, len(rows), n)
	}
	a := mat.NewDense(n, m, nil)
	for i, row := range rows {
		if len(row) != m {
			return nil, fmt.Errorf("%s: row %d has %d numbers; expected %d", what, i+1, len(row), m)
		}
		a.SetRow(i, row)
	}
	return a, nil
}

// fit returns the h x d matrix of parameters with which the features x predict the means.
func fit(x, means *mat.Dense) (*mat.Dense, error) {
	k, h := x.Dims()
	_, d := means.Dims()
	var svd mat.SVD
	if !svd.Factorize(x, mat.SVDThin) {
		return nil, errors.New("features: the singular values did not converge")
	}
	rank := svd.Rank(1e-9)
	if rank == 0 {
		return nil, errors.New("features: all numbers are 0; give at least one nonzero number")
	}
	theta := mat.NewDense(h, d, nil)
	svd.SolveTo(theta, means, rank)
	var fitted mat.Dense
	fitted.Mul(x, theta)
	for i := range k {
		for c := range d {
			off := math.Abs(fitted.At(i, c) - means.At(i, c))
			if off > 1e-8*(1+math.Abs(means.At(i, c))) {
				return nil, fmt.Errorf("means: the mean of arm %d differs by %.3g from the closest linear model of "+
					"the features; correct the means, or leave out the features", i+1, off)
			}
		}
	}
	return theta, nil
}
