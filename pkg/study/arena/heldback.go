package arena

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// bestHeldBack contains instances for the question of the best item, taken from laboratory
// problems: designs of experiments, curves, tables.
var bestHeldBack = []Instance{
	{Name: "dose curve", Why: "41 doses with a cubic response; the closest competitors of the best dose are its " +
		"neighbours", New: doseCurve},
	{Name: "factorial", Why: "factorial design of five two-level factors with all pairwise interactions: 32 arms, 16 " +
		"coefficients, smaller for interactions", New: factorial(5, true, 2, question.Best{}, 0)},
	{Name: "tied rivals", Why: "17 arms in four dimensions: one best arm, and four other directions with four tied " +
		"arms each", New: tiedRivals},
	{Name: "energy heating", Why: "real data: heating loads of the energy data set, fitted by a linear model of the " +
		"features", New: heating},
	{Name: "two hundred arms", Why: "200 arms without features; all other arms are at least 0.3 below the best",
		New: unstructured(1, many(200, .3, 0)...)},
	{Name: "yields near one", Why: "Bernoulli arms without features, with rates from 0.8 to 0.97",
		New: coins(.97, .92, .9, .9, .87, .85, .8, .8)},
	{Name: "close second", Why: "15 arms without features: one arm is 0.2 below the best, the others are 1 to 2.8 " +
		"below",
		New: unstructured(1, append([]float64{1, .8},
			steps(13, 0, -.15)...)...)},
	{Name: "costly arms", Why: "10 arms without features; every second arm costs 16 times as much, and methods are " +
		"compared by cost", New: costing(
		unstructured(1, append([]float64{1, .8}, steps(8, .5, -.1)...)...), 1, 16)},
}

// goodHeldBack contains instances for the question of all epsilon-best items.
var goodHeldBack = []Instance{
	{Name: "good factorial", Why: "factorial design of four two-level factors, main effects only, epsilon = 1",
		New: factorial(4, false, .5, question.AllEpsilonBest{Epsilon: 1}, 1)},
	{Name: "tied good", Why: "arms without features, with ties among the epsilon-best arms and among the other arms",
		New: ask(unstructured(.5, 1, 1, 1, .95, .95, .6, .6, .6, .4, 0),
			question.AllEpsilonBest{Epsilon: .25})},
	{Name: "good of two hundred", Why: "200 arms without features, nine of which are epsilon-best",
		New: ask(unstructured(1, append(steps(9, 1, -.02), many(191, .6, 1)...)...),
			question.AllEpsilonBest{Epsilon: .35})},
	{Name: "sorting networks", Why: "real data: throughput of 206 sorting networks, fitted by a linear model of " +
		"three parameters", New: sorting},
}

// paretoHeldBack contains instances for the question of the Pareto set.
var paretoHeldBack = []Instance{
	{Name: "four objectives", Why: "12 arms with four objectives; most arms are on the Pareto front",
		New: correlated(12, 4, 0, 0, 11)},
	{Name: "torn objectives", Why: "15 arms; the objectives have correlation -0.5 over the arms and 0.8 in the " +
		"noise", New: correlated(15, 2, -.5, .8, 12)},
	{Name: "terraces", Why: "six arms on the front and six dominated arms on a grid with step 0.4; arms tie in " +
		"single objectives", New: front(.5, 0, terraces())},
}

// feasibleHeldBack contains instances for the question of the feasible Pareto set with reasons.
var feasibleHeldBack = []Instance{
	{Name: "box d=4", Why: "12 random arms, four objectives with lower limits",
		New: boxed(12, 4, .2, 13)},
	{Name: "dose finding", Why: "eight doses, with a lower limit on each of two Bernoulli rates, efficacy and " +
		"tolerability", New: doseFinding},
	{Name: "weighted limit", Why: "14 arms, noise with correlation 0.8, and a limit on a weighted sum of the two " +
		"objectives", New: weightedLimit},
	{Name: "compiler", Why: "real data: speed and size of programs by compiler flags (SW-LLVM); rewards are rows of " +
		"the table, and one objective has a limit", New: compiler},
	{Name: "costly assays", Why: "10 random arms, two objectives with lower limits; arms cost 1, 4, 9 and 25 in " +
		"turn, and methods are compared by cost",
		New: costing(boxed(10, 2, .3, 14), 1, 4, 9, 25)},
}

// many returns n random means between 0 and 1 - gap. In draw 0, the first mean is 1 instead of a
// random number.
func many(n int, gap float64, draw int) []float64 {
	rnd := stream("many", draw)
	m := make([]float64, n)
	for i := range m {
		m[i] = (1 - gap) * rnd.Float64()
	}
	if draw == 0 {
		m[0] = 1
	}
	return m
}

// doseCurve returns an instance with a cubic response to 41 doses between -1 and 1; the best dose
// is in the interior.
func doseCurve() (*bandit.Instance, error) {
	const k, h = 41, 4
	x := mat.NewDense(k, h, nil)
	for i := range k {
		v := -1 + 2*float64(i)/(k-1)
		x.SetRow(i, []float64{1, v, v * v, v * v * v})
	}
	// The response is largest near 0.31, so the best of the doses is 0.3.
	return bandit.NewLinear("", &explore.Problem{X: x, Sigma: .5, Question: question.Best{}},
		mat.NewDense(h, 1, []float64{0, 2, -2.5, -1.6}))
}

// factorial returns an instance with all combinations of n factors at the levels -1 and 1. The
// means have an intercept, main effects and, if pairs is true, interactions of two factors.
func factorial(n int, pairs bool, sigma float64, q explore.Question, draw int) maker {
	return func() (*bandit.Instance, error) {
		rnd := stream("factorial", draw)
		var rows [][]float64
		for c := range 1 << n {
			level := make([]float64, n)
			for f := range level {
				level[f] = float64(2*(c>>f&1) - 1)
			}
			row := append([]float64{1}, level...)
			for f := range n {
				for g := range f {
					if pairs {
						row = append(row, level[f]*level[g])
					}
				}
			}
			rows = append(rows, row)
		}
		h := len(rows[0])
		x, theta := mat.NewDense(len(rows), h, nil), mat.NewDense(h, 1, nil)
		for i, r := range rows {
			x.SetRow(i, r)
		}
		for j := range h {
			size := 1.
			if j > n {
				size = .3 // interactions have smaller coefficients than main effects
			}
			theta.Set(j, 0, size*(.3+.7*rnd.Float64())*sign(rnd))
		}
		return bandit.NewLinear("", &explore.Problem{X: x, Sigma: sigma, Question: q}, theta)
	}
}

func sign(rnd *rand.Rand) float64 {
	if rnd.IntN(2) == 0 {
		return -1
	}
	return 1
}

// tiedRivals returns an instance with five directions in four dimensions. The first arm is the
// best; for each of the other directions, there are four identical arms.
func tiedRivals() (*bandit.Instance, error) {
	const h = 4
	v := study.OnSphere(stream("tied rivals", 0), 5, h)
	x := mat.NewDense(17, h, nil)
	for i := range 17 {
		x.SetRow(i, v.RawRowView((i+3)/4))
	}
	theta := mat.NewDense(h, 1, append([]float64(nil), v.RawRowView(0)...))
	return bandit.NewLinear("", &explore.Problem{X: x, Sigma: 3, Question: question.Best{}}, theta)
}

// heating returns an instance that asks for the building with the smallest heating load.
func heating() (*bandit.Instance, error) {
	inst, err := dataset.Energy{Linear: true}.Instance()
	return single(inst, err, 0, question.Best{})
}

// sorting returns an instance that asks for all sorting networks whose throughput is within 3 of
// the best.
func sorting() (*bandit.Instance, error) {
	inst, err := dataset.SNW{Sigma: 1}.Instance()
	return single(inst, err, 1, question.AllEpsilonBest{Epsilon: 3})
}

// single returns an instance with only objective c of inst. The means are the linear least-squares
// fit to the means of inst.
func single(inst *bandit.Instance, err error, c int, q explore.Question) (*bandit.Instance, error) {
	if err != nil {
		return nil, err
	}
	x := inst.Problem.X
	var theta mat.Dense
	if err := theta.Solve(x, inst.Means().ColView(c)); err != nil {
		return nil, err
	}
	return bandit.NewLinear("", &explore.Problem{X: x, Sigma: inst.Problem.Sigma, Question: q,
		ArmNames: inst.Problem.ArmNames}, &theta)
}

func terraces() [][]float64 {
	var m [][]float64
	for i := range 6 {
		v := .4 * float64(i)
		m = append(m, []float64{v, 2 - v}, []float64{v - .4, 1.6 - v})
	}
	return m
}

// doseFinding returns an instance in which the rates of efficacy increase with the dose, and the
// rates of tolerability decrease.
func doseFinding() (*bandit.Instance, error) {
	rates := mat.NewDense(8, 2, []float64{
		.15, .95, .25, .93, .35, .9, .45, .86, .55, .8, .62, .7, .66, .55, .68, .4})
	law, err := bandit.NewBernoulli(rates)
	if err != nil {
		return nil, err
	}
	region, err := polyhedron.AtLeast([]float64{.4, .6}, nil)
	if err != nil {
		return nil, err
	}
	return &bandit.Instance{Law: law, Problem: &explore.Problem{Arms: 8, Objectives: 2, Sigma: .5,
		Question: question.FeasiblePareto{Region: region}}}, nil
}

// weightedLimit returns an instance with means in the unit square and a lower limit on the sum of
// the two objectives. The sum of each arm is at least 0.05 away from the limit.
func weightedLimit() (*bandit.Instance, error) {
	rnd := stream("weighted limit", 0)
	inst, err := front(.2, .8, notTied(14, func() []float64 {
		for {
			m := []float64{rnd.Float64(), rnd.Float64()}
			if math.Abs(m[0]+m[1]-.9) > .05 {
				return m
			}
		}
	}))()
	if err != nil {
		return nil, err
	}
	// The feasible region is m0 + m1 >= 0.9.
	region, err := polyhedron.New(mat.NewDense(1, 2, []float64{-1, -1}), []float64{-.9}, nil)
	if err != nil {
		return nil, err
	}
	inst.Problem.Question = question.FeasiblePareto{Region: region}
	return inst, nil
}

func compiler() (*bandit.Instance, error) {
	inst, err := dataset.LLVM{PerObjective: true}.Instance()
	if err != nil {
		return nil, err
	}
	region, err := polyhedron.AtLeast([]float64{0, math.Inf(-1)}, nil)
	if err != nil {
		return nil, err
	}
	return dataset.Ask(inst, question.FeasiblePareto{Region: region})
}

// costing returns an instance whose arms have the given costs, repeated cyclically.
func costing(of maker, costs ...float64) maker {
	return func() (*bandit.Instance, error) {
		inst, err := of()
		if err != nil {
			return nil, err
		}
		inst.Problem.Costs = make([]float64, inst.Problem.K())
		for i := range inst.Problem.Costs {
			inst.Problem.Costs[i] = costs[i%len(costs)]
		}
		return inst, nil
	}
}
