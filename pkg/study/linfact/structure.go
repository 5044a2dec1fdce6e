package linfact

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// structureTol is a tolerance: if the relative difference of the two bounds is at most
// structureTol, structure counts as useless.
const structureTol = 1e-3

// StructureLimit returns L_mu of Proposition 5.3 for an instance: the smallest deviation at which
// knowing the structure does not help. L_mu is the smallest L_m for which two lower bounds are
// equal. The first bound is for methods that know the features, and know that means deviate from a
// linear model by at most L_m. The second bound is for methods without features.
//
// The two bounds are values of games in which nature mixes alternative means, each of which has a
// different set of epsilon-best arms. In the game with features, nature may use only means within
// L_m of a linear model in every arm. The bounds are equal if the means in an optimal mixture of
// the game without features are within L_m of a linear model. At the optimum, all arms have
// positive weight, so each change of the set has a unique cheapest response of nature.
// StructureLimit mixes only responses within some distance L of a linear model. L_mu is the
// smallest L for which a mixture has the value of the game without features, up to 0.1 %.
func StructureLimit(in *bandit.Instance) (float64, error) {
	q, ok := in.Problem.Question.(question.AllEpsilonBest)
	if !ok || in.Problem.X == nil || in.Problem.Z != nil {
		return 0, fmt.Errorf("linfact: StructureLimit requires features and question.AllEpsilonBest: %w",
			explore.ErrQuestion)
	}
	mu := mat.Col(nil, 0, in.Truth())
	g, err := complexity.NewGammaStar(withoutFeatures(in.Problem), mu, 1e-7)
	if err != nil {
		return 0, err
	}
	if g.Hardest.Item < 0 {
		return 0, nil // all arms are epsilon-best whatever the means
	}
	k := len(mu)
	r, err := alternative.NewAllEpsilon(q, unitVectors(k), nil)
	if err != nil {
		return 0, err
	}
	r.SetMeans(mu)
	type response struct {
		distance float64
		costs    []float64 // by arm: cost of the response per unit of weight of the arm
	}
	var rs []response
	to := make([]float64, k)
	for _, w := range r.Ways(nil, g.Weights, 1.01, k*k, nil) {
		floats.AddTo(to, mu, w.Shift)
		d, err := fromLinear(in.Problem.X, to)
		if err != nil {
			return 0, err
		}
		costs := make([]float64, k)
		for i, s := range w.Shift {
			costs[i] = s * s / 2
		}
		rs = append(rs, response{d, costs})
	}
	slices.SortFunc(rs, func(a, b response) int {
		return int(math.Copysign(1, a.distance-b.distance))
	})
	for n := 1; n <= len(rs); n++ {
		if n < len(rs) && rs[n].distance <= rs[n-1].distance*(1+1e-9) {
			continue // responses at equal distances are added in one step
		}
		a := mat.NewDense(k, n, nil)
		for j, r := range rs[:n] {
			a.SetCol(j, r.costs)
		}
		_, mix, _ := design.Game(a)
		total := mat.NewVecDense(k, nil)
		total.MulVec(a, mat.NewVecDense(n, mix))
		if mat.Max(total)*g.Upper <= 1+structureTol {
			return rs[n-1].distance, nil
		}
	}
	return 0, fmt.Errorf("linfact: no mixture of responses certifies the lower bound %v without features", g.Upper)
}

// structureTable returns a table of L_mu for the instances of Misspecified, together with the
// measured pulls and undecided arms.
func structureTable(r *study.Results) (*tidy.Table, error) {
	t := &tidy.Table{
		Title: "Deviation above which structure no longer helps (Proposition 5.3)",
		Columns: []tidy.Column{{Name: "L_m of the instance"}, {Name: "L_mu"},
			{Name: "range of the means"},
			{Name: "undecided arms, " + MIS}, {Name: MIS, Unit: "pulls"},
			{Name: Features, Unit: "pulls"}},
		Notes: []string{"L_mu: if deviations are only known to be at most L_m > L_mu, the lower bound is the bound " +
			"without features. L_mu applies to every method, and is computed, not measured. For smaller deviations, " +
			"a method may gain from the features, but " + MIS + " loses this gain already below L_mu. Pulls are " +
			"medians."},
	}
	for _, size := range r.Experiment.Sizes {
		own, other := r.Cell(size, MIS, Theory), r.Cell(size, Features, Theory)
		if len(own) == 0 || len(other) == 0 {
			continue
		}
		in, err := MisspecifiedInstance(deviation(size))
		if err != nil {
			return nil, err
		}
		limit, err := StructureLimit(in)
		if err != nil {
			return nil, err
		}
		open := study.Measured(own, Open)
		t.Rows = append(t.Rows, []any{deviation(size), round3(limit), round3(spread(in)), round3(stat.Mean(open,
			nil)), study.MedianPulls(own).Center, study.MedianPulls(other).Center})
	}
	return t, nil
}

// spread returns the largest true mean minus the smallest true mean of an instance.
func spread(in *bandit.Instance) float64 { return mat.Max(in.Truth()) - mat.Min(in.Truth()) }

// misspecifiedTables returns the table of bounds and the table of L_mu.
func misspecifiedTables(r *study.Results) ([]*tidy.Table, error) {
	var ts []*tidy.Table
	if b := r.BoundTable(); len(b.Rows) > 0 {
		ts = append(ts, b)
	}
	t, err := structureTable(r)
	if err != nil || len(t.Rows) == 0 {
		return ts, err
	}
	return append(ts, t), nil
}

// TwoDirections returns an instance with two arms whose features are 1 and 0, and whose means are 1
// and 0. For epsilon >= 1, both arms are epsilon-best. The cheapest alternative means are (1 + g,
// -g) for g = (epsilon - 1)/2. The distance of the alternative means from the linear means (t, 0)
// is g, so L_mu = g.
func TwoDirections(epsilon float64) (*bandit.Instance, error) {
	return bandit.NewLinear("two arms, one feature", &explore.Problem{
		X: mat.NewDense(2, 1, []float64{1, 0}), Sigma: 1,
		Question: question.AllEpsilonBest{Epsilon: epsilon},
	}, mat.NewDense(1, 1, []float64{1}))
}

// limited returns a check that, on the instances that ins returns, L_mu is at most the largest mean
// minus the smallest mean.
func limited(ins func() ([]*bandit.Instance, error)) func(*study.Results) study.Verdict {
	word := study.Between("at most", 0, 1, "the ratio is at most 1")
	return known(func() study.Verdict {
		all, err := ins()
		if err != nil {
			return study.Unknown(err)
		}
		var cs []study.Condition
		for _, in := range all {
			limit, err := StructureLimit(in)
			if err != nil {
				return study.Unknown(err)
			}
			cs = append(cs, word.Of(study.Exact("L_mu / (range of the means), "+in.Name, limit/spread(in))))
		}
		return study.All(cs...)
	})
}

// deviating returns the instances in the experiment Misspecified.
func deviating() (ins []*bandit.Instance, err error) {
	for _, m := range deviations {
		in, err := MisspecifiedInstance(m)
		if err != nil {
			return nil, err
		}
		in.Name = fmt.Sprintf("L_m = %v", m)
		ins = append(ins, in)
	}
	return ins, nil
}

// counterexample returns an instance that contradicts the limit in Proposition 5.3. The
// counterexample's alternative means leave the range of the true means.
func counterexample() ([]*bandit.Instance, error) {
	in, err := TwoDirections(4)
	if err != nil {
		return nil, err
	}
	in.Name = "two arms, epsilon = 4"
	return []*bandit.Instance{in}, nil
}

func withoutFeatures(p *explore.Problem) *explore.Problem {
	arms := *p
	arms.X, arms.Arms = nil, p.K()
	return &arms
}

func unitVectors(k int) *mat.Dense {
	x, _ := basis(k, 0)
	return x
}

// fromLinear returns the smallest L such that all means are within L of a linear model: the minimum
// over theta of the maximum over i of |mu_i - x_i'theta|. By linear programming duality, L is the
// maximum of mu'v over v with X'v = 0 and sum |v_i| <= 1.
func fromLinear(x *mat.Dense, mu []float64) (float64, error) {
	x = lsq.NewSpan(x).Coordinates(x)
	k, h := x.Dims()
	if h >= k {
		return 0, nil // every vector of means is linear in features of full rank
	}
	// The unknowns are v = p - n, with p and n not negative, and a slack variable in the last row.
	a, b, c := mat.NewDense(h+1, 2*k+1, nil), make([]float64, h+1), make([]float64, 2*k+1)
	b[h] = 1
	for i := range k {
		for j := range h {
			a.Set(j, i, x.At(i, j))
			a.Set(j, k+i, -x.At(i, j))
		}
		a.Set(h, i, 1)
		a.Set(h, k+i, 1)
		c[i], c[k+i] = -mu[i], mu[i]
	}
	a.Set(h, 2*k, 1)
	least, _, err := lp.Simplex(c, a, b, 1e-12, nil)
	if err != nil {
		return 0, fmt.Errorf("linfact: cannot compute the distance of the means from a linear model: %w", err)
	}
	return max(0, -least), nil
}
