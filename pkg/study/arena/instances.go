package arena

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/ecape"
	"github.com/purexp/purexp/pkg/study/gege"
	"github.com/purexp/purexp/pkg/study/linfact"
	"github.com/purexp/purexp/pkg/study/rage"
)

// Question is a question for which the arena has tables.
type Question string

// The following constants are the questions of the arena.
const (
	BestItem      Question = "best item"
	AllGood       Question = "all epsilon-best"
	ParetoSet     Question = "Pareto set"
	FeasibleFront Question = "feasible Pareto set"
)

// Questions returns all questions in the order of the tables.
func Questions() []Question { return []Question{BestItem, AllGood, ParetoSet, FeasibleFront} }

// Set states for which purpose instances of the arena were used.
type Set string

// The following constants are the possible purposes. Instances in Looked and HeldBack were selected
// before any method of this project ran on them.
const (
	// Tuning contains instances that may have been used to choose constants of methods.
	Tuning Set = "tuning"
	// Looked contains instances that have been used since 22 November 2026 to choose between
	// methods, for example in policy.For. Looked instances were not used to choose constants of
	// methods.
	Looked Set = "looked at"
	// HeldBack contains instances that were not used for any choice.
	HeldBack Set = "held back"
)

// Instance is a problem of the arena, together with its true means.
type Instance struct {
	Name     string
	Question Question
	Set      Set
	// Why describes the origin of the instance and what makes it hard.
	Why string
	// New returns the instance; every call returns the same instance.
	New func() (*bandit.Instance, error)
}

// Instances returns the instances of all questions. The instances of each list were selected before
// the first run on any instance of the list.
func Instances() []Instance {
	var all []Instance
	for _, q := range Questions() {
		all = append(all, At(q)...)
	}
	return all
}

// At returns all instances of a question, in the order Tuning, Looked, HeldBack.
func At(q Question) []Instance {
	sets := map[Question][3][]Instance{
		BestItem:      {bestTuning, bestLooked, bestHeldBack},
		AllGood:       {goodTuning, goodLooked, goodHeldBack},
		ParetoSet:     {paretoTuning, paretoLooked, paretoHeldBack},
		FeasibleFront: {feasibleTuning, feasibleLooked, feasibleHeldBack},
	}[q]
	var all []Instance
	for k, set := range []Set{Tuning, Looked, HeldBack} {
		for _, i := range sets[k] {
			i.Question, i.Set = q, set
			all = append(all, i)
		}
	}
	return all
}

type maker = func() (*bandit.Instance, error)

// made returns a function that calls of(a, b) to make an instance.
func made[A, B any](of func(A, B) (*bandit.Instance, error), a A, b B) maker {
	return func() (*bandit.Instance, error) { return of(a, b) }
}

var bestTuning = []Instance{
	{Name: "benchmark d=5", Why: "RAGE paper, Fig. 1a, angle 0.1: one arm is close to the best, and pulls of other " +
		"arms separate the two", New: made(rage.BenchmarkInstance, 5, .1)},
	{Name: "benchmark d=20", Why: "RAGE paper, Fig. 1a, angle 0.1, in 20 dimensions",
		New: made(rage.BenchmarkInstance, 20, .1)},
	{Name: "many arms n=100", Why: "RAGE paper, Fig. 1b: many arms in the plane",
		New: made(rage.ManyArmsInstance, 100, 0)},
	{Name: "sphere d=4 n=60", Why: "Tao et al. 2018, RAGE paper, Fig. 1c: arms on a sphere",
		New: func() (*bandit.Instance, error) { return rage.SphereInstance(60, 4, 0) }},
	{Name: "transductive d=10", Why: "RAGE paper, Fig. 1d with angle 0.3: the items are not the arms",
		New: made(rage.TransductiveInstance, 10, .3)},
	{Name: "multivariate D=3", Why: "RAGE paper, Fig. 2a: layouts of a web page with slots",
		New: made(rage.MultivariateInstance, 3, 0)},
	{Name: "ten arms", Why: "arms without features, gaps 0.1, 0.2, ..., 0.9",
		New: unstructured(1, steps(10, 1, -.1)...)},
	{Name: "coins", Why: "Bernoulli arms without features, with rates from 0.5 to 0.7",
		New: coins(.7, .6, .6, .5, .5)},
}

var bestLooked = []Instance{
	{Name: "benchmark d=10", Why: "RAGE paper, Fig. 1a, angle 0.15",
		New: made(rage.BenchmarkInstance, 10, .15)},
	{Name: "many arms n=1000", Why: "RAGE paper, Fig. 1b, another draw, with 1000 arms",
		New: made(rage.ManyArmsInstance, 1000, 7)},
	{Name: "sphere d=6 n=100", Why: "arms on a sphere, another draw",
		New: func() (*bandit.Instance, error) { return rage.SphereInstance(100, 6, 3) }},
	{Name: "transductive d=20", Why: "RAGE paper, Fig. 1d with angle 0.4",
		New: made(rage.TransductiveInstance, 20, .4)},
	{Name: "multivariate D=5", Why: "RAGE paper, Fig. 2a, another draw",
		New: made(rage.MultivariateInstance, 5, 2)},
	{Name: "needle", Why: "12 arms without features; 11 arms are tied 0.5 below the best", New: unstructured(1,
		append([]float64{.5}, make([]float64, 11)...)...)},
	{Name: "thin direction", Why: "30 arms in four dimensions; the two best arms differ in a dimension in which " +
		"features are a tenth as large", New: thin},
	{Name: "rare events", Why: "Bernoulli arms without features, with rates from 0.02 to 0.08; the bound 1/4 is 3 " +
		"to 13 times the variance", New: coins(.08, .05, .04, .03, .02, .02)},
}

var goodTuning = []Instance{
	{Name: "five arms", Why: "LinFACT paper, Fig. 1: three of five arms are within 0.5 of the best",
		New: linfact.FiveArms},
	{Name: "adaptive 1", Why: "LinFACT paper, Table 1, setting 1", New: setting(1, 0)},
	{Name: "static 7", Why: "LinFACT paper, Table 1, setting 7", New: setting(7, 0)},
	{Name: "eight arms", Why: "arms without features, gaps of 0.1, epsilon = 0.25",
		New: ask(unstructured(.5, steps(8, 1, -.1)...), question.AllEpsilonBest{Epsilon: .25})},
}

var goodLooked = []Instance{
	{Name: "six arms", Why: "five means from 0.996 to 1, and one of 0.3: the epsilon-best arms are nearly tied",
		New: linfact.SixArms},
	{Name: "adaptive 2", Why: "LinFACT paper, Table 1, setting 2, another draw",
		New: setting(2, 1)},
	{Name: "good on a sphere", Why: "50 arms on a sphere in five dimensions, epsilon = 0.3",
		New: goodSphere},
	{Name: "misspecified", Why: "means deviate by 0.05 from a linear model, which voids the guarantee of linear " +
		"methods", New: func() (*bandit.Instance, error) {
		return linfact.MisspecifiedInstance(.05)
	}},
}

var paretoTuning = []Instance{
	{Name: "staircase", Why: "five arms on a staircase front, and five dominated arms",
		New: front(.5, 0, staircase())},
	{Name: "synthetic K=20", Why: "GEGE paper, section 5.1", New: synthetic(20, 4, 0)},
	{Name: "opposed objectives", Why: "12 arms; the objectives have correlation -0.8 over the arms and 0.8 in the " +
		"noise", New: correlated(12, 2, -.8, .8, 0)},
	{Name: "three objectives", Why: "ten arms, three objectives", New: correlated(10, 3, 0, 0, 1)},
}

var paretoLooked = []Instance{
	{Name: "aligned objectives", Why: "12 arms; the objectives have correlation 0.8 over the arms and -0.8 in the " +
		"noise", New: correlated(12, 2, .8, -.8, 5)},
	{Name: "synthetic K=50", Why: "GEGE paper, section 5.1, another draw", New: synthetic(50, 5, 3)},
	{Name: "shadow", Why: "four arms on the front, each with a dominated arm 0.15 below it in both objectives",
		New: front(.5, 0, shadow())},
	{Name: "forty arms", Why: "40 arms without features, two objectives",
		New: correlated(40, 2, 0, 0, 8)},
}

var feasibleTuning = []Instance{
	{Name: "COV-BOOST", Why: "e-cAPE paper, section 5.1: a clinical trial with 20 arms and three objectives",
		New: dataset.CovBoost{}.Instance},
	{Name: "near boundary", Why: "e-cAPE paper, Fig. 1: rejected arms near the boundary",
		New: func() (*bandit.Instance, error) { return ecape.NearBoundary(.1) }},
	{Name: "easy reasons", Why: "e-cAPE paper, Fig. 6", New: trial(ecape.Explainability, 0)},
	{Name: "box K=10", Why: "10 random arms, two objectives with lower limits", New: boxed(10, 2, .3, 0)},
}

var feasibleLooked = []Instance{
	{Name: "secukinumab", Why: "e-cAPE paper, section 5.1: a clinical trial with Bernoulli rewards",
		New: dataset.Secukinumab{}.Instance},
	{Name: "hard reasons", Why: "e-cAPE paper, Fig. 6", New: trial(ecape.Explainability, 1)},
	{Name: "hard for racing", Why: "e-cAPE paper, Fig. 7", New: trial(ecape.HardForRacing, 0)},
	{Name: "box K=15", Why: "15 random arms, three objectives with lower limits",
		New: boxed(15, 3, .25, 4)},
}

// stream returns the random number generator for a draw of the named instance.
func stream(name string, draw int) *rand.Rand { return study.Stream("arena", name, draw) }

// steps returns n evenly spaced means: first, first + step, and so on.
func steps(n int, first, step float64) []float64 {
	m := make([]float64, n)
	for i := range m {
		m[i] = first + step*float64(i)
	}
	return m
}

// unstructured returns an instance of Gaussian arms with standard deviation sigma, without
// features.
func unstructured(sigma float64, means ...float64) maker {
	return func() (*bandit.Instance, error) {
		law, err := bandit.NewGaussian(mat.NewDense(len(means), 1, means), mat.NewSymDense(1, []float64{sigma * sigma}))
		if err != nil {
			return nil, err
		}
		return &bandit.Instance{Law: law, Problem: &explore.Problem{Arms: len(means), Sigma: sigma,
			Question: question.Best{}}}, nil
	}
}

// coins returns an instance of Bernoulli arms without features; its Sigma is half the range.
func coins(rates ...float64) maker {
	return func() (*bandit.Instance, error) {
		law, err := bandit.NewBernoulli(mat.NewDense(len(rates), 1, rates))
		if err != nil {
			return nil, err
		}
		return &bandit.Instance{Law: law, Problem: &explore.Problem{Arms: len(rates), Sigma: .5,
			Question: question.Best{}}}, nil
	}
}

// thin returns an instance in which the fourth feature is a tenth as large as the other features.
// The two best arms differ only in the fourth feature, so most pulls give little information
// about their difference.
func thin() (*bandit.Instance, error) {
	const k, h = 30, 4
	rnd := stream("thin direction", 0)
	x := study.OnSphere(rnd, k, h)
	for i := range k {
		x.Set(i, h-1, .1*x.At(i, h-1))
	}
	x.SetRow(0, []float64{1, 0, 0, .1})
	x.SetRow(1, []float64{1, 0, 0, -.1})
	return bandit.NewLinear("", &explore.Problem{X: x, Sigma: 1, Question: question.Best{}},
		mat.NewDense(h, 1, []float64{1, 0, 0, 1}))
}

// ask returns a function that makes the same instance with another question.
func ask(of maker, q explore.Question) maker {
	return func() (*bandit.Instance, error) {
		inst, err := of()
		if err != nil {
			return nil, err
		}
		return dataset.Ask(inst, q)
	}
}

// setting returns an instance of Table 1 in the LinFACT paper.
func setting(number, draw int) maker {
	return func() (*bandit.Instance, error) {
		inst, err := linfact.Setting(number, draw)
		if err != nil {
			return nil, err
		}
		return inst.Instance, nil
	}
}

// synthetic returns an instance of section 5.1 of the GEGE paper.
func synthetic(k, h, draw int) maker {
	return func() (*bandit.Instance, error) {
		inst, _, err := gege.Synthetic(k, h, 2, draw)
		return inst, err
	}
}

// goodSphere returns an instance with arms on the unit sphere; the first arm equals the parameter
// vector.
func goodSphere() (*bandit.Instance, error) {
	const k, h = 50, 5
	x := study.OnSphere(stream("good on a sphere", 0), k, h)
	theta := mat.NewDense(h, 1, append([]float64(nil), x.RawRowView(0)...))
	return bandit.NewLinear("", &explore.Problem{X: x, Sigma: .5,
		Question: question.AllEpsilonBest{Epsilon: .3}}, theta)
}

// noise returns the covariance matrix of d objectives with standard deviation sigma and pairwise
// correlation rho.
func noise(d int, sigma, rho float64) *mat.SymDense {
	cov := mat.NewSymDense(d, nil)
	for i := range d {
		for j := range i + 1 {
			v := rho
			if i == j {
				v = 1
			}
			cov.SetSym(i, j, sigma*sigma*v)
		}
	}
	return cov
}

// front returns an instance with several objectives, arms without features, and a Pareto question.
func front(sigma, rho float64, means [][]float64) maker {
	return func() (*bandit.Instance, error) {
		d := len(means[0])
		mu := mat.NewDense(len(means), d, nil)
		for i, m := range means {
			mu.SetRow(i, m)
		}
		law, err := bandit.NewGaussian(mu, noise(d, sigma, rho))
		if err != nil {
			return nil, err
		}
		return &bandit.Instance{Law: law, Problem: &explore.Problem{Arms: len(means), Objectives: d,
			Sigma: sigma, Question: question.Pareto{}}}, nil
	}
}

func staircase() [][]float64 {
	var m [][]float64
	for i := range 5 {
		v := float64(i)
		m = append(m, []float64{v, 4 - v}, []float64{v - .5, 3.5 - v})
	}
	return m
}

func shadow() [][]float64 {
	var m [][]float64
	for i := range 4 {
		v := .5 * float64(i)
		m = append(m, []float64{v, 2 - v}, []float64{v - .15, 1.85 - v})
	}
	return m
}

// correlated draws k arms with d objectives. The parameters between and within are the
// correlations of the means and of the noise. correlated draws again until no two arms are nearly
// tied.
func correlated(k, d int, between, within float64, draw int) maker {
	return func() (*bandit.Instance, error) {
		rnd := stream(fmt.Sprintf("correlated %d %d %v", k, d, between), draw)
		return front(.5, within, notTied(k, func() []float64 {
			mean := make([]float64, d)
			mean[0] = rnd.NormFloat64()
			for c := 1; c < d; c++ {
				mean[c] = between*mean[0] + math.Sqrt(1-between*between)*rnd.NormFloat64()
			}
			return mean
		}))()
	}
}

// notTied draws k mean vectors. A vector is drawn again if a shift of all its objectives by at most
// 0.02 changes its dominance relative to an earlier vector.
func notTied(k int, mean func() []float64) [][]float64 {
	var means [][]float64
	for len(means) < k {
		a, ok := mean(), true
		for _, b := range means {
			ahead, behind := math.Inf(-1), math.Inf(-1) // largest lead of a over b, and of b over a
			for c := range a {
				ahead, behind = max(ahead, a[c]-b[c]), max(behind, b[c]-a[c])
			}
			ok = ok && math.Abs(ahead) > .02 && math.Abs(behind) > .02
		}
		if ok {
			means = append(means, a)
		}
	}
	return means
}

// trial returns an instance of an experiment of the e-cAPE study.
func trial(e interface {
	At(size, draw int) (*bandit.Instance, error)
}, size int) maker {
	return func() (*bandit.Instance, error) { return e.At(size, 0) }
}

// boxed draws k arms uniformly from the unit cube of d objectives, with a lower limit on each
// objective. boxed draws again until no arm is within 0.03 of a limit, and no two arms are nearly
// tied.
func boxed(k, d int, limit float64, draw int) maker {
	return func() (*bandit.Instance, error) {
		rnd := stream(fmt.Sprintf("box %d %d", k, d), draw)
		limits := make([]float64, d)
		for c := range limits {
			limits[c] = limit
		}
		region, err := polyhedron.AtLeast(limits, nil)
		if err != nil {
			return nil, err
		}
		inst, err := front(.2, 0, notTied(k, func() []float64 {
			mean := make([]float64, d)
			for c := range mean {
				mean[c] = limit
				for math.Abs(mean[c]-limit) < .03 {
					mean[c] = rnd.Float64()
				}
			}
			return mean
		}))()
		if err != nil {
			return nil, err
		}
		inst.Problem.Question = question.FeasiblePareto{Region: region}
		return inst, nil
	}
}

// Load makes the instance and sets its name.
func (i Instance) Load() (*bandit.Instance, error) {
	inst, err := i.New()
	if err != nil {
		return nil, fmt.Errorf("arena: %s: %w", i.Name, err)
	}
	inst.Name = i.Name
	return inst, nil
}
