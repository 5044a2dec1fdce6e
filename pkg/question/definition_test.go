package question_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// A truth holds true means, and implements the definitions of the questions literally.
type truth struct{ mu *mat.Dense }

// any reports whether is(j) is true for some item j other than i.
func (s truth) any(i int, is func(j int) bool) bool {
	k, _ := s.mu.Dims()
	for j := range k {
		if j != i && is(j) {
			return true
		}
	}
	return false
}

// reaches reports whether j is at least as good as i in each objective, after the vector sign*plus is added to the
// means of j. If plus is nil, nothing is added.
func (s truth) reaches(j, i int, sign float64, plus []float64) bool {
	for c, v := range s.mu.RawRowView(j) {
		if plus != nil {
			v += sign * plus[c]
		}
		if v < s.mu.At(i, c) {
			return false
		}
	}
	return true
}

// beats reports whether j still dominates i after the tolerance is subtracted from the means of j.
func (s truth) beats(j, i int, tolerance []float64) bool {
	better := false
	for c, v := range s.mu.RawRowView(j) {
		if tolerance != nil {
			v -= tolerance[c]
		}
		better = better || v > s.mu.At(i, c)
	}
	return better && s.reaches(j, i, -1, tolerance)
}

// right reports whether an answer is right, with one class per item.
func (s truth) right(q explore.Question, items []int, classes []explore.Class) bool {
	k, d := s.mu.Dims()
	best := mat.Max(s.mu)
	in := func(i int) bool { return slices.Contains(items, i) }
	inside := func(r *polyhedron.Polyhedron, i int, slack []float64) bool {
		for l := range r.Rows() {
			x := r.Constraint(l)
			for c, v := range x.A {
				x.B -= v * s.mu.At(i, c)
			}
			if slack != nil {
				x.B += slack[l]
			}
			if x.B < 0 {
				return false
			}
		}
		return true
	}
	each := func(ok func(i int) bool) bool {
		for i := range k {
			if !ok(i) {
				return false
			}
		}
		return true
	}
	switch q := q.(type) {
	case question.Best:
		return len(items) > 0 && each(func(i int) bool { return !in(i) || s.mu.At(i, 0) >= best-q.Epsilon })
	case question.AllEpsilonBest:
		least := best - q.Epsilon
		if q.Multiplicative {
			least = best - q.Epsilon*(best-q.Zero)
		}
		return (len(items) > 0 || best < least) && each(func(i int) bool {
			return s.mu.At(i, 0) == least || in(i) == (s.mu.At(i, 0) > least)
		})
	case question.Feasible:
		return each(func(i int) bool { return in(i) == inside(q.Region, i, nil) })
	case question.BestFeasible:
		feasible := 0
		for i := range k {
			if inside(q.Region, i, nil) {
				feasible++
			}
		}
		value := func(i int) (v float64) {
			for c, x := range s.mu.RawRowView(i) {
				if q.Weights != nil {
					x *= q.Weights[c]
				}
				v += x
			}
			return v
		}
		return len(items) == min(max(q.Count, 1), feasible) && each(func(i int) bool {
			return !in(i) || inside(q.Region, i, nil) && !s.any(i, func(j int) bool {
				return !in(j) && inside(q.Region, j, nil) && value(j) > value(i)
			})
		})
	case question.Pareto:
		optimal := func(i int) bool { return !s.any(i, func(j int) bool { return s.beats(j, i, nil) }) }
		behind := func(i int) bool { // some item exceeds i by more than epsilon in each objective
			return s.any(i, func(j int) bool {
				for c := range d {
					if s.mu.At(j, c) <= s.mu.At(i, c)+q.Epsilon {
						return false
					}
				}
				return true
			})
		}
		if !each(func(i int) bool { return !in(i) || optimal(i) || q.Epsilon > 0 && !behind(i) }) {
			return false
		}
		cover := slices.Repeat([]float64{q.Cover}, d)
		return q.AtMost > 0 && len(items) >= q.AtMost || each(func(i int) bool {
			return in(i) || !optimal(i) || q.Cover > 0 && s.any(i, func(j int) bool { return in(j) && s.reaches(j, i, 1, cover) })
		})
	case question.FeasiblePareto:
		return each(func(i int) bool {
			beaten := s.any(i, func(j int) bool { return inside(q.Region, j, nil) && s.beats(j, i, q.Tolerance) })
			stood := s.any(i, func(j int) bool { return in(j) && s.reaches(j, i, 1, q.Tolerance) })
			out, class := !inside(q.Region, i, nil), classes[i]
			if !q.Tolerant() { // without tolerances, a rejected item must be dominated; an equal item in the answer does not suffice
				stood = beaten
			}
			if in(i) {
				return inside(q.Region, i, q.Slack) && !beaten && (q.SetOnly || class == explore.Optimal)
			}
			if q.SetOnly {
				return out || stood
			}
			return class == explore.Infeasible && out || class == explore.Dominated && stood
		})
	}
	panic("no definition")
}

// Correct agrees with the definitions for every set of items with every choice of reasons. Means, tolerances and
// bounds are multiples of 1/4, so there are many ties and boundary cases, but no rounding errors.
func TestCorrectByDefinition(t *testing.T) {
	rnd := rand.New(rand.NewPCG(28, 7))
	quarters := func(n int) float64 { return float64(rnd.IntN(n)) / 4 }
	all := []explore.Class{explore.Undecided, explore.Optimal, explore.Dominated, explore.Infeasible}
	seen := map[string]*[2]int{}
	for run := range 120 {
		k, d := 1+run%3, 1+rnd.IntN(2)
		mu := mat.NewDense(k, d, nil)
		a, b := mat.NewDense(d+1, d, nil), make([]float64, d+1)
		tolerance, slack, weights := make([]float64, d), make([]float64, d+1), make([]float64, d)
		for c := range d {
			for i := range k {
				mu.Set(i, c, quarters(6))
			}
			a.Set(c, c, -1)
			a.Set(d, c, 1)
			b[c], tolerance[c], weights[c] = -quarters(3), quarters(3), quarters(5)-.25
		}
		b[d], slack[0], slack[d] = 1.5+quarters(5), quarters(2), quarters(3)
		region, err := polyhedron.New(a, b, nil)
		if err != nil {
			t.Fatal(err)
		}
		questions := []explore.Question{
			question.Pareto{}, question.Pareto{Epsilon: quarters(4)}, question.Pareto{Epsilon: quarters(2), Cover: quarters(4)},
			question.Pareto{AtMost: 2, Epsilon: quarters(2)}, question.Feasible{Region: region},
			question.BestFeasible{Region: region}, question.BestFeasible{Region: region, Weights: weights, Count: 2},
			question.FeasiblePareto{Region: region}, question.FeasiblePareto{Region: region, SetOnly: true},
			question.FeasiblePareto{Region: region, Tolerance: tolerance}, question.FeasiblePareto{Region: region, Slack: slack},
			question.FeasiblePareto{Region: region, Tolerance: tolerance, Slack: slack, SetOnly: true},
		}
		if d == 1 {
			questions = append(questions, question.Best{Epsilon: quarters(3)}, question.AllEpsilonBest{Epsilon: quarters(4)},
				question.AllEpsilonBest{Epsilon: quarters(4), Multiplicative: true, Zero: quarters(8)})
		}
		for n, q := range questions {
			name := fmt.Sprintf("%d %T", n, q)
			if seen[name] == nil {
				seen[name] = new([2]int)
			}
			reasons := 1
			if f, ok := q.(question.FeasiblePareto); ok && !f.SetOnly {
				reasons = 1 << (2 * k)
			}
			for set := range 1 << k {
				for r := range reasons {
					var answer explore.Answer
					classes := make([]explore.Class, k)
					for i := range k {
						classes[i] = all[r>>(2*i)&3]
						if set>>i&1 == 1 {
							answer.Items = append(answer.Items, i)
						}
						if reasons > 1 {
							answer.Reasons = append(answer.Reasons, explore.Reason{Class: classes[i], By: -1, Constraint: -1})
						}
					}
					want := truth{mu}.right(q, answer.Items, classes)
					if got := q.Correct(mu, answer); got != want {
						t.Fatalf("%#v of\n%v\nis %v with %v: right is %v; want %v", q, mat.Formatted(mu), answer.Items, classes, got, want)
					}
					if seen[name][0]++; want {
						seen[name][1]++
					}
				}
			}
		}
	}
	for name, n := range seen {
		if n[1] < 20 || n[0]-n[1] < 20 {
			t.Errorf("%s: %d answers are right of %d", name, n[1], n[0])
		}
	}
}
