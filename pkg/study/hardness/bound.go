// Package hardness computes how hard the instances of studies are. The package provides lower
// bounds as rows, tables of complexities and characteristic times, and the true status of each arm.
// All functions of package hardness use the true means of instances.
//
//	t, err := hardness.CharacteristicTime(inst, question.Pareto{}, 0.01)
//	table, err := hardness.Complexity(ecape.ClinicalTrials) // of its instances
package hardness

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/study"
)

// LowerBound is the name of the bound Best.
const LowerBound = "lower bound"

// Oracle returns, for an instance, a lower bound on pulls as a function of the error probability,
// and the optimal proportions of pulls. A method with knowledge of the answer would pull in these
// proportions.
type Oracle func(inst *bandit.Instance) (pulls func(delta float64) float64, weights []float64, err error)

// Bound returns a bound with the given name. The rows of the bound contain the pulls of an oracle
// and the right answer.
func Bound(name string, of Oracle) study.Bound {
	return study.Bound{Name: name, Plan: func(t study.Task) (study.Plan, error) {
		pulls, weights, err := of(t.Instance)
		if err != nil {
			return study.Plan{}, err
		}
		return study.Divided(pulls(t.Delta), weights, question.Right(t.Instance.Problem.Question, t.Instance.Truth()))
	}}
}

// Once returns an oracle that computes its result only once, for experiments in which all sizes
// share an instance.
func Once(of Oracle) Oracle {
	var first sync.Once
	var pulls func(float64) float64
	var weights []float64
	var err error
	return func(inst *bandit.Instance) (func(float64) float64, []float64, error) {
		first.Do(func() { pulls, weights, err = of(inst) })
		return pulls, weights, err
	}
}

// Best is the lower bound 2 psi* log(1/(2.4 delta)) for the best item of a linear model.
var Best = Bound(LowerBound, func(inst *bandit.Instance) (func(float64) float64, []float64, error) {
	psi, err := complexity.NewPsiStar(inst.Problem, mat.Col(nil, 0, inst.Truth()), &design.Options{Tol: 1e-3})
	if err != nil {
		return nil, nil, err
	}
	return psi.LowerBound, psi.Weights, nil
})

// Time returns the lower bound T* kl(delta, 1 - delta) for a question and for methods without
// features. The relative width of the certified bracket for T* is at most tol.
func Time(name string, of func(*bandit.Instance) explore.Question, tol float64) study.Bound {
	return Bound(name, func(inst *bandit.Instance) (func(float64) float64, []float64, error) {
		t, err := CharacteristicTime(inst, of(inst), tol)
		if err != nil {
			return nil, nil, err
		}
		return t.LowerBound, t.Weights, nil
	})
}

// CharacteristicTime returns T* of a question about an instance, with a relative width of at most
// tol. If an arbitrarily small change of the means can change the Pareto set, T* is infinite.
func CharacteristicTime(
	inst *bandit.Instance, q explore.Question, tol float64,
) (*complexity.TStar, error) {
	p := inst.Problem
	t, err := complexity.NewTStar(q, inst.Truth(), bandit.Isotropic(p.D(), p.Sigma), tol)
	if errors.Is(err, complexity.ErrParetoTie) {
		return &complexity.TStar{Lower: math.Inf(1), Upper: math.Inf(1)}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("hardness: %s: %w", inst.Name, err)
	}
	return t, nil
}
