package theorems

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/tidy"
)

// RAGEProposition1 compares complexities with and without adaptation on the instances of
// Proposition 1 in the RAGE paper. The function of returns the instance for a dimension and an
// angle, and ds contains the dimensions. The table shows psi*, the largest complexity for a single
// theta, and the complexity of one static allocation for all thetas.
func RAGEProposition1(
	of func(d int, angle float64) (*bandit.Instance, error), angle float64, ds ...int,
) (*tidy.Table, error) {
	t := &tidy.Table{
		Title:   fmt.Sprintf("Proposition 1, angle %v", angle),
		Columns: tidy.Columns("dimension d", "1/gamma", "psi*", "static", "static / psi*"),
		Notes: []string{"gamma = (1 - cos(angle))², the square of the smallest gap. psi* is the largest value over " +
			"all theta. Each complexity times 2 log(1/delta) is an approximate number of pulls."},
	}
	for _, d := range ds {
		inst, err := of(d, angle)
		if err != nil {
			return nil, err
		}
		x := inst.Problem.X
		hardest := 0.
		var all mat.Dense // directions of all parameters theta
		for j := range d {
			means := make([]float64, d)
			for i := range d {
				means[i] = floats.Dot(x.RawRowView(i), x.RawRowView(j))
			}
			psi, err := complexity.NewPsiStar(inst.Problem, means, &design.Options{Tol: 1e-3})
			if err != nil {
				return nil, err
			}
			hardest = max(hardest, psi.Value)
			y, err := complexity.Towards(x, means)
			if err != nil {
				return nil, err
			}
			if all.IsEmpty() {
				all.CloneFrom(y)
			} else {
				var more mat.Dense
				more.Stack(&all, y)
				all = more
			}
		}
		static, err := design.XY(x, &all, &design.Options{Tol: 1e-3})
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, []any{d, math.Pow(1-math.Cos(angle), -2), hardest, static.Value,
			static.Value / hardest})
	}
	return t, nil
}

// RAGELemma1 compares rho(Y) with its bounds in Lemma 1 of the RAGE paper, where rho(Y) is the
// complexity of estimating the differences Y of the remaining items. The table has a row for each
// different set of items that may remain after a round of RAGE's schedule.
func RAGELemma1(inst *bandit.Instance) (*tidy.Table, error) {
	p := inst.Problem
	x, z, mu := p.X, cmp.Or(p.Z, p.X), mat.Col(nil, 0, inst.Truth())
	t := &tidy.Table{
		Title:   "Lemma 1: " + inst.Name,
		Columns: tidy.Columns("gap at most", "items", "lower bound", "rho", "1/gauge²", "upper bound d/gauge²"),
		Notes: []string{"Lower bound: max |y|² / max |x|² (the paper prints |x|; its proof has the square). The " +
			"gauge is the largest c such that cY lies in the convex hull of the arms and their negatives. For a " +
			"single direction, rho is 1/gauge² (Elfving 1952)."},
	}
	longest := 0.
	for i := range p.K() {
		longest = max(longest, floats.Dot(x.RawRowView(i), x.RawRowView(i)))
	}
	best := floats.Max(mu)
	for bound, before := 2., 0; ; bound /= 2 {
		var left []int
		for i, m := range mu {
			if best-m <= bound {
				left = append(left, i)
			}
		}
		if len(left) < 2 {
			return t, nil
		}
		if len(left) == before {
			continue
		}
		before = len(left)
		sub := mat.NewDense(len(left), z.RawMatrix().Cols, nil)
		for k, i := range left {
			sub.SetRow(k, z.RawRowView(i))
		}
		rho, err := design.Pairs(x, sub, &design.Options{Tol: 1e-3})
		if err != nil {
			return nil, err
		}
		far, norm := 0., 0. // largest squared length of a difference, and largest Elfving norm of a difference
		for k := range left {
			for l := range k {
				y := make([]float64, len(sub.RawRowView(k)))
				floats.SubTo(y, sub.RawRowView(k), sub.RawRowView(l))
				_, own, err := design.Elfving(x, y)
				if err != nil {
					return nil, err
				}
				far, norm = max(far, floats.Dot(y, y)), max(norm, own)
			}
		}
		_, d := x.Dims()
		t.Rows = append(t.Rows, []any{bound, len(left), far / longest, rho.Value, norm * norm,
			float64(d) * norm * norm})
	}
}
