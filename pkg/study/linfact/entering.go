package linfact

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// entering returns the smallest number of pulls, in the proportions w, after which the confidence
// region around the true parameter theta lies in theta's decision region. The confidence region
// consists of the parameters t with
//
//	(t - theta)'V(t - theta) <= B^2,  B^2 = 2 sigma^2 log(1/delta),
//
// where V is the information matrix of the pulls. With two features, the confidence region contains
// the true parameter with probability 1 - delta, because 2 log(1/delta) is the quantile of the
// chi-squared distribution with two degrees of freedom. The information of n pulls is n times the
// information of one pull. Therefore, the smallest number of pulls is B^2 divided by the minimum of
// (t - theta)'V(t - theta), where V is the information matrix of one pull and t is outside the
// decision region.
func entering(in *bandit.Instance, w []float64, delta float64) (float64, error) {
	r, err := alternative.NewAllEpsilon(in.Problem.Question.(question.AllEpsilonBest), in.Problem.X, nil)
	if err != nil {
		return 0, err
	}
	r.SetMeans(mat.Col(nil, 0, in.Truth()))
	return in.Problem.Sigma * in.Problem.Sigma * math.Log(1/delta) / r.Cost(nil, w), nil
}

// shareOut is a design, with the number of pulls after which the confidence region lies in the
// decision region.
type shareOut struct {
	name    string
	weights []float64
	pulls   float64
}

// sharesOut returns the G-optimal design, the XY-optimal design, and the oracle design of the lower
// bound, which needs the fewest pulls.
func sharesOut(in *bandit.Instance, delta float64) ([]shareOut, error) {
	g, err := design.G(in.Problem.X, nil)
	if err != nil {
		return nil, err
	}
	xy, err := design.Pairs(in.Problem.X, nil, nil)
	if err != nil {
		return nil, err
	}
	best, err := complexity.NewGammaStar(in.Problem, mat.Col(nil, 0, in.Truth()), gammaTol)
	if err != nil {
		return nil, err
	}
	ds := []shareOut{{name: "G", weights: g.Weights}, {name: "XY", weights: xy.Weights},
		{name: "oracle", weights: best.Weights}}
	for i := range ds {
		if ds[i].pulls, err = entering(in, ds[i].weights, delta); err != nil {
			return nil, err
		}
	}
	return ds, nil
}

// regionShares returns the instance of inRegion, and the designs for this instance.
func regionShares(size int, epsilon float64) (*bandit.Instance, []shareOut, error) {
	in, err := inRegion(size, epsilon)
	if err != nil {
		return nil, nil, err
	}
	ds, err := sharesOut(in, Delta)
	return in, ds, err
}

// Entering returns Figure EC.3.1 as a table. For each of the seven decision regions, the table
// shows the number of pulls after which the confidence region around the true parameter lies in the
// decision region. The table has a column of pulls for each design: G, XY and oracle.
func Entering() (*tidy.Table, error) {
	t := &tidy.Table{
		Title:   "When a confidence region enters its decision region (Fig. EC.3.1)",
		Columns: tidy.Columns("region", "design G [pulls]", "design XY [pulls]", "oracle [pulls]", "XY / G"),
		Notes: []string{"The confidence region has level 0.95 and is centred at the true parameter. Pulls have the " +
			"fixed proportions of one design; the oracle uses those of the lower bound."},
	}
	for size, r := range decisionRegions() {
		_, ds, err := regionShares(size, triangleEpsilon)
		if err != nil {
			return nil, err
		}
		row := []any{r.title()}
		for _, d := range ds {
			row = append(row, int(math.Ceil(d.pulls)))
		}
		t.Rows = append(t.Rows, append(row, fmt.Sprintf("%.2f", ds[1].pulls/ds[0].pulls)))
	}
	return t, nil
}

// The following claims are about three arms.
var regionClaims = []study.Claim{
	study.Says("G1", "Table EC.4.1", "three arms have seven decision regions",
		known(func() study.Verdict { return sevenRegions(triangle) })).Knowable(),
	study.Says("G2", "EC.4.1", "as epsilon decreases, the regions with several epsilon-best arms shrink and vanish, "+
		"and only the best arm remains to be identified",
		known(func() study.Verdict { return vanishing(shared) })).Knowable(),
	study.Says("G3", "EC.3, Fig. EC.3.1", "with the design XY, the confidence region enters a decision region "+
		"earlier than with G",
		known(func() study.Verdict { return earlier(0, 1, 2, 3, 4, 5, 6) })).Knowable(),
	study.Says("G4", "EC.3, Fig. EC.3.1", "LinFACT-XY stops earlier than LinFACT-G (as printed)",
		all(versus(study.Fewer, medians, nil, study.As(LinFACTXY, Printed), study.As(LinFACTG, Printed)))),
	study.Asks("G4 theory", "EC.3, Fig. EC.3.1", "LinFACT-XY stops earlier than LinFACT-G (constants of the theory)",
		all(versus(study.Fewer, medians, nil, study.As(LinFACTXY, Theory),
			study.As(LinFACTG, Theory)))),
	study.Guarantees("G5", "Theorems 4.1, 4.2", "LinFACT is delta-PAC in each of the seven regions",
		guarantee(LinFACTG, LinFACTXY)).On(study.AnyInstance),
}

// known returns a check that uses no rows.
func known(judge func() study.Verdict) study.Check {
	return func(*study.Results) study.Verdict { return judge() }
}

// sevenRegions counts the sets of arms that are the set of epsilon-best arms for some parameter.
func sevenRegions(x *mat.Dense) study.Verdict {
	n := 0.
	for _, r := range regionsOf(x) {
		if r.share(triangleEpsilon) > 0 {
			n++
		}
	}
	return study.All(study.Between("seven", 7, 7, "exactly seven").Of(study.Exact("number of nonempty regions", n)))
}

// shared returns the fraction of the parameters in the window for which several arms are
// epsilon-best.
func shared(epsilon float64) float64 {
	sum := 0.
	for _, r := range decisionRegions() {
		if len(r.Arms) > 1 {
			sum += r.share(epsilon)
		}
	}
	return sum
}

// vanishing judges whether the fraction of parameters with several epsilon-best arms decreases with
// epsilon and tends to 0.
func vanishing(share func(epsilon float64) float64) study.Verdict {
	var cs []study.Condition
	for _, e := range []float64{.5, .25, .125} {
		cs = append(cs, study.Fewer.Of(study.Exact(fmt.Sprintf("share of regions with several arms, epsilon = %v / "+
			"%v", e/2, e), share(e/2)/share(e))))
	}
	return study.All(append(cs, study.Negligible.Of(study.Exact("share at epsilon = 0.001", share(.001))))...)
}

// earlier compares the numbers of pulls of the G and XY designs in decision regions.
func earlier(sizes ...int) study.Verdict {
	var cs []study.Condition
	for _, size := range sizes {
		_, ds, err := regionShares(size, triangleEpsilon)
		if err != nil {
			return study.Unknown(err)
		}
		cs = append(cs, study.Fewer.Of(study.Exact("XY / G, "+decisionRegions()[size].title(),
			ds[1].pulls/ds[0].pulls)))
	}
	return study.All(cs...)
}
