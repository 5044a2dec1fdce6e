package policytest_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
)

// Elimination finds the best arm of a problem with one objective. Elimination pulls all arms that
// may still be the best, and drops the other arms (Even-Dar, Mannor and Mansour, JMLR 2006).
type Elimination struct {
	Delta float64 // error probability

	p      *explore.Problem
	n      int       // number of pulls of each active arm
	sum    []float64 // sum of rewards, by arm
	active []int
}

// Init starts a run and discards the state of earlier runs.
func (e *Elimination) Init(p *explore.Problem, _ rand.Source) error {
	if _, ok := p.Question.(question.Best); !ok {
		return fmt.Errorf("elimination: expected question.Best: %w", explore.ErrQuestion)
	}
	e.p, e.n, e.sum, e.active = p, 0, make([]float64, p.K()), nil
	for i := range p.K() {
		e.active = append(e.active, i)
	}
	return nil
}

// Ask requests one more reward of each active arm until one arm is left.
func (e *Elimination) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if len(e.active) > 1 {
		for _, i := range e.active {
			dst = append(dst, explore.Pull{Arm: i, N: 1})
		}
	}
	return dst, nil
}

// Tell adds the rewards and drops arms.
func (e *Elimination) Tell(obs []explore.Batch) error {
	best := math.Inf(-1)
	e.n++
	for _, b := range obs {
		e.sum[b.Arm] += b.Sum[0]
		best = max(best, e.mean(b.Arm))
	}
	keep := e.active[:0]
	for _, i := range e.active {
		if e.mean(i) >= best-2*e.radius() {
			keep = append(keep, i)
		}
	}
	e.active = keep
	return nil
}

func (e *Elimination) mean(i int) float64 { return e.sum[i] / float64(e.n) }

// radius is the half-width of a confidence interval that holds for all arms and all n
// simultaneously. Each pair (arm, n) has error probability delta / (K n (n+1)).
func (e *Elimination) radius() float64 {
	n, k := float64(e.n), float64(e.p.K())
	return e.p.Sigma * math.Sqrt(2*math.Log(2*k*n*(n+1)/e.Delta)/n)
}

// Answer returns the answer with reasons. Active arms are undecided; if only one is left, it is optimal.
func (e *Elimination) Answer() explore.Answer {
	a := explore.Answer{Reasons: make([]explore.Reason, len(e.sum))}
	for i := range a.Reasons {
		a.Reasons[i] = explore.Reason{Class: explore.Dominated, By: -1, Constraint: -1}
		if len(e.active) == 1 {
			a.Reasons[i].By = e.active[0]
		}
	}
	for _, i := range e.active {
		a.Reasons[i] = explore.Reason{By: -1, Constraint: -1}
		if len(e.active) == 1 {
			a.Items = []int{i}
			a.Reasons[i].Class = explore.Optimal
		}
	}
	if len(e.active) > 1 {
		// With high probability the best arm is still active, so the answer may name any active arm.
		for i := range a.Reasons {
			if a.Reasons[i].Class == explore.Dominated {
				a.Reasons[i].By = e.active[0]
			}
		}
		a.Items = e.active[:1:1]
	}
	return a
}

// The problem easy has gaps of at least half a standard deviation; the problem tight has gaps of a tenth.
var (
	easy = policytest.Case{
		Instance: policytest.Gaussian("easy",
			&explore.Problem{Arms: 3, Sigma: 1, Question: question.Best{}},
			mat.NewDense(3, 1, []float64{1, .5, 0})),
		MaxPulls: 100_000,
	}
	easyFour = policytest.Case{
		Instance: policytest.Gaussian("easy four",
			&explore.Problem{Arms: 4, Sigma: 1, Question: question.Best{}},
			mat.NewDense(4, 1, []float64{2, 0, 1, .5})),
		MaxPulls: 100_000,
	}
	tight = policytest.Case{
		Instance: policytest.Gaussian("tight",
			&explore.Problem{Arms: 2, Sigma: 1, Question: question.Best{}},
			mat.NewDense(2, 1, []float64{.1, 0})),
		MaxPulls: 1_000_000,
	}
)

func TestElimination(t *testing.T) {
	elimination := func() explore.Policy { return &Elimination{Delta: 0.1} }
	policytest.Test(t, elimination, easy)
	policytest.ErrorRate(t, elimination, tight, 0.1, 200)
}

func Example() {
	problem := &explore.Problem{Arms: 2, Sigma: 1, Question: question.Best{},
		ArmNames: []string{"old", "new"}}
	policy := &Elimination{Delta: 0.1}
	session, err := explore.NewSession(policy, problem, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for {
		pulls, err := session.Ask()
		if err != nil || len(pulls) == 0 {
			break
		}
		var measured []explore.Batch
		for _, p := range pulls { // simulate the laboratory: each reward is 0 for old and 1 for new
			measured = append(measured,
				explore.Batch{Pull: p, Sum: []float64{float64(p.Arm * p.N)}})
		}
		if err := session.Tell(measured); err != nil {
			fmt.Println(err)
			return
		}
	}
	result := session.Result()
	fmt.Println(result.Status, "after", result.Pulls, "pulls; best:",
		problem.Arm(result.Answer.Items[0]))
	// Output: stopped after 208 pulls; best: new
}
