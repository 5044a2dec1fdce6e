package mc_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
)

// best is the question for the arm with the largest mean.
type best struct{}

func (best) Correct(mu *mat.Dense, a explore.Answer) bool {
	m, _ := mu.Dims()
	top := 0
	for i := range m {
		if mu.At(i, 0) > mu.At(top, 0) {
			top = i
		}
	}
	return len(a.Items) == 1 && a.Items[0] == top
}

// race pulls every arm Batch times per round, and a random arm one more time. A race ends when the best two means
// differ by more than Width/sqrt(n), where n is the smaller number of pulls of the two arms.
type race struct {
	Batch int
	Width float64

	prob *explore.Problem
	rnd  *rand.Rand
	n    []int
	sum  []float64
}

func (r *race) String() string { return fmt.Sprintf("race{%d, %v}", r.Batch, r.Width) }

func (r *race) Init(p *explore.Problem, src rand.Source) error {
	r.prob, r.rnd = p, rand.New(src)
	r.n, r.sum = make([]int, p.K()), make([]float64, p.K())
	return nil
}

func (r *race) leaders() (first, second int) {
	first, second = -1, -1
	mean := func(i int) float64 { return r.sum[i] / float64(r.n[i]) }
	for i := range r.n {
		switch {
		case first < 0 || mean(i) > mean(first):
			first, second = i, first
		case second < 0 || mean(i) > mean(second):
			second = i
		}
	}
	return first, second
}

func (r *race) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if r.n[0] > 0 {
		a, b := r.leaders()
		n := float64(min(r.n[a], r.n[b]))
		if r.sum[a]/float64(r.n[a])-r.sum[b]/float64(r.n[b]) > r.Width/math.Sqrt(n) {
			return dst, nil
		}
	}
	for i := range r.n {
		dst = append(dst, explore.Pull{Arm: i, N: r.Batch})
	}
	return append(dst, explore.Pull{Arm: r.rnd.IntN(len(r.n)), N: 1}), nil
}

func (r *race) Tell(obs []explore.Batch) error {
	for _, b := range obs {
		r.n[b.Arm] += b.N
		r.sum[b.Arm] += b.Sum[0]
	}
	return nil
}

func (r *race) Answer() explore.Answer {
	if r.n[0] == 0 {
		return explore.Answer{}
	}
	a, _ := r.leaders()
	why := make([]explore.Reason, len(r.n))
	for i := range why {
		why[i].Class = explore.Dominated
	}
	why[a].Class = explore.Optimal
	return explore.Answer{Items: []int{a}, Reasons: why}
}

func (r *race) Warnings() []error {
	if r.Width < 1 {
		return []error{fmt.Errorf("a width of %v < 1 proves nothing", r.Width)}
	}
	return nil
}

// law is Gaussian with unit variance. If hook is not nil, law calls hook before each sum.
type law struct {
	bandit.Law
	hook func()
}

func (l *law) Sum(dst []float64, arm, n int, rnd *rand.Rand) {
	if l.hook != nil {
		l.hook()
	}
	l.Law.Sum(dst, arm, n, rnd)
}

// instance returns a problem with the given means.
func instance(name string, mu ...float64) *bandit.Instance {
	g, err := bandit.NewGaussian(mat.NewDense(len(mu), 1, mu), mat.NewSymDense(1, []float64{1}))
	if err != nil {
		panic(err)
	}
	return &bandit.Instance{
		Name:    name,
		Problem: &explore.Problem{Arms: len(mu), Sigma: 1, Question: best{}},
		Law:     &law{Law: g},
	}
}

// toy returns a study of 2 instances and 2 methods with 5 replicates per cell, and an additional cell with 3
// replicates.
func toy() *mc.Grid {
	return &mc.Grid{
		Study:     "toy",
		Seed:      1,
		Reps:      5,
		Instances: []*bandit.Instance{instance("easy", 0, 1, 2), instance("<hard>", 0, 0.3)},
		Methods: []mc.Method{
			{Name: "narrow", Constants: "tuned", Delta: 0.1, New: func() explore.Policy {
				return &race{Batch: 3, Width: 0.5}
			}},
			{Name: "wide", Delta: 0.01, New: func() explore.Policy { return &race{Batch: 5, Width: 4} }},
		},
		Cells: []mc.Cell{{
			Instance: instance("tie", 1, 1),
			Method: mc.Method{
				Name: "wide", Delta: 0.01, Reps: 3, MaxPulls: 200,
				New: func() explore.Policy { return &race{Batch: 5, Width: 8} },
			},
		}},
	}
}
